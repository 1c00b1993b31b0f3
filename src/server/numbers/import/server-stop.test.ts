// What happens to an undo and to an import that nobody waits for when their server stops.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/platform/config/config.ts';
import { createLog } from '#server/platform/log/log.ts';
import { startServer } from '#server/start-server.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import { openFolder } from '../../../../test/database-folder.ts';
import { makePerson, makeSession } from '../../../../test/people.ts';

const mapping = {
  dataset: 'payments',
  source: 'till',
  currency: 'EUR',
  fields: {
    external_id: 'id',
    attempted_at: 'when',
    order_ref: 'id',
    amount: 'amount',
    status: { constant: 'paid' },
  },
};

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

async function start() {
  const env = { DATABASE_URL: fresh.url, LINK_SECRET: '0123456789abcdef0123456789abcdef', PORT: '0' };
  const config = readConfig({ ...env, DATA_DIR: openFolder('server-stop') });
  const server = await startServer(config, createLog({ level: 'silent' }));
  const url = / is at (http:\S+)/.exec(server.greeting.join('\n'))?.[1] as string;
  const { pool } = fresh.database;
  const token = await makeSession(pool, await makePerson(pool, { role: 'admin' }), Temporal.Now.instant());
  const post = async (path: string, type: string, body: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    return (await answer.json()) as { run: string; data: unknown };
  };
  return {
    stop: () => server.stop(),
    gql: (query: string, variables: object) =>
      post('/graphql', 'application/json', JSON.stringify({ query, variables })),
    send: (query: string, ids: readonly number[]) => {
      const rows = ids.map((id) => `${id},2026-01-05 10:00,7`);
      return post(`/api/import/payments?mapping=till${query}`, 'text/csv', ['id,when,amount', ...rows].join('\n'));
    },
  };
}

test('both are ended before the database closes, and say that the server stopped', async () => {
  const { pool } = fresh.database;
  const { stop, gql, send } = await start();
  const save = 'mutation ($mapping: String!) { saveImportMapping(name: "till", mapping: $mapping) { name } }';
  await gql(save, { mapping: JSON.stringify(mapping) });
  const { run: done } = await send('', [1, 2]);
  // Every batch and undo of the dataset waits for this lock.
  const holder = await pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query("begin; select pg_advisory_xact_lock(hashtext('numbers'), hashtext('payments'))");
  await gql('mutation ($run: ID!) { undoImport(run: $run) { undoState } }', { run: done });
  const { run: begun } = await send('&wait=no', [3]);
  await stop();
  const { rows } = await pool.query(
    'select id::text, state, reason, undo_state, undo_reason from import_runs order by id',
  );
  expect(rows).toEqual([
    {
      ...{ id: done, state: 'done', reason: null },
      ...{ undo_state: 'failed', undo_reason: 'The server stopped. Try again' },
    },
    {
      ...{
        id: begun,
        state: 'stopped',
        reason: 'The server stopped. Import the file again: no row is counted twice',
      },
      ...{ undo_state: null, undo_reason: null },
    },
  ]);
  expect((await pool.query('select from payments')).rowCount).toBe(2);
  expect((await pool.query('select from work_slots')).rowCount).toBe(0);
});
