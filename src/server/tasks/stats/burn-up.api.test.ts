// The burn-up of a sprint: what the totals were at each of its points, read afterwards from the history.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvedCount, completedCount, noTasks, taskStatusKeys } from '#core/tasks/task-status.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { approving, prepareTask, type Someone, someone, staff } from '../../../../test/task-fixtures.ts';
import { keepSprints } from '../sprints/keep-sprints.ts';

let app: TestApp;
let sprintId: string;
let before: string;
let people: Record<'admin' | 'approver' | 'ann' | 'ben' | 'hidden' | 'viewer', Someone>;

// From Monday 10:00 on; it settles for two days.
const start = '2026-11-16T10:00:00Z';

beforeAll(async () => {
  app = await startTestApp({ now: start });
  [before, sprintId] = [await app.sprint('2026-11-12T12:00:00Z'), await app.sprint()];
  const admin = await someone(app, { role: 'admin' });
  const approver = await someone(app, { permissions: [...approving, 'VIEW_TOP_5_STATS'], approvers: [admin.id] });
  const keeps = { permissions: staff, approvers: [approver.id] };
  people = {
    ...{ admin, approver },
    ann: await someone(app, { ...keeps, team: 'connect' }),
    ben: await someone(app, { ...keeps, team: 'green' }),
    hidden: await someone(app, { ...keeps, team: 'connect', invisible: true }),
    viewer: await someone(app, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_STATS', 'VIEW_TOP_5_STATS_CONNECT'] }),
  };
});
afterAll(() => app.stop());

async function at(now: string): Promise<void> {
  app.clock.set(now);
  await keepSprints(app.parts);
  for (const one of Object.values(people)) Object.assign(one, { token: await app.signIn(one.id) });
}

async function run(by: Someone, call: string, variables: object) {
  const answer = await app.gql(by.token, call, variables);
  expect([call, variables, answer.code]).toEqual([call, variables, null]);
  return answer.data;
}
const update =
  'mutation ($id: ID!, $status: TaskStatus, $title: String) { updateTask(id: $id, status: $status, title: $title) { id } }';
const move = (by: Someone, id: string, status: string) => run(by, update, { id, status });
const step = (by: Someone, id: string, name: string) =>
  run(by, `mutation ($id: ID!) { ${name}(taskId: $id) { id } }`, { id });

async function create(owner: Someone, category?: string): Promise<string> {
  const call =
    'mutation ($owner: ID!, $category: String) { createTask(title: "T", userId: $owner, category: $category) { id } }';
  return (await run(owner, call, { owner: owner.id, category })).createTask.id;
}

/** Approved tasks of the person's, moved on as far as to `statuses`. */
async function approved(owner: Someone, statuses: readonly string[] = [], category?: string): Promise<string> {
  const id = await create(owner, category);
  await move(people.approver, id, 'TODO');
  for (const status of statuses) await move(owner, id, status);
  return id;
}

const counts = `counts { ${taskStatusKeys.join(' ')} }`;
const views: readonly (readonly [keyof typeof people, string | null])[] = [
  ['admin', null],
  ['admin', 'green'],
  ['approver', null],
  ['viewer', null],
  ['viewer', 'connect'],
];

/** [approved, completed] of the totals now, as each viewer sees them. */
const totals = () =>
  Promise.all(
    views.map(async ([who, scope]) => {
      const call = `query ($id: ID, $scope: String) { sprintStats(sprintId: $id, scope: $scope) { totals { ${counts} } } }`;
      const found = {
        ...noTasks,
        ...(await run(people[who], call, { id: sprintId, scope })).sprintStats.totals.counts,
      };
      return [approvedCount(found), completedCount(found)];
    }),
  );

type Point = { at: string; approved: number; completed: number };
async function burnUp([who, scope]: (typeof views)[number], id = sprintId): Promise<Point[]> {
  const call =
    'query ($id: ID, $scope: String) { sprintStats(sprintId: $id, scope: $scope) { burnUp { at approved completed } } }';
  return (await run(people[who], call, { id, scope })).sprintStats.burnUp;
}

test('nobody reads the burn-up of a scope that they lack', async () => {
  const call = '{ sprintStats(scope: "green") { burnUp { at } } }';
  expect((await app.gql(people.viewer.token, call)).code).toBe('FORBIDDEN');
  expect((await app.gql(people.ann.token, '{ sprintStats { burnUp { at } } }')).code).toBe('FORBIDDEN');
});

test('each point is what the totals were then, through a week of every kind of change', async () => {
  const { approver, ann, ben, hidden } = people;
  const seen: { at: string; counts: number[][] }[] = [];
  const see = async (now: string) => {
    await at(now);
    seen.push({ at: now.replace('Z', '.000Z'), counts: await totals() });
  };
  const late = (ownerId: string, status: 'TODO' | 'INPROGRESS' | 'INAPPROVAL') =>
    prepareTask(app.database, { ownerId, sprintId: before, status, at: '2026-11-10T12:00:00Z' });
  const carried = {
    on: await late(ann.id, 'TODO'),
    back: await late(ann.id, 'TODO'),
    again: await late(ben.id, 'INPROGRESS'),
  };
  const stays = await late(ben.id, 'TODO');
  const moved = async (...steps: readonly (readonly [Someone, string])[]) => {
    const id = await create(ann);
    for (const [by, status] of steps) await move(by, id, status);
    return id;
  };

  await see(start);
  await at('2026-11-16T12:00:00Z');
  const first = await approved(ann);
  const second = await approved(ben, ['INPROGRESS', 'INREVIEW'], 'Connect');
  const denied = await moved([approver, 'DENIED']);
  const withdrawn = await create(ben);
  await approved(hidden, ['INREVIEW']);
  await move(approver, await create(ben), 'TODO');
  await step(ann, carried.back, 'carryOver');
  await step(ann, carried.back, 'undoTaskStep');

  await see('2026-11-17T00:00:00Z');
  await at('2026-11-17T09:00:00Z');
  await move(ann, first, 'INREVIEW');
  await move(approver, second, 'INPROGRESS');
  await run(ann, update, { id: denied, title: 'Again' });
  await step(ben, withdrawn, 'withdrawTask');
  await step(ann, carried.on, 'carryOver');
  await step(ben, carried.again, 'carryOver');
  await step(ben, carried.again, 'undoTaskStep');

  await see('2026-11-18T00:00:00Z');
  await at('2026-11-18T15:00:00Z');
  await move(approver, denied, 'TODO');
  await move(approver, first, 'DONE');
  await step(approver, first, 'undoDecision');
  await move(approver, first, 'INPROGRESS');
  await step(ben, carried.again, 'carryOver');
  const undone = await create(ann);
  await move(approver, undone, 'TODO');
  await step(approver, undone, 'undoDecision');
  expect((await burnUp(['admin', null])).at(-1)).toMatchObject({ at: '2026-11-18T15:00:00.000Z' });

  await see('2026-11-19T00:00:00Z');
  await see('2026-11-20T00:00:00Z');
  await at('2026-11-20T08:00:00Z');
  await move(ann, first, 'INREVIEW');
  await move(ann, carried.on, 'INREVIEW');
  await move(approver, carried.on, 'DONE');
  await move(ben, carried.again, 'TODO');
  await see('2026-11-21T00:00:00Z');
  await see('2026-11-22T00:00:00Z');
  await see('2026-11-23T00:00:00Z');
  await at('2026-11-23T09:59:00Z');
  await move(approver, first, 'DONE');
  await see('2026-11-23T10:00:00Z');

  // Afterwards: what settles, what is carried out, and the next sprint's own steps.
  await at('2026-11-24T09:00:00Z');
  await move(ann, denied, 'INREVIEW');
  await step(ben, carried.again, 'carryOver');
  await move(ben, carried.again, 'INREVIEW');
  await step(ben, second, 'carryOver');
  await step(ben, second, 'undoTaskStep');
  await see('2026-11-25T10:00:00Z');

  const compare = async () => {
    for (const [index, view] of views.entries())
      expect([view, await burnUp(view)]).toEqual([
        view,
        seen.map(({ at: instant, counts: found }) => ({
          at: instant,
          approved: found[index]![0],
          completed: found[index]![1],
        })),
      ]);
  };
  await compare();
  // The week moved, for each viewer in another way, and nobody sees what is hidden.
  expect(new Set(seen.map(({ counts: found }) => found[0]!.join())).size).toBeGreaterThan(5);
  expect(new Set(seen.at(-1)!.counts.map((found) => found.join())).size).toBe(3);

  // Corrections, and a carry-over after the result, leave the curve.
  await at('2026-11-26T09:00:00Z');
  await move(approver, denied, 'INPROGRESS');
  await step(ann, denied, 'carryOver');
  await move(ann, denied, 'INREVIEW');
  await step(ben, stays, 'carryOver');
  await compare();
});

test('imported tasks count as their source tells, once, and a sprint that hasn’t started has no points', async () => {
  const { rows } = await app.database.pool.query<{ id: string }>(
    "insert into sprints (name, start_at, end_at) values ('2025 W02', '2025-01-06T10:00:00Z', '2025-01-13T10:00:00Z') returning id::text",
  );
  const id = rows[0]!.id;
  const imported = async (status: string, madeAt: string, moves: readonly (readonly [string, string, string])[]) => {
    const made = await app.database.pool.query<{ id: string }>(
      `insert into tasks (owner_id, sprint_id, title, category, status, created_by, created_at, status_at)
       values ($1, $2, 'Imported', 'Green', $3, $1, $4, $4) returning id::text`,
      [people.ben.id, id, status, madeAt],
    );
    for (const [when, from, to] of moves)
      await app.database.pool.query(
        `insert into task_history (task_id, sprint_id, at, actor_name, event, from_status, to_status, version)
         values ($1, $2, $3, 'Source', 'imported', $4, $5, 1)`,
        [made.rows[0]!.id, id, when, from, to],
      );
  };
  // Without a history; with a move that a later import told again; with one before its creation.
  await imported('DONE', '2025-01-08T12:00:00Z', []);
  const done = ['TODO', 'INREVIEW'] as const;
  await imported('INREVIEW', '2025-01-02T12:00:00Z', [
    ['2025-01-07T12:00:00Z', ...done],
    ['2025-01-10T12:00:00Z', ...done],
  ]);
  await imported('INREVIEW', '2025-01-09T12:00:00Z', [['2025-01-07T12:00:00Z', ...done]]);
  // Told after the sprint was recorded, and another than the task has.
  await imported('INREVIEW', '2025-01-03T12:00:00Z', [['2026-01-01T12:00:00Z', 'INAPPROVAL', 'TODO']]);
  await keepSprints(app.parts);
  const found = await burnUp(['admin', 'green'], id);
  expect(found.map(({ approved: scope, completed }) => `${completed}/${scope}`)).toEqual([
    '0/1',
    '0/1',
    '1/1',
    '2/2',
    '3/3',
    '3/3',
    '3/3',
    '3/3',
    '3/3',
    '4/4',
  ]);
  expect(await burnUp(['admin', null], await app.sprint('2026-12-15T12:00:00Z'))).toEqual([]);
});
