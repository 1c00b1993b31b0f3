// C5: calls that are sent more than once, because of a double-click or because the answer was lost. With one
// `Idempotency-Key` they do what one does.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../app.ts';
import { callsWithKey, upload } from '../house/keyed-calls.ts';
import { rounds } from '../sampling.ts';
import { added, type KeyedCall, keyedCalls, makeWorld, rowsOf, type World } from './keyed-calls.ts';
import { expectNone } from './rounds.ts';

let world: World;
let servers: readonly [TestApp, TestApp];

beforeAll(async () => {
  const one = await startTestApp();
  servers = [one, await startTestApp({ beside: one })];
  world = await makeWorld(one);
  while (!servers.every(({ parts }) => parts.settings().timeTracker)) await new Promise((wake) => setTimeout(wake, 5));
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop();
});

test('there is a call here of every mutation that takes a key', () => {
  expect([...Object.keys(keyedCalls), upload].sort()).toEqual(callsWithKey());
});

async function send(server: TestApp, { query, variables, as }: KeyedCall, key?: string) {
  const { token } = as === 'owner' ? world.owner : world.admin;
  const headers = { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) };
  const response = await server.call({ method: 'POST', url: '/graphql', headers, payload: { query, variables } });
  const { data, errors } = response.json();
  return { made: data?.it ?? null, code: errors?.[0].extensions.code ?? null };
}

/** What a call of this kind adds, sent once and without a key. */
async function addedOnce(name: string): Promise<Record<string, number>> {
  const call = await keyedCalls[name]!(world, `${name} alone`);
  const before = await rowsOf(world);
  expect(await send(servers[0], call)).toMatchObject({ code: null });
  return added(before, await rowsOf(world));
}

test.for(Object.keys(keyedCalls))(
  '%s: sent many times at once and again later it is made once',
  async (name, context) => {
    const once = { ...(await addedOnce(name)), idempotency_keys: 1 };
    // A new token takes the place of the one whose answer was lost, and that is worth a line in the logs and
    // a notification each time.
    const isSecret = name === 'createServiceToken';
    const [races, together] = [rounds(1, 20), rounds(6, 50)];
    const wrong: unknown[] = [];
    for (let round = 0; round < races; round++) {
      const call = await keyedCalls[name]!(world, `${name} ${round}`);
      const before = await rowsOf(world);
      const sent = Array.from({ length: together }, (_, index) => send(servers[index % 2]!, call, `${name}-${round}`));
      const answers = await Promise.all(sent);
      answers.push(await send(servers[1], call, `${name}-${round}`));
      const codes = answers.map(({ code }) => code);
      const made = new Set(answers.flatMap(({ made, code }) => (code === null ? [JSON.stringify(made)] : [])));
      const rows = added(before, await rowsOf(world));
      const times = codes.filter((code) => code === null).length;
      const expected = isSecret ? { ...once, ...timesAudited(once, times) } : once;
      const isRight = codes.at(-1) === null && codes.every((code) => code === null || code === 'STILL_RUNNING');
      if (!isRight || made.size !== 1 || JSON.stringify(rows) !== JSON.stringify(sorted(expected, rows)))
        wrong.push({ codes, made: [...made], rows, expected });
    }
    expectNone(context, 'C5', races * (together + 1), wrong);
  },
);

const toldAgain = /^(audit_.*|account_events|notices)$/;
const timesAudited = (once: Record<string, number>, times: number) =>
  Object.fromEntries(
    Object.entries(once).flatMap(([table, count]) => (toldAgain.test(table) ? [[table, count * times]] : [])),
  );

/** In the other's order, to compare them as text. */
const sorted = (expected: Record<string, number>, like: Record<string, number>) =>
  Object.fromEntries([...Object.keys(like), ...Object.keys(expected)].map((table) => [table, expected[table]]));

test('what was made is the answer also when something else was made since, and when it is gone it is not there', async () => {
  const first = await keyedCalls.createBonusPlan!(world, 'first');
  const made = await send(servers[0], first, 'plan-first');
  await send(servers[0], await keyedCalls.createBonusPlan!(world, 'second'));
  expect(await send(servers[1], first, 'plan-first')).toEqual(made);
  const time = await keyedCalls.addTime!(world, 'gone');
  const { made: entry } = await send(servers[0], time, 'time-gone');
  await servers[0].gql(world.admin.token, 'mutation ($id: ID!) { removeTime(id: $id) { id } }', { id: entry.id });
  expect(await send(servers[1], time, 'time-gone')).toMatchObject({ code: 'NOT_FOUND' });
});
