// C17: the database takes a transaction back for the sake of another one, at each statement of a call. The
// caller sees it made once, or 503 and nothing made; never twice.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#server/platform/db/database.ts';
import { serverRole } from '#server/platform/db/server-role.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { rounds } from '../sampling.ts';
import { prepareTask } from '../task-fixtures.ts';
import { added, keyedCalls, makeWorld, rowsOf, type World } from './keyed-calls.ts';
import { expectNone } from './rounds.ts';
import { betweenStatements, failure } from './statements.ts';

let app: TestApp;
let failing: TestApp;
let ask: ReturnType<typeof betweenStatements>;
let closeFailing: () => Promise<void>;
let world: World;

beforeAll(async () => {
  app = await startTestApp();
  world = await makeWorld(app);
  const database = openDatabase({ url: app.databaseUrl, role: serverRole, poolSize: 2, log: console });
  ask = betweenStatements(database);
  failing = await startTestApp({ beside: { ...app, database } });
  while (!failing.parts.settings().timeTracker) await new Promise((wake) => setTimeout(wake, 5));
  closeFailing = async () => {
    await failing.stop();
    await database.close();
  };
});
afterAll(async () => {
  await closeFailing();
  await app.stop();
});

/** Changes to existing things, in addition to creations. */
const changes = {
  updateTask: async () => ({
    query: 'mutation ($id: ID!) { it: updateTask(id: $id, title: "Changed") { id } }',
    variables: { id: await prepareTask(app.database, { ownerId: world.admin.id, sprintId: world.sprintId }) },
  }),
  decideTasks: async () => ({
    query:
      'mutation ($id: ID!) { it: decideTasks(decisions: [{ taskId: $id, decision: approve, version: 1 }]) { ok code } }',
    variables: { id: await prepareTask(app.database, { ownerId: world.owner.id, sprintId: world.sprintId }) },
  }),
  setTop5: async (_world: World, mark: string) => ({
    query: 'mutation ($id: ID!) { it: setTop5(userId: $id, on: true) { id } }',
    variables: { id: await app.person({ email: `${mark.replaceAll(' ', '-')}@example.test` }) },
  }),
};

const calls = { ...keyedCalls, ...changes };
/** Each takes the transaction back as often: once, or until the server gives up. */
const failures = [
  { code: '40P01', times: 1 },
  { code: '40001', times: 3 },
  { code: '40001', times: Number.POSITIVE_INFINITY },
] as const;

type Tried = { readonly status: number; readonly code: string | null; readonly reached: string | null };

/** Sends the call while its nth statement fails, so often. */
async function trySending(
  name: keyof typeof calls,
  mark: string,
  n: number,
  kind: (typeof failures)[number],
): Promise<Tried & { rows: object }> {
  const { query, variables, as } = { as: undefined, ...(await calls[name]!(world, mark)) };
  const { token } = as === 'owner' ? world.owner : world.admin;
  const before = await rowsOf(world);
  let [statements, failed, isFailing] = [0, 0, false];
  let reached: string | null = null;
  ask(async (sql) => {
    if (sql === 'rollback') return undefined;
    statements += 1;
    // After the first time it is the same statement that fails, whatever its number is by then.
    if (statements === n) {
      reached = sql;
      isFailing = true;
    }
    if (!isFailing || sql !== reached || failed === kind.times) return undefined;
    failed += 1;
    return failure(kind.code);
  });
  const answer = await failing.gql(token, query, variables);
  ask(null);
  const code = answer.code ?? answer.data?.it?.[0]?.code ?? null;
  return { status: answer.status, code, reached, rows: added(before, await rowsOf(world)) };
}

test.for(Object.keys(calls) as (keyof typeof calls)[])(
  '%s is made once or not at all, whichever of its statements fails',
  async (name, context) => {
    const step = rounds(6, 1);
    const clean = await trySending(name, `${name} clean`, 0, failures[0]);
    expect(clean).toMatchObject({ status: 200, code: null });
    const wrong: unknown[] = [];
    let interleavings = 0;
    for (const [index, kind] of failures.entries()) {
      for (let n = 1 + (index % step); ; n += step) {
        const tried = await trySending(name, `${name} ${index} ${n}`, n, kind);
        if (tried.reached === null) break;
        interleavings += 1;
        const isMade = tried.code === null && JSON.stringify(tried.rows) === JSON.stringify(clean.rows);
        const isNothing = tried.code === 'UNAVAILABLE' && Object.keys(tried.rows).length === 0;
        if (!isMade && !isNothing) wrong.push({ n, ...kind, ...tried, expected: clean.rows });
      }
    }
    expectNone(context, 'C17', interleavings, wrong);
  },
);
