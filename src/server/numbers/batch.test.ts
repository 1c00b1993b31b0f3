import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatasetKey, datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { randomRow, sampleRows } from '../../../test/number-fixtures.ts';
import { applyBatch, ZoneChanged } from './batch.store.ts';
import type { NumberRow } from './number-row.ts';
import { rebuildRollUps } from './roll-ups.store.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const zone = 'Europe/Berlin';
const apply = (dataset: DatasetKey, rows: readonly NumberRow[], source = 'shop') =>
  fresh.database.transaction((queries) => applyBatch(queries, dataset, rows, { zone, source }));

const clear = async (dataset: DatasetKey) => {
  for (const table of keptTables(dataset)) await fresh.database.pool.query(`delete from ${table}`);
  await fresh.database.pool.query(`delete from ${dataset}; delete from number_states`);
};

/** The tables an import updates in addition to the rows. */
const keptTables = (dataset: DatasetKey): string[] => [
  ...datasetOf(dataset).rollUps.map(({ name }) => `${dataset}_${name}`),
  ...(dataset === 'orders' ? ['order_headers', 'order_headers_daily'] : []),
  ...(dataset === 'donations' ? ['first_gifts'] : []),
];

const contents = async (table: string) => {
  const { rows } = await fresh.database.pool.query(`select to_jsonb(t)::text as row from ${table} t order by 1`);
  return rows.map(({ row }) => row);
};

test('rows whose days were counted in another zone are refused until the roll-ups are rebuilt', async () => {
  await apply('conversations', [
    { externalId: '1', values: { opened_at: '2026-01-01T23:30:00Z' }, labels: {}, texts: {} },
  ]);
  const inOtherZone = () =>
    fresh.database.transaction((queries) => applyBatch(queries, 'conversations', [], { zone: 'UTC', source: 'shop' }));
  await expect(inOtherZone()).rejects.toThrow(ZoneChanged);
  expect((await fresh.database.pool.query('select day from conversations_daily')).rows).toEqual([
    { day: '2026-01-02' },
  ]);
  await rebuildRollUps(fresh.url, 'conversations', 'UTC');
  expect((await fresh.database.pool.query('select day from conversations_daily')).rows).toEqual([
    { day: '2026-01-01' },
  ]);
  expect(await inOtherZone()).toEqual({ inserted: 0, updated: 0, unchanged: 0 });
  await clear('conversations');
});

test('a dataset without rows follows a new zone', async () => {
  await apply('conversations', []);
  const inOtherZone = { zone: 'UTC', source: 'shop' };
  await fresh.database.transaction((queries) => applyBatch(queries, 'conversations', [], inOtherZone));
  const { rows } = await fresh.database.pool.query('select dataset, zone from number_states');
  expect(rows).toEqual([{ dataset: 'conversations', zone: 'UTC' }]);
  await clear('conversations');
});

test('a row dated to a day stays on it in every zone, also after a rebuild', async () => {
  const values = { opened_at: '2026-01-02T00:00:00+01:00' };
  const times = { ...values, resolved_at: '2026-01-03T00:00:00+01:00', closed_at: '2026-01-03T00:00:00+01:00' };
  const texts = { resolved_at: '2026-01-03' };
  await apply('conversations', [{ externalId: '1', values: times, labels: {}, texts, isDayOnly: true }]);
  const stored = async () =>
    (await fresh.database.pool.query('select day, hour, opened_at, resolved_at, closed_at from conversations')).rows;
  const closed = { closed_at: '2026-01-02T23:00:00.000Z' };
  expect(await stored()).toEqual([
    { day: '2026-01-02', hour: null, opened_at: '2026-01-01T23:00:00.000Z', resolved_at: closed.closed_at, ...closed },
  ]);
  await rebuildRollUps(fresh.url, 'conversations', 'America/Lima');
  const [opened_at, resolved_at] = ['2026-01-02T05:00:00.000Z', '2026-01-03T05:00:00.000Z'];
  expect(await stored()).toEqual([{ day: '2026-01-02', hour: null, opened_at, resolved_at, ...closed }]);
  expect((await fresh.database.pool.query('select day from conversations_daily')).rows).toEqual([
    { day: '2026-01-02' },
  ]);
  await clear('conversations');
});

test('a batch that comes again changes nothing, and a corrected row replaces the old one', async () => {
  const row = (externalId: string, gross: bigint): NumberRow => ({
    externalId,
    values: {
      product: 'connect',
      order_ref: '7',
      occurred_at: '2026-01-01T12:00:00Z',
      gross,
      currency: 'USD',
      status: 'completed',
    },
    labels: {},
    texts: {},
  });
  expect(await apply('orders', [row('1', 10_000n), row('2', 20_000n)])).toEqual({
    inserted: 2,
    updated: 0,
    unchanged: 0,
  });
  expect(await apply('orders', [row('1', 10_000n), row('2', 20_000n)])).toEqual({
    inserted: 0,
    updated: 0,
    unchanged: 2,
  });
  expect(await apply('orders', [row('2', 25_000n)])).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
  expect(await apply('orders', [row('2', 25_000n)], 'other shop')).toEqual({ inserted: 1, updated: 0, unchanged: 0 });
  const { rows } = await fresh.database.pool.query('select row_count, gross from orders_daily');
  expect(rows).toEqual([{ row_count: '3', gross: '60000' }]);
  expect((await fresh.database.pool.query('select row_count from order_headers_daily')).rows).toEqual([
    { row_count: '1' },
  ]);
  await clear('orders');
});

test('of an order’s first lines, one with a country counts the order', async () => {
  const line = (externalId: string, country: string | null): NumberRow => ({
    externalId,
    values: {
      ...{ product: 'connect', order_ref: '7', occurred_at: '2026-01-01T12:00:00Z', currency: 'USD' },
      ...{ status: 'completed', country },
    },
    labels: {},
    texts: {},
  });
  const countries = async () =>
    (await fresh.database.pool.query('select country, row_count from order_headers_daily order by 1')).rows;
  await clear('orders');
  await apply('orders', [line('1', null), line('2', 'US'), line('3', null)]);
  expect(await countries()).toEqual([{ country: 'US', row_count: '1' }]);
  await apply('orders', [line('2', null), line('3', 'FR')]);
  expect(await countries()).toEqual([{ country: 'FR', row_count: '1' }]);
  await rebuildRollUps(fresh.url, 'orders', zone);
  expect(await countries()).toEqual([{ country: 'FR', row_count: '1' }]);
  await clear('orders');
});

test.each(datasetKeys)('%s: what batches and corrections keep is what a rebuild makes', async (dataset) => {
  const batches = fc.array(fc.tuple(fc.array(randomRow(dataset), { maxLength: 8 }), fc.constantFrom('shop', 'till')), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(batches, async (imports) => {
      await clear(dataset);
      for (const [rows, source] of imports) await apply(dataset, rows, source);
      const kept = await Promise.all(keptTables(dataset).map(contents));
      await rebuildRollUps(fresh.url, dataset, zone);
      expect(await Promise.all(keptTables(dataset).map(contents))).toEqual(kept);
    }),
    { numRuns: 15 },
  );
});

test('two imports at once and either order of arrival end with the same headers', async () => {
  const rows = sampleRows('orders', 60, {});
  const orders = async () =>
    (
      await fresh.database.drizzle.execute(sql`
      select h.product, h.currency, h.order_ref, l.external_id, h.is_first from order_headers h join orders l on l.id = h.line_id order by 1, 2, 3`)
    ).rows;
  await clear('orders');
  await apply('orders', rows);
  const atOnce = await orders();
  await clear('orders');
  await Promise.all([apply('orders', rows.slice(30).reverse()), apply('orders', rows.slice(0, 40))]);
  expect(await orders()).toEqual(atOnce);
  expect(atOnce.length).toBeGreaterThan(5);
});

test('a batch waits longer for another one, or for an undo, than a statement may take', async () => {
  await clear('orders');
  const holder = await fresh.database.pool.connect();
  await holder.query('begin');
  await holder.query(`select pg_advisory_xact_lock(hashtext('numbers'), hashtext('orders'))`);
  const waiting = fresh.database.transaction(async (queries) => {
    await queries.execute(sql`set local statement_timeout = 100`);
    const asked = applyBatch(queries, 'orders', [], { zone, source: 'shop' });
    await queries.execute(sql`select 1`);
    setTimeout(() => void holder.query('rollback').then(() => holder.release()), 400);
    return asked;
  });
  expect(await waiting).toEqual({ inserted: 0, updated: 0, unchanged: 0 });
});
