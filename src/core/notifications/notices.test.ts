import { describe, expect, test } from 'vitest';
import type { Viewer } from '../access/access.ts';
import { sprintAt } from '../tasks/sprint.ts';
import { taskEventKinds } from '../tasks/task.ts';
import {
  boundaryDue,
  boundaryMailBefore,
  digestSlot,
  excerpt,
  isDigestDue,
  nextTry,
  noticeKindKeys,
  noticeOfChange,
  questionRecipients,
  receivesMention,
} from './notices.ts';

const at = (text: string) => Temporal.Instant.from(text);
const viewer = (more: Partial<Viewer>): Viewer => ({
  id: '9',
  role: 'Staff',
  permissions: [],
  approverIds: [],
  ...more,
});

describe('who hears of a mention: who may see the task, and nobody else', () => {
  const owner = { id: '1', approverIds: ['2'] };
  test.each([
    ['a stranger', viewer({ permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'] }), false],
    ['somebody without a role', viewer({ id: '1', role: null, permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] }), false],
    ['the owner without the application', viewer({ id: '1', permissions: ['VIEW_TOP_5'] }), false],
    ['the approver without the permission', viewer({ id: '2', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] }), false],
    ['the approver', viewer({ id: '2', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] }), true],
    ['the owner', viewer({ id: '1', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'] }), true],
    ['an admin', viewer({ role: 'admin' }), true],
  ])('%s: %o', (_who, person, hears) => expect(receivesMention(person, owner)).toBe(hears));
});

describe('who hears of a question about a bonus: the approvers who may answer it, and admins where none may', () => {
  const owner = { id: '1', approverIds: ['2', '3'] };
  const answers = viewer({
    id: '2',
    permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS', 'VIEW_TOP_5_BONUS_STRUCTURE'],
  });
  const withoutPage = viewer({ id: '3', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_APPROVALS'] });
  const decidesNot = viewer({ id: '3', permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_BONUS_STRUCTURE'] });
  const admin = viewer({ id: '8', role: 'admin' });
  test.each([
    ['an approver', [answers, admin], ['2']],
    ['nobody else’s approver', [{ ...answers, id: '4' }], []],
    ['an admin, where the approver may not open the page', [withoutPage, admin], ['8']],
    ['an admin, where the approver can’t approve', [decidesNot, admin], ['8']],
    ['an admin who is the approver, alone', [{ ...admin, id: '3' }, admin], ['3']],
    ['never the person', [{ ...admin, id: '1' }], []],
  ])('%s', (_who, people, heard) => expect(questionRecipients(people, owner).map(({ id }) => id)).toEqual(heard));
});

test('of all that happens to a task only the four decisions are told to its owner, with the reason', () => {
  const told = taskEventKinds.filter((event) =>
    noticeOfChange(event, { taskId: '7', title: 'Report', by: 'Ben', version: 3, change: null }),
  );
  expect(told).toEqual(['approved', 'denied', 'signedOff', 'sentBack']);
  expect(
    noticeOfChange('denied', { taskId: '7', title: 'Report', by: 'Ben', version: 3, change: 'Add numbers' }),
  ).toEqual({
    key: 'task:7:3',
    facts: { kind: 'decided', event: 'denied', taskId: '7', title: 'Report', by: 'Ben', change: 'Add numbers' },
  });
});

describe('what waits is told once, and not at every task', () => {
  const slot = at('2026-11-18T12:15:00Z');
  test.each([
    ['nothing told yet', '2026-11-18T12:14:00Z', null, true],
    ['something came since, and the last notice is long ago', '2026-11-18T12:14:00Z', '2026-11-18T08:00:00Z', true],
    ['something came since, but the last notice was just now', '2026-11-18T12:14:00Z', '2026-11-18T11:00:00Z', false],
    ['all of it was told', '2026-11-18T07:59:00Z', '2026-11-18T08:00:00Z', false],
    ['what came after the quarter of an hour waits for the next', '2026-11-18T12:16:00Z', null, false],
  ])('%s', (_case, newest, last, due) => {
    expect(isDigestDue(slot, at(newest), last === null ? null : { at: at(last), upTo: at(last) })).toBe(due);
  });

  test.each([
    ['2026-11-18T12:15:00Z', '2026-11-18T12:15:00Z'],
    ['2026-11-18T12:29:59.999Z', '2026-11-18T12:15:00Z'],
    ['2026-11-18T00:00:00Z', '2026-11-18T00:00:00Z'],
  ])('%s lies in the quarter of %s', (now, start) => expect(digestSlot(at(now)).equals(at(start))).toBe(true));
});

describe('the end of a sprint is told on the last working day before it and 2 hours before it', () => {
  // Berlin sets its clocks back on 25 October 2026 and forward on 29 March 2026; New York forward on 8 March
  // 2026.
  test.each([
    ['Europe/Berlin', '2026-10-21T12:00:00Z', '2026-10-23T08:00:00Z', '2026-10-26T07:00:00Z', '2026-10-26T09:00:00Z'],
    ['Europe/Berlin', '2026-03-25T12:00:00Z', '2026-03-27T09:00:00Z', '2026-03-30T06:00:00Z', '2026-03-30T08:00:00Z'],
    [
      'America/New_York',
      '2026-03-04T12:00:00Z',
      '2026-03-06T15:00:00Z',
      '2026-03-09T12:00:00Z',
      '2026-03-09T14:00:00Z',
    ],
    ['UTC', '2026-11-18T12:00:00Z', '2026-11-20T10:00:00Z', '2026-11-23T08:00:00Z', '2026-11-23T10:00:00Z'],
  ])('%s, week of %s', (zone, inWeek, dayBefore, hoursBefore, boundary) => {
    const { end } = sprintAt(at(inWeek), zone);
    expect(end.equals(at(boundary))).toBe(true);
    const dueAt = (text: string, ms = 0) =>
      boundaryDue(end, at(text).add({ milliseconds: ms }), { zone, holidays: [] });
    expect(dueAt(dayBefore, -1)).toBeNull();
    expect(dueAt(dayBefore)).toBe(24);
    expect([1, 2].map((days) => dueAt(dayBefore, days * 86_400_000))).toEqual([null, null]);
    expect(dueAt(hoursBefore, -1)).toBeNull();
    expect(dueAt(hoursBefore)).toBe(2);
    expect(dueAt(boundary, -1)).toBe(2);
    expect(dueAt(boundary)).toBeNull();
    expect(dueAt(boundary, 60_000)).toBeNull();
  });

  const due = (end: string, now: string, ...days: readonly (readonly [string, string])[]) => {
    const holidays = days.map(([firstDay, lastDay]) => ({ firstDay, lastDay, name: 'Day off' }));
    return boundaryDue(at(end), at(now), { zone: 'UTC', holidays });
  };
  test.each([
    ['a holiday on Friday: Thursday', '2026-11-23', '2026-11-19', [['2026-11-20', '2026-11-20']], 24],
    ['and not on that Friday', '2026-11-23', '2026-11-20', [['2026-11-20', '2026-11-20']], null],
    ['it ends on Tuesday after a holiday: Friday', '2026-11-24', '2026-11-20', [['2026-11-23', '2026-11-23']], 24],
    ['and not on that Monday', '2026-11-24', '2026-11-23', [['2026-11-23', '2026-11-23']], null],
    ['it ends on Wednesday after a working day: Tuesday', '2026-11-25', '2026-11-24', [], 24],
    ['and not on the Monday before', '2026-11-25', '2026-11-23', [], null],
    ['the whole week is off', '2026-11-23', '2026-11-20', [['2026-11-16', '2026-11-22']], null],
  ] as const)('%s', (_case, end, day, holidays, hours) => {
    expect(due(`${end}T10:00:00Z`, `${day}T10:00:00Z`, ...holidays)).toBe(hours);
  });

  test('and not 2 hours before it on a holiday', () => {
    expect(due('2026-11-23T10:00:00Z', '2026-11-23T09:00:00Z', ['2026-11-23', '2026-11-25'])).toBeNull();
  });

  test('isn’t mailed after the next one, or after the end', () => {
    expect(boundaryMailBefore(at('2026-11-23T10:00:00Z'), 24)).toEqual(at('2026-11-23T08:00:00Z'));
    expect(boundaryMailBefore(at('2026-11-23T10:00:00Z'), 2)).toEqual(at('2026-11-23T10:00:00Z'));
  });
});

test('a mail that fails is tried nine times more over about two days, less and less often, and then given up', () => {
  const start = at('2026-11-18T12:00:00Z');
  let now = start;
  let tries = 0;
  let pause = 0;
  for (let next = nextTry(++tries, now); next; next = nextTry(++tries, now)) {
    const minutes = next.since(now).total('minutes');
    expect(minutes).toBeGreaterThanOrEqual(pause);
    pause = minutes;
    now = next;
  }
  expect(tries).toBe(10);
  expect(now.since(start).total('hours')).toBeGreaterThan(40);
  expect(now.since(start).total('hours')).toBeLessThan(60);
});

test('a long text is told by its beginning, and never ends in half of a character', () => {
  expect(excerpt(' short ')).toBe('short');
  const long = excerpt(`${'a'.repeat(499)}😀${'b'.repeat(100)}`);
  expect(long.isWellFormed()).toBe(true);
  expect(long.length).toBeLessThanOrEqual(501);
  expect(long.endsWith('…')).toBe(true);
});

test('there are these kinds, in the order in which people choose', () => {
  expect(noticeKindKeys).toEqual([
    'waiting',
    'handedOver',
    'decided',
    'assigned',
    'noted',
    'mentioned',
    'recap',
    'boundary',
    'meeting',
    'asked',
    'answered',
    'roleAsked',
    'roleAnswered',
    'approvee',
    'delegate',
    'absence',
    'access',
    'accountChanged',
  ]);
});
