// Answers that are given again: to nobody who lost the right to them, and never when anything has changed.
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { prepareTask, type Someone, someone, staff } from '../../../test/task-fixtures.ts';
import { isKept } from './kept-answers.ts';
import { schema } from './schema.ts';

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
const asked = (who: Someone) => app.gql(who.token, counts, { sprintId });

/** The answer, and whether it was made for this call. */
async function watched(who: Someone) {
  const { drizzle } = app.database;
  const { execute } = drizzle;
  let made = false;
  drizzle.execute = ((...given: Parameters<typeof execute>) => {
    made = true;
    return execute.apply(drizzle, given);
  }) as typeof execute;
  try {
    return { ...(await asked(who)), made };
  } finally {
    drizzle.execute = execute;
  }
}

/** Other databases of the same cluster count as changes too, so it may take some calls. */
async function untilKept(who: Someone): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) if (!(await watched(who)).made) return;
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
])('only what the database alone decides is kept: %s', (query, kept) => {
  expect(isKept(schema, parse(query))).toBe(kept);
});
