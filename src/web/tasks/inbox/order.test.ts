import { describe, expect, test } from 'vitest';
import { overdueHours } from '#core/tasks/sprint.ts';
import type { BoardTask, Sprint } from '../shared/queries.ts';
import { waitingSentence } from './head.tsx';
import { byPerson, countsOf, nextAfter, type Waiting, waitingIn } from './order.ts';

const hour = 60 * 60_000;
const now = Date.parse('2026-11-20T12:00:00Z');
const ago = (hours: number): string => new Date(now - hours * hour).toISOString();

const sprints: readonly Sprint[] = [
  sprint('past', ago(223), ago(55)),
  sprint('current', ago(55), ago(-113)),
  sprint('next', ago(-113), ago(-281)),
];

function sprint(id: string, startDate: string, endDate: string): Sprint {
  return { id, name: id, startDate, endDate, settledAt: endDate, phase: 'active', current: id === 'current' };
}

function task(id: string, part: Partial<BoardTask> = {}): BoardTask {
  return {
    id,
    userId: 'ada',
    owner: { id: 'ada', displayName: 'Ada', team: null },
    ownerApproverIds: [],
    decidedFor: null,
    handedOver: null,
    createdBy: { id: 'ada', displayName: 'Ada', team: null },
    sprintId: 'current',
    status: 'INAPPROVAL',
    statusSince: ago(1),
    title: id,
    category: 'Green',
    change: '',
    reason: null,
    created: ago(2),
    extra: false,
    carriedOver: 0,
    withdrawn: false,
    leftUndone: false,
    repeats: null,
    editedSince: null,
    version: 1,
    notes: [],
    attachments: [],
    ...part,
  };
}

const idsOf = (items: readonly { readonly task: BoardTask }[]): string[] => items.map((item) => item.task.id);

describe('waitingIn', () => {
  test('leaves out what waits for nobody', () => {
    const others = [
      task('todo', { status: 'TODO' }),
      task('gone', { withdrawn: true }),
      task('done', { status: 'DONE' }),
    ];
    expect(waitingIn('approve', others, sprints, now)).toEqual([]);
    expect(waitingIn('sign-off', others, sprints, now)).toEqual([]);
  });

  test('holds each task in the tab of its state', () => {
    const tasks = [task('new'), task('finished', { status: 'INREVIEW' })];
    expect(idsOf(waitingIn('approve', tasks, sprints, now))).toEqual(['new']);
    expect(idsOf(waitingIn('sign-off', tasks, sprints, now))).toEqual(['finished']);
  });

  test('puts what is overdue first and what is for the next sprint last, the oldest of each first', () => {
    const tasks = [
      task('next', { statusSince: ago(90), sprintId: 'next' }),
      task('young', { statusSince: ago(1) }),
      task('old', { statusSince: ago(40) }),
      task('after its sprint', { statusSince: ago(2), sprintId: 'past' }),
      task('at the end', { statusSince: ago(60), sprintId: 'past' }),
      task('long', { statusSince: ago(overdueHours + 1) }),
    ];
    const items = waitingIn('approve', tasks, sprints, now);
    expect(idsOf(items)).toEqual(['at the end', 'long', 'old', 'after its sprint', 'young', 'next']);
    expect(items.map(({ overdue }) => overdue)).toEqual([true, true, false, false, false, false]);
  });
});

test('a task that was sent before its sprint is not overdue before it, nor when it starts', () => {
  const early = [task('early', { sprintId: 'next', statusSince: ago(90) })];
  const start = Date.parse(sprints[2]!.startDate);
  const isOverdueIn = (hours: number) => waitingIn('approve', early, sprints, start + hours * hour)[0]?.overdue;
  expect([-1, 0, overdueHours, overdueHours + 1].map(isOverdueIn)).toEqual([false, false, false, true]);
});

const totalOf = (items: readonly Waiting[]) => ({
  ...countsOf(items),
  people: byPerson(items).length,
});

test('the head counts what is late, due and for the next sprint apart', () => {
  const ben = { userId: 'ben', owner: { id: 'ben', displayName: 'Ben', team: null } };
  const say = (...tasks: BoardTask[]) =>
    waitingSentence(totalOf(waitingIn('approve', tasks, sprints, now)), sprints, 'Europe/Amsterdam');
  const late = task('late', { statusSince: ago(50) });
  const early = task('early', { ...ben, sprintId: 'next', statusSince: ago(90) });
  expect(say(late, task('due'), early)).toBe(
    '3 tasks from 2 people: 1 overdue, 1 due before Wed 25 Nov 06:00, 1 for the next sprint',
  );
  expect(say(early)).toBe('1 task from 1 person: 1 for the next sprint');
  expect(say()).toBe('Tasks that your people submit or complete appear here.');
});

test('a person stands where the one that waited longest stands', () => {
  const ben = { userId: 'ben', owner: { id: 'ben', displayName: 'Ben', team: null } };
  const items = waitingIn(
    'approve',
    [task('a1', { statusSince: ago(3) }), task('b1', { ...ben, statusSince: ago(9) }), task('a2')],
    sprints,
    now,
  );
  expect(byPerson(items).map(({ name, items: own }) => [name, idsOf(own)])).toEqual([
    ['Ben', ['b1']],
    ['Ada', ['a1', 'a2']],
  ]);
});

describe('nextAfter', () => {
  const items = ['a', 'b', 'c'].map((id) => ({ task: task(id), overdue: false, later: false }));
  test.each<[current: string | null, leaving: string[], next: string | null]>([
    ['a', ['a'], 'b'],
    ['b', ['b'], 'c'],
    ['c', ['c'], 'b'],
    ['a', ['a', 'b'], 'c'],
    ['b', ['b', 'c'], 'a'],
    ['b', ['a', 'b', 'c'], null],
    ['elsewhere', ['elsewhere'], 'a'],
    [null, [], 'a'],
  ])('from %s without %s leads to %s', (current, leaving, next) => {
    expect(nextAfter(items, new Set(leaving), current)).toBe(next);
  });
});
