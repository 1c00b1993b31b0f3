import { describe, expect, test } from 'vitest';
import { adminRole } from '#core/access/access.ts';
import { isCategory } from '#core/access/brands.ts';
import { limits } from '#core/base/limits.ts';
import { displayName } from '#core/people/people.ts';
import { decisionEvents } from '#core/tasks/task.ts';
import { decisionBetween, statusRule, type TaskStatus, taskStatusKeys } from '#core/tasks/task-status.ts';
import { demoAccounts } from './demo-accounts.ts';
import { type DemoCompany, demoCompany } from './demo-company.ts';
import { seededRandom } from './random.ts';
import { taskPatterns } from './task-patterns.ts';
import type { HistoryRow, TaskStory } from './task-story.ts';

const zone = 'Europe/Berlin';
const companyAt = (now: string, seed?: number) =>
  demoCompany({ now: Temporal.Instant.from(now), zone, ...(seed && { seed }) });
const instants = {
  'a Friday afternoon': '2026-11-20T15:00:00Z',
  'a Tuesday': '2026-11-24T08:20:00Z',
  'the first second of a sprint': '2026-11-23T09:00:00Z',
  'the last second of a sprint': '2026-11-23T08:59:59Z',
  'a Sunday night in summer': '2026-07-05T22:30:00Z',
  'the Monday after the clocks changed': '2026-03-30T08:00:00Z',
};

const inCurrentSprint = ({ sprints, stories }: DemoCompany, email: string) =>
  stories.filter(
    ({ row, owner }) => row.sprintId === sprints.at(-2)!.id && row.withdrawnAt === null && isOf(owner.id, email),
  );
const isOf = (id: string, email: string) =>
  demoAccounts.findIndex((account) => account.email === email) + 1 === Number(id);

describe('nothing that the rules refuse', () => {
  test.each(Object.entries(instants))('nothing happens after now: %s', (_, now) => {
    const company = companyAt(now);
    const times = company.stories.flatMap(({ row, history, notes, attachments }) => [
      row.createdAt!,
      row.statusAt!,
      ...[...history, ...notes, ...attachments].map(({ at }) => at),
      ...notes.map(({ at, editedAt }) => editedAt ?? at),
    ]);
    expect(times.filter((at) => at > Temporal.Instant.from(now).toString({ fractionalSecondDigits: 3 }))).toEqual([]);
  });

  test('every history replays to the status of its task, step by step, and its versions have no gap', () => {
    for (const story of companyAt(instants['a Friday afternoon']).stories) replays(story);
  });

  test('every decision is one of the owner’s approver, and never of the owner', () => {
    const { stories, people } = companyAt(instants['a Tuesday']);
    const roleOf = new Map(people.map((person) => [person.id, person]));
    for (const { owner, history } of stories) {
      for (const event of history.filter(({ event }) => (decisionEvents as readonly string[]).includes(event!))) {
        expect(owner.approverIds).toContain(event.actorId);
        expect(event.actorId).not.toBe(owner.id);
        const decider = roleOf.get(event.actorId!)!;
        expect(decider.role === adminRole || decider.permissions.includes('VIEW_TOP_5_APPROVALS')).toBe(true);
      }
    }
  });

  test('texts keep to the limits, and no title comes twice', () => {
    const { stories } = companyAt(instants['a Tuesday']);
    for (const { row } of stories) {
      expect(row.title!.length).toBeLessThanOrEqual(limits.title);
      expect(`${row.title} ${row.summary}`).not.toMatch(/[{}]|undefined/);
      expect(isCategory(row.category!)).toBe(true);
    }
    expect(new Set(stories.map(({ row }) => row.title)).size).toBe(stories.length);
  });
});

function replays({ row, history }: TaskStory): void {
  expect(history[0]).toMatchObject({ event: 'created', version: 1 });
  history.forEach((event, index) => {
    const before = history[index - 1];
    expect(event.version).toBe(index + 1);
    if (!before) return;
    expect(event.from).toBe(before.to);
    expect(event.at >= before.at).toBe(true);
    expect(isStepOfTheTable(event)).toBe(true);
  });
  const last = history.at(-1)!;
  expect([last.to, last.version]).toEqual([row.status, row.version]);
  const entered = history.findLast((event, index) => index === 0 || event.from !== event.to)!;
  expect(row.statusAt).toBe(entered.at);
}

/** Checked with the core's table, not the plans that made the history. */
function isStepOfTheTable({ event, to, ...row }: HistoryRow): boolean {
  const from = row.from as TaskStatus;
  if (from === to) return !(decisionEvents as readonly string[]).includes(event!);
  if (event === 'moved') return statusRule(from).movable && statusRule(to).movable;
  if (event === 'resubmitted') return statusRule(from).update === to;
  return decisionBetween(from, to) === (event === 'approved' || event === 'signedOff' ? 'approve' : 'deny');
}

describe('the company', () => {
  test('the same seed makes the same company, another seed another one', () => {
    const [one, same, other] = [undefined, undefined, 6].map((seed) =>
      JSON.stringify(companyAt(instants['a Tuesday'], seed).stories.map(({ row }) => row)),
    );
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });

  test('has forty people in six teams beside the accounts, 26 past sprints, the current and the next', () => {
    const { people, sprints, stories } = companyAt(instants['a Friday afternoon']);
    const others = people.slice(demoAccounts.length);
    expect(others).toHaveLength(40);
    expect(new Set(others.map(({ team }) => team)).size).toBe(6);
    expect(new Set(people.map(({ email }) => email)).size).toBe(people.length);
    for (const { email } of people) expect(email).toMatch(/^[a-z0-9.-]+@demo\.test$/);
    expect(people.every((person) => person.name === displayName(person))).toBe(true);
    expect(sprints).toHaveLength(28);
    for (const { id } of sprints.slice(0, -1))
      expect(stories.filter(({ row }) => row.sprintId === id).length).toBeGreaterThan(120);
  });

  test('an account has exactly the permissions of its column in the access matrix', () => {
    const { people } = companyAt(instants['a Tuesday']);
    const topFive = [
      'VIEW_DASHBOARD',
      'VIEW_TOP_5',
      'VIEW_TOP_5_TOOLS',
      'VIEW_TOP_5_GUIDELINES',
      'VIEW_TOP_5_MEETING_SCHEDULE',
      'VIEW_TOP_5_BONUS_STRUCTURE',
      'VIEW_TOP_5_TIME_TRACKER',
    ];
    const permissionsOf = (email: string) => [...people.find((person) => person.email === email)!.permissions].sort();
    expect(permissionsOf('norole@demo.test')).toEqual([]);
    expect(permissionsOf('top5@demo.test')).toEqual([...topFive].sort());
    expect(permissionsOf('noapprover@demo.test')).toEqual([...topFive].sort());
    expect(permissionsOf('staff@demo.test')).toEqual([...topFive, 'VIEW_TOP_5_STATS', 'VIEW_TOOLS'].sort());
    expect(permissionsOf('approver@demo.test')).toEqual(
      [
        ...topFive,
        'VIEW_TOP_5_APPROVALS',
        'VIEW_TOP_5_STATS',
        'VIEW_TOP_5_STATS_CONNECT',
        'VIEW_TOP_5_STATS_GREEN',
      ].sort(),
    );
    expect(permissionsOf('people@demo.test')).toEqual([...topFive, 'USER_MANAGEMENT', 'VIEW_ROLE_EDITOR'].sort());
    expect(permissionsOf('support@demo.test')).toEqual(
      [
        'VIEW_AFFILIATE_STATS',
        'VIEW_CUSTOMER_SERVICE',
        'VIEW_DASHBOARD',
        'VIEW_DISTRIBUTIONS',
        'VIEW_PRODUCT_PAYMENTS',
        'VIEW_TOOLS',
      ].sort(),
    );
    expect(permissionsOf('sales@demo.test').filter((permission) => !/SALES|DONATIONS|READ_/.test(permission))).toEqual([
      'VIEW_DASHBOARD',
    ]);
    expect(permissionsOf('sales@demo.test')).toHaveLength(13);
  });

  test.each(Object.entries(instants))('the demo accounts show every state: %s', (_, now) => {
    const company = companyAt(now);
    for (const email of ['staff@demo.test', 'top5@demo.test']) {
      const tasks = inCurrentSprint(company, email);
      expect(new Set(tasks.map(({ status }) => status))).toEqual(new Set(taskStatusKeys));
      expect(tasks.length).toBeGreaterThan(5);
      expect(tasks.find(({ status }) => status === 'DENIED')!.row.reason).not.toBeNull();
      const lastSprint = company.stories.filter(
        ({ row, owner }) => isOf(owner.id, email) && row.sprintId === company.sprints.at(-3)!.id,
      );
      expect(
        lastSprint.filter(({ status, row }) => statusRule(status).open && row.withdrawnAt === null).length,
      ).toBeGreaterThan(1);
    }
    const waiting = company.stories.filter(
      ({ owner, row }) => owner.approverIds.includes('2') && row.withdrawnAt === null,
    );
    expect(waiting.filter(({ status }) => status === 'INAPPROVAL').length).toBeGreaterThan(2);
    expect(waiting.filter(({ status }) => status === 'INREVIEW').length).toBeGreaterThan(1);
    const own = inCurrentSprint(company, 'approver@demo.test').map(({ status }) => status);
    expect(own).toEqual(expect.arrayContaining(['INAPPROVAL', 'INREVIEW']));
  });

  test('a week goes on: few tasks are completed on its Monday, most on its Friday', () => {
    const completed = (now: string) => {
      const { stories, sprints } = companyAt(now);
      const current = stories.filter(({ row }) => row.sprintId === sprints.at(-2)!.id);
      return current.filter(({ status }) => statusRule(status).completed).length / current.length;
    };
    expect(completed('2026-11-16T11:00:00Z')).toBeLessThan(0.2);
    expect(completed('2026-11-20T16:30:00Z')).toBeGreaterThan(0.6);
  });
});

test('there are at least 150 patterns, and chance is even enough to use them all', () => {
  expect(Object.values(taskPatterns).flat().length).toBeGreaterThanOrEqual(150);
  const random = seededRandom(1);
  const drawn = Array.from({ length: 1000 }, () => random.whole(0, 9));
  for (let digit = 0; digit < 10; digit++) expect(drawn.filter((value) => value === digit).length).toBeGreaterThan(60);
});
