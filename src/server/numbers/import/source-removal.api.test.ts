// Removing all rows of a source, as an admin and by command.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { takeSlot } from '#server/platform/db/work-slots.ts';
import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { ordersMapping } from '../../../../test/number-fixtures.ts';
import { importing } from '../../../../test/people.ts';
import { countSource, forgetRuns } from '../batch.service.ts';
import { beginSourceRemoval } from './source-removal.service.ts';

const fileOf = (ids: readonly number[], gross = 2) =>
  ['id,when,gross', ...ids.map((id) => `${id},2026-01-0${(id % 9) + 1} 10:00,${gross}`)].join('\n');
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

let app: TestApp;
let admin: string;
let person: string;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn(await app.person({ role: 'admin', firstName: 'Ada', lastName: 'King' }));
  person = await app.signIn(await app.person({ permissions: importing }));
  const save =
    'mutation ($name: String!, $mapping: String!) { saveImportMapping(name: $name, mapping: $mapping) { name } }';
  for (const source of ['shop', 'till'])
    await app.gql(admin, save, { name: source, mapping: JSON.stringify(ordersMapping(source)) });
});
afterAll(() => app.stop());

const send = async (file: string, mapping: string, query = '') =>
  (
    await app.call({
      method: 'POST',
      url: `/api/import/orders?mapping=${mapping}&fileName=orders.csv${query}`,
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'text/csv' },
      payload: file,
    })
  ).json();
const sources = async () => (await app.gql(admin, '{ importSources { dataset source } }')).data.importSources;
const rowsOf =
  'query ($source: String!) { importSourceRows(dataset: "orders", source: $source) { rows hasMore firstDay lastDay } }';
const removing =
  'mutation ($source: String!) { removeImportSource(dataset: "orders", source: $source) { id state way startedBy } }';
const runQuery = 'query ($id: ID!) { importRun(id: $id) { state rows reason canUndo undoState waitsFor } }';
const standOf = async (id: string) => (await app.gql(admin, runQuery, { id })).data.importRun;

async function remove(source: string) {
  const { data, code } = await app.gql(admin, removing, { source });
  expect(code).toBeNull();
  const { id } = data.removeImportSource;
  await expect.poll(async () => (await standOf(id)).state).not.toBe('running');
  return { ...(await standOf(id)), id };
}

/** Rows and amount as stored, and as each roll-up has them. */
const stored = async () =>
  (
    await app.database.pool.query(
      `select (select count(*) from orders)::int as rows, (select coalesce(sum(gross), 0) from orders)::int as amount,
        (select coalesce(sum(row_count), 0) from orders_daily)::int as daily,
        (select coalesce(sum(gross), 0) from orders_daily)::int as summed,
        (select count(*) from orders_daily where row_count = 0)::int as empty,
        (select coalesce(sum(row_count), 0) from order_headers_daily)::int as orders`,
    )
  ).rows[0];
const holds = (rows: number) => {
  const amount = rows * 20_000;
  return { rows, amount, daily: rows, summed: amount, empty: 0, orders: rows };
};

test('nobody but an admin sees or removes a source, and a source without rows isn’t one', async () => {
  await send(fileOf([1]), 'till');
  for (const [query, variables] of [
    ['{ importSources { source } }', {}],
    [rowsOf, { source: 'till' }],
    [removing, { source: 'till' }],
  ] as const)
    expect((await app.gql(person, query, variables)).code).toBe('FORBIDDEN');
  expect((await app.gql(admin, rowsOf, { source: 'none' })).data.importSourceRows).toMatchObject({ rows: 0 });
  expect((await app.gql(admin, removing, { source: 'none' })).code).toBe('NOT_FOUND');
  const odd = removing.replace('"orders"', '"sheep"');
  expect((await app.gql(admin, odd, { source: 'till' })).code).toBe('BAD_INPUT');
  expect(await stored()).toEqual(holds(1));
});

test('all rows of the source go with their sums, it is audited, and nothing of it can be undone', async () => {
  const ids = upTo(9_000);
  const { run } = await send(fileOf(ids), 'shop');
  const { run: again } = await send(fileOf(ids.slice(0, 9), 3), 'shop');
  expect(await sources()).toEqual([
    { dataset: 'orders', source: 'shop' },
    { dataset: 'orders', source: 'till' },
  ]);
  const counted = await app.gql(admin, rowsOf, { source: 'shop' });
  expect(counted.data.importSourceRows).toEqual({
    ...{ rows: 9_000, hasMore: false, firstDay: '2026-01-01', lastDay: '2026-01-09' },
  });
  const upToLimit = await countSource(app.database.drizzle, 'orders', 'shop', 8_999);
  expect(upToLimit).toEqual({ rows: 8_999, hasMore: true, firstDay: null, lastDay: null });
  const asOf = async () => (await app.database.pool.query('select as_of from number_states')).rows;
  const before = await asOf();
  const removed = await remove('shop');
  expect(removed).toMatchObject({ state: 'done', rows: 9_000, reason: null, canUndo: false });
  expect(await stored()).toEqual(holds(1));
  expect(await asOf()).toEqual(before);
  for (const id of [run, again]) expect(await standOf(id)).toMatchObject({ canUndo: false, undoState: null });
  for (const table of ['import_changes', 'import_matches', 'import_totals'])
    expect(
      (await app.database.pool.query(`select from ${table} where run_id = any($1)`, [[run, again]])).rowCount,
    ).toBe(0);
  const audit = await app.database.pool.query(
    "select after from audit_log where action = 'sourceRemoved' and subject_id = $1",
    [removed.id],
  );
  expect(audit.rows).toEqual([{ after: { dataset: 'orders', source: 'shop', rows: 9_000 } }]);
  expect(await sources()).toEqual([{ dataset: 'orders', source: 'till' }]);
  // The rows are nowhere: another source may bring the file, and the same one too.
  expect(await send(fileOf(ids.slice(0, 9), 3), 'shop')).toMatchObject({ state: 'done', inserted: 9 });
  await remove('shop');
  expect(await stored()).toEqual(holds(1));
});

test('it waits for an import of the source, and later ones wait for it; stopped, it removes nothing', async () => {
  await send(fileOf([21, 22]), 'shop');
  const holder = await app.database.pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query("begin; select pg_advisory_xact_lock(hashtext('numbers'), hashtext('orders'))");
  const { run: first } = await send(fileOf([23]), 'shop', '&wait=no');
  const { data } = await app.gql(admin, removing, { source: 'shop' });
  expect(data.removeImportSource).toMatchObject({ state: 'running', way: 'removal', startedBy: 'Ada King' });
  const { id } = data.removeImportSource;
  await expect.poll(async () => (await standOf(id)).waitsFor).toBe('the import of orders.csv');
  await app.gql(admin, 'mutation ($run: ID!) { stopImport(run: $run) { id } }', { run: id });
  await expect.poll(async () => (await standOf(id)).state).toBe('stopped');
  await holder.query('rollback');
  await expect.poll(async () => (await standOf(first)).state).toBe('done');
  expect(await stored()).toEqual(holds(4));

  await holder.query("begin; select pg_advisory_xact_lock(hashtext('numbers'), hashtext('orders'))");
  const { id: second } = (await app.gql(admin, removing, { source: 'shop' })).data.removeImportSource;
  // Sent twice, it starts once.
  const twice = await app.gql(admin, removing, { source: 'shop' });
  expect(twice.data.removeImportSource.id).toBe(second);
  const { run: last } = await send(fileOf([24]), 'shop', '&wait=no');
  await expect.poll(async () => (await standOf(last)).waitsFor).toBe('the removal of a source');
  await holder.query('rollback');
  await expect.poll(async () => (await standOf(last)).state).toBe('done');
  expect(await standOf(second)).toMatchObject({ state: 'done', rows: 3 });
  // Only the import after it is left.
  expect(await stored()).toEqual(holds(2));
});

test('one that fails in the middle removes nothing', async () => {
  const { database, clock } = app;
  await send(fileOf(upTo(9_000).map((id) => id + 100)), 'shop');
  const before = await stored();
  const stopping = new AbortController();
  const remover = { database, clock, viewer: null, zone: 'UTC', requestId: 'test', address: 'test' };
  const removal = await beginSourceRemoval(remover, { dataset: 'orders', source: 'shop' }, stopping);
  stopping.abort(new Error('broken'));
  await expect(removal.run()).rejects.toThrow('broken');
  expect(await stored()).toEqual(before);
  expect(await standOf(removal.id)).toMatchObject({
    state: 'failed',
    rows: 0,
    reason: 'The server had an error. Nothing was removed. Try again',
  });
});

test('a file whose rows were removed with their source may come from another one', async () => {
  const file = fileOf([77, 78, 79]);
  await send(file, 'shop');
  expect((await send(file, 'till')).error.code).toBe('SAME_FILE');
  await remove('shop');
  expect(await send(file, 'till')).toMatchObject({ state: 'done', inserted: 3 });
});

test('asked for several times at once, it starts once', async () => {
  await send(fileOf([81]), 'shop');
  const answers = await Promise.all([1, 2, 3, 4].map(() => app.gql(admin, removing, { source: 'shop' })));
  const runs = new Set(answers.flatMap(({ data }) => data?.removeImportSource.id ?? []));
  expect(runs.size).toBe(1);
  for (const id of runs) await expect.poll(async () => (await standOf(id)).state).toBe('done');
});

test('imports of other sources don’t keep it from starting, and it waits for another removal', async () => {
  await send(fileOf([91]), 'shop');
  const slots = await Promise.all([1, 2].map(() => takeSlot(app.database, 'import')));
  onTestFinished(() => Promise.all(slots.map(({ release }) => release())).then(() => {}));
  const other = await takeSlot(app.database, 'sourceRemoval');
  const { id } = (await app.gql(admin, removing, { source: 'shop' })).data.removeImportSource;
  await sleep(700);
  expect(await standOf(id)).toMatchObject({ state: 'running', rows: 0 });
  await other.release();
  await expect.poll(async () => (await standOf(id)).state).toBe('done');
});

test('what a run changed is forgotten in pieces, and can be stopped between them', async () => {
  const { run } = await send(fileOf([95]), 'shop');
  const { database } = app;
  await database.pool.query(
    'insert into import_changes (run_id, first_id, last_id) select $1, -n, -n from generate_series(1, 45000) n',
    [run],
  );
  let steps = 0;
  await database.transaction((queries) => forgetRuns(queries, [run], () => (steps += 1)));
  expect(steps).toBeGreaterThanOrEqual(5);
  expect((await database.pool.query('select from import_changes where run_id = $1', [run])).rowCount).toBe(0);
});
