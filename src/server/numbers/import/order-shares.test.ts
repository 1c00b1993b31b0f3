import { afterAll, beforeAll, expect, test } from 'vitest';
import { FaultReport } from '#server/platform/imports/fault-report.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import type { NumberRow } from '../number-row.ts';
import { importNumbers } from './numbers-import.service.ts';
import { numbersMappings } from './numbers-mapping.ts';
import { withShares } from './order-shares.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

type Line = readonly [order: string, title: string, price: string, discount: string, refund: string, status?: string];

/** As a shop exports them: an order's discount and refund are on its first line. */
const lines: readonly Line[] = [
  ['#1', 'Lamp', '1800', '20', '150'],
  ['#1', 'Bulb', '100', '', ''],
  ['#1', 'Cable', '100', '', ''],
  ['#2', 'Bulb', '100', '10', '', 'refunded'],
  ['#3', 'Gift', '0', '0', '0'],
  ['#3', 'Cable', '50', '', ''],
];
const fields = {
  ...{ external_id: { hash: ['id'] }, product: { constant: 'codex' }, order_ref: 'order', title: 'title' },
  ...{ occurred_at: { constant: '2026-03-05' }, gross: 'price', discount: 'discount', refunded: 'refund' },
  status: { first: ['status', { constant: 'completed' }] },
};
const mapping = (divide?: readonly string[], given: object = fields) =>
  numbersMappings.orders.parse({ dataset: 'orders', source: 'shop', currency: 'USD', fields: given, divide });

/** Discounts and refunds by title, and all warnings. */
async function load(divide?: readonly string[]) {
  const report = await FaultReport.open(undefined);
  const { pool } = fresh.database;
  await pool.query('truncate orders, orders_totals, order_headers, orders_daily');
  const rows = (async function* () {
    for (const [index, [order, title, price, discount, refund, status = '']] of lines.entries()) {
      const row = { id: String(index), order, title, price, discount, refund, status };
      yield { line: index + 2, text: JSON.stringify(row), row };
    }
  })();
  const job = { database: fresh.database, dataset: 'orders' as const, zone: 'UTC', isDryRun: false };
  const counts = await importNumbers({ ...job, mapping: mapping(divide), report, rows });
  const amounts = await pool.query(`
    select title, sum(discount)::float8 / 10000 as discount, sum(refunded)::float8 / 10000 as refunded
    from orders group by title order by title`);
  return { counts, amounts: amounts.rows, warnings: report.groups.map(({ column, reason }) => `${column} ${reason}`) };
}

test('an order’s discount and refund are divided among its lines by gross, and totals stay', async () => {
  const asIs = await load();
  expect(asIs.amounts).toEqual([
    { title: 'Bulb', discount: 10, refunded: null },
    { title: 'Cable', discount: null, refunded: null },
    { title: 'Gift', discount: 0, refunded: 0 },
    { title: 'Lamp', discount: 20, refunded: 150 },
  ]);
  const { counts, amounts, warnings } = await load(['discount', 'refunded']);
  expect(amounts).toEqual([
    { title: 'Bulb', discount: 11, refunded: 7.5 },
    { title: 'Cable', discount: 1, refunded: 7.5 },
    { title: 'Gift', discount: 0, refunded: 0 },
    { title: 'Lamp', discount: 18, refunded: 135 },
  ]);
  expect(counts).toMatchObject({ rows: lines.length, inserted: lines.length });
  expect(warnings.filter((one) => one.includes('first line'))).toEqual([]);
});

const row = (order: string, values: NumberRow['values']): { read: NumberRow } => ({
  read: { externalId: '', labels: {}, texts: { discount: '0.33333' }, values: { order_ref: order, ...values } },
});
const discounts = (rows: readonly { read: NumberRow }[]) =>
  withShares({ divide: ['discount'] }, rows).map(({ values }) => values.discount ?? null);

test('shares add up to the amount, which stays where no line has gross or the status is another', () => {
  const thirds = [0, 1, 2].map(() => row('1', { gross: 10n, status: 'completed' }));
  const first = row('1', { gross: 10n, discount: 100n, status: 'completed' });
  expect(discounts([first, ...thirds.slice(1)])).toEqual([33n, 33n, 34n]);
  expect(discounts([first])).toEqual([100n]);
  expect(discounts([first, row('2', { gross: 10n, status: 'completed' })])).toEqual([100n, null]);
  expect(discounts([first, row('1', { gross: 10n, status: 'cancelled' })])).toEqual([100n, null]);
  const free = row('1', { gross: 0n, discount: 100n, status: 'completed' });
  expect(discounts([free, row('1', { gross: null, status: 'completed' })])).toEqual([100n, null]);
  expect(discounts([free, row('1', { gross: -5n, status: 'completed' }), ...thirds.slice(1)])).toEqual([
    0n,
    0n,
    50n,
    50n,
  ]);
});

test('a divided amount keeps no text of the source', () => {
  const [first] = withShares({ divide: ['discount'] }, [
    row('1', { gross: 1n, discount: 3n, status: 'completed' }),
    row('1', { gross: 2n, status: 'completed' }),
  ]);
  expect(first).toMatchObject({ values: { discount: 1n }, texts: {} });
});

test('dividing needs the order and its gross', () => {
  const { gross: _gross, ...others } = fields;
  expect(() => mapping(['discount'], others)).toThrow('needs rules for gross and order_ref');
  expect(() => mapping(['gross'])).toThrow();
});
