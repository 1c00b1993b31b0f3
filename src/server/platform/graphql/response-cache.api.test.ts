// Cached responses never reach someone who lost access, and never outlive a change.
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { schema } from '#server/schema.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { prepareTask, type Someone, someone, staff } from '../../../../test/task-fixtures.ts';
import { cachePolicyOf } from './response-cache.ts';

let app: TestApp;
let admin: Someone;
let owner: Someone;
let sprintId: string;

beforeAll(async () => {
  app = await startTestApp();
  sprintId = await app.sprint();
  admin = await someone(app, { role: 'admin', lastName: 'Admin' });
  owner = await someone(app, { permissions: staff, approvers: [admin.id], lastName: 'Owner' });
});
afterAll(() => app.stop());

const counts =
  'query ($sprintId: ID!) { sprintStats(sprintId: $sprintId) { employees { person { id } counts { TODO INPROGRESS } } } }';
const sales = `query ($scope: String!, $compare: String) {
  numbers(dataset: "orders", scope: $scope, metrics: ["net_sales"], from: "2026-11-01", to: "2026-12-01", compare: $compare) {
    totals previousUntil } }`;
const asked = (who: Someone) => app.gql(who.token, counts, { sprintId });
const salesOf: typeof asked = (who) => app.gql(who.token, sales, { scope: 'connect', compare: 'elapsed' });

/** The response, and whether it was computed for this call. */
async function watched(who: Someone, call = asked) {
  const { drizzle } = app.database;
  const { execute } = drizzle;
  let made = false;
  drizzle.execute = ((...given: Parameters<typeof execute>) => {
    made = true;
    return execute.apply(drizzle, given);
  }) as typeof execute;
  try {
    return { ...(await call(who)), made };
  } finally {
    drizzle.execute = execute;
  }
}

/** Other databases of the cluster count as changes too, so this can take several calls. */
async function untilKept(who: Someone, call = asked): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) if (!(await watched(who, call)).made) return;
  throw new Error('The answer was made anew every time');
}

it('is given to nobody who may not have it any more', async () => {
  const reader = await someone(app, { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5_STATS'], lastName: 'Reader' });
  await untilKept(reader);
  await app.database.pool.query(
    "update roles set permissions = '{VIEW_DASHBOARD}' where name = (select role from people where id = $1)",
    [reader.id],
  );
  expect((await asked(reader)).code).toBe('FORBIDDEN');
  await app.database.pool.query('update people set disabled_at = now() where id = $1', [reader.id]);
  expect((await asked(reader)).code).toBe('ACCOUNT_DISABLED');
});

it('is given again while nothing changes, and made anew after every change', async () => {
  const id = await prepareTask(app.database, { ownerId: owner.id, sprintId, status: 'TODO' });
  const countsOfOwner = async () => {
    const { data } = await asked(admin);
    const { employees } = data.sprintStats as { employees: { person: { id: string }; counts: object }[] };
    return employees.find(({ person }) => person.id === owner.id)?.counts;
  };
  for (const status of ['INPROGRESS', 'TODO', 'INPROGRESS']) {
    await untilKept(admin);
    await app.gql(
      owner.token,
      'mutation ($id: ID!, $status: TaskStatus) { updateTask(id: $id, status: $status) { id } }',
      {
        id,
        status,
      },
    );
    expect(await countsOfOwner()).toEqual({ TODO: 0, INPROGRESS: 0, [status]: 1 });
  }
});

it('is given to everybody with the same rights where it is the same for them, and to nobody with others', async () => {
  const rights = ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'READ_BGP'] as const;
  const first = await someone(app, { permissions: [...rights], lastName: 'First' });
  const second = await someone(app, { permissions: [], lastName: 'Second' });
  await app.database.pool.query('update people set role = (select role from people where id = $1) where id = $2', [
    first.id,
    second.id,
  ]);
  await untilKept(first, salesOf);
  // Another test's database may count as a change this time, but not every time.
  let made = true;
  for (let tries = 0; tries < 500 && made; tries += 1) {
    await untilKept(first, salesOf);
    made = (await watched(second, salesOf)).made;
  }
  expect(made).toBe(false);
  const other = await someone(app, { permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'], lastName: 'Other' });
  await untilKept(first, salesOf);
  expect((await salesOf(other)).code).toBe('FORBIDDEN');
});

it('is made anew in the next minute where the clock has a say', async () => {
  await untilKept(admin, salesOf);
  const until = async () => Temporal.Instant.from((await salesOf(admin)).data.numbers.previousUntil);
  const before = await until();
  app.clock.advance({ minutes: 1 });
  expect((await until()).since(before).total('minutes')).toBe(1);
});

it('is kept for the pages also after somebody sent many other texts', async () => {
  for (let count = 0; count < 40; count += 1)
    await app.gql(owner.token, `query Flood${count} ($id: ID!) { sprintStats(sprintId: $id) { weeks } }`, {
      id: sprintId,
    });
  await untilKept(admin);
});

test.each([
  ['query ($id: ID!) { sprintStats(sprintId: $id) { employees { recorded } totals { people } } }', true],
  ['{ sprintStats(sprintId: 1) { weeks } again: sprintStats(sprintId: 2) { weeks } }', true],
  ['{ sprintStats { weeks } }', false],
  ['{ sprintStats(sprintId: null) { weeks } }', false],
  ['{ sprintStats(sprintId: 1) { weeks sprint { phase } } }', false],
  ['{ sprintStats(sprintId: 1) { ...Parts } } fragment Parts on SprintStats { weeks }', false],
  ['query ($yes: Boolean!) { sprintStats(sprintId: 1) @include(if: $yes) { weeks } }', false],
  ['{ sprintStats(sprintId: 1) { weeks } myWeek { sprint { id } } }', false],
  ['mutation { withdrawTask(taskId: 1) { id } }', false],
  ['subscription { taskChanged { taskId } }', false],
  ['{ numbers(dataset: "orders", metrics: ["orders"], from: "2026-11-01", to: "2026-12-01") { rows { keys } } }', true],
])('only what the database alone decides is kept, or what the clock changes by the minute: %s', (query, policy) => {
  expect(cachePolicyOf(schema, parse(query)) !== null).toBe(policy);
});
