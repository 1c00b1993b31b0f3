import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queries } from '#server/platform/db/database.ts';
import { openReader, type Reader } from '#server/platform/db/reader.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { applyBatch } from './batch.store.ts';
import type { NumberRow } from './number-row.ts';

// Two databases with different rows: the answer shows which one was read.
let home: TestApp;
let server: TestApp;
let replica: FreshDatabase;
let reader: Reader;
let token: string;
const log = { info() {}, warn() {}, error() {} };

const row = (gross: bigint): NumberRow => ({
  externalId: '1',
  values: {
    product: 'connect',
    order_ref: '1',
    occurred_at: '2026-11-05T12:00:00Z',
    gross,
    currency: 'USD',
    status: 'completed',
  },
  labels: {},
  texts: {},
});

beforeAll(async () => {
  home = await startTestApp();
  replica = await freshDatabase();
  for (const [database, gross] of [
    [home.database, 10_000n],
    [replica.database, 70_000n],
  ] as const)
    await database.transaction((queries) =>
      applyBatch(queries, 'orders', [row(gross)], { zone: 'UTC', source: 'shop' }),
    );
  reader = openReader({ url: replica.url, database: home.database, log });
  server = await startTestApp({ beside: home, parts: { reader } });
  token = await server.signIn(await server.person({ role: 'admin' }));
});
afterAll(async () => {
  await server.stop();
  await reader.close();
  await home.stop();
});

const gross = async () => {
  const query =
    '{ numbers(dataset: "orders", scope: "connect", metrics: ["gross"], from: "2026-11-01", to: "2026-12-01") { totals } }';
  const { data, errors } = await server.gql(token, query);
  expect(errors).toBeUndefined();
  return data.numbers.totals[0];
};
const rows = async () => {
  const query =
    '{ numberRows(dataset: "orders", scope: "connect", metric: "gross", from: "2026-11-01", to: "2026-12-01") { rows { value } } }';
  return (await server.gql(token, query)).data.numberRows.rows[0].value;
};

test('numbers and their rows come from the replica, and who asks from the database that decides', async () => {
  expect(await gross()).toBe('7');
  expect(await rows()).toBe('7');
  await home.database.pool.query('update people set disabled_at = now()');
  expect((await server.gql(token, '{ __typename }')).status).toBe(401);
  await home.database.pool.query('update people set disabled_at = null');
});

test('a read that takes too long on the replica is not asked of the database too, which other reads still leave alone', async () => {
  const asked: Queries[] = [];
  const tooLong = reader.read((queries) => {
    asked.push(queries);
    return queries.execute(sql`select pg_cancel_backend(pg_backend_pid())`);
  });
  await expect(tooLong).rejects.toMatchObject({ cause: { code: '57014' } });
  expect(asked).toHaveLength(1);
  expect(await gross()).toBe('7');
});

test('while the replica cannot be asked the database answers', async () => {
  await replica.drop();
  expect(await gross()).toBe('1');
  expect(await rows()).toBe('1');
});
