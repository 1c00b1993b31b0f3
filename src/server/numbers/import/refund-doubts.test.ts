import { afterAll, beforeAll, expect, test } from 'vitest';
import { FaultReport } from '#server/platform/imports/fault-report.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import type { NumberRow } from '../number-row.ts';
import { NumberRowReader } from './number-row-reader.ts';
import { importNumbers } from './numbers-import.service.ts';
import { numbersMappings } from './numbers-mapping.ts';
import { OrderRefunds } from './order-refunds.ts';
import { doubtsOf } from './preview-doubts.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

type Line = Readonly<Record<'id' | 'order' | 'status' | 'amount', string> & { back?: string }>;
const fields = {
  ...{ external_id: 'id', product: { constant: 'codex' }, order_ref: 'order', status: 'status' },
  occurred_at: { constant: '2022-03-05' },
};
const amountsIn = (more: object, refunds?: 'full', negatives?: 'refunds') =>
  numbersMappings.orders.parse({
    ...{ dataset: 'orders', source: 'shop', currency: 'USD', fields: { ...fields, ...more } },
    ...(refunds && { refunds }),
    ...(negatives && { negatives }),
  });
const sold = (no: number, amount: string): Line => ({ id: `s${no}`, order: `o${no}`, status: 'completed', amount });
const returned = (no: number, amount: string): Line => ({ id: `r${no}`, order: `o${no}`, status: 'refunded', amount });
const sales = [sold(1, '100'), sold(2, '50'), sold(3, '20'), sold(4, '7.5')];
const positive = [returned(1, '15.98'), returned(2, '50'), returned(3, '4.5')];
const negative = positive.map((line) => ({ ...line, amount: `-${line.amount}` }));

async function load(lines: readonly Line[], mapping: ReturnType<typeof amountsIn>, isDryRun = false) {
  const report = await FaultReport.open(undefined);
  const given = lines.map((row, index) => ({ line: index + 2, text: JSON.stringify(row), row }));
  const rows = (async function* () {
    yield* given;
  })();
  const { refused } = await importNumbers({
    ...{ database: fresh.database, dataset: 'orders', mapping, report, zone: 'UTC', rows, isDryRun },
  });
  expect(refused).toBe(0);
  return report.groups.map(({ column, reason }) => `${column} ${reason}`);
}

/** What the first rows say, what a dry run says, and net sales and refunds after the import. */
async function outcome(lines: readonly Line[], mapping: ReturnType<typeof amountsIn>, before = sales) {
  const { pool } = fresh.database;
  await pool.query('truncate orders, orders_totals, order_headers, orders_daily');
  await load(before, amountsIn({ gross: 'amount' }));
  const reader = new NumberRowReader('orders', mapping, 'UTC');
  const read = lines.map((line) => reader.read(line) as NumberRow);
  const doubts = doubtsOf('orders', mapping, read).map(({ field, reason }) => `${field}: ${reason}`);
  const ran = await load(lines, mapping, true);
  expect(await load(lines, mapping)).toEqual(ran);
  const { rows } = await pool.query(
    `select sum(gross - coalesce(discount, 0) - refunded)::float8 / 10000 as net, sum(refunded)::float8 / 10000 as refunds
      from orders_totals where status in ('completed', 'refunded', 'adjustment')`,
  );
  return { doubts, ran, ...rows[0] };
}

test('a dry run says that amounts are already without their discount', async () => {
  const lines = ['100', '50', '20'].map((price, no) => ({
    ...sold(no, String(Number(price) - 5)),
    price,
    discount: '5',
  }));
  expect(await load(lines, amountsIn({ gross: 'price', discount: 'discount' }), true)).toEqual([]);
  expect(await load(lines, amountsIn({ gross: 'amount', discount: 'discount' }), true)).toEqual([
    expect.stringMatching(/^Gross is “price” − Discount in 3 of 3 rows/),
  ]);
});

const right = { net: 107.02, refunds: 70.48 };
const changedSign = { negate: 'amount' };

test.each([
  ['positive amounts as Gross', positive, { gross: 'amount' }],
  ['positive amounts as Gross and Refunded', positive, { gross: 'amount', refunded: 'amount' }],
  ['negative amounts as Gross and Refunded', negative, { gross: 'amount', refunded: changedSign }],
  ['negative amounts as Gross with the other sign', negative, { gross: changedSign }],
  ['negative amounts as Refunded', negative, { refunded: 'amount' }],
  ['no amount', positive, {}],
])('refunds with %s get a warning, and so they do if they are refunded in full', async (_, lines, amounts) => {
  for (const refunds of [undefined, 'full'] as const) {
    const { doubts, net } = await outcome(lines, amountsIn(amounts, refunds));
    expect(doubts).not.toEqual([]);
    expect(net).not.toBe(right.net);
  }
});

test.each([
  ['positive', positive, 'amount'],
  ['negative', negative, changedSign],
] as const)('%s amounts as Refunded are right, and no field is missing', async (_, lines, refunded) => {
  const mapping = amountsIn({ refunded });
  expect(await outcome(lines, mapping)).toEqual({ doubts: [], ran: [], ...right });
  // One row shows the sign of the refunded amount. Before a status is chosen, nothing is missing.
  expect(await outcome(lines.slice(0, 1), mapping)).toMatchObject({ doubts: [], net: 161.52 });
  const { status: _status, ...others } = mapping.fields;
  const unset = { ...mapping, fields: others };
  expect(doubtsOf('orders', unset, [{ externalId: '', labels: {}, texts: {}, values: { refunded: 1n } }])).toEqual([]);
});

/** Net sales are right, but Refunds and Refund rate aren’t. */
test('refunds with negative amounts as Gross are no refunds', async () => {
  const { doubts, net, refunds } = await outcome(negative, amountsIn({ gross: 'amount' }));
  expect({ net, refunds }).toEqual({ net: right.net, refunds: 0 });
  expect(doubts).toHaveLength(1);
});

test('each hint about a file of negative refunds leads to the right mapping', async () => {
  const right = 'Check “Negative amounts are refunds”';
  const asIs = await outcome(negative, amountsIn({ gross: 'amount' }));
  expect(asIs.doubts).toEqual([`gross: Gross has refunds as negative amounts. ${right}`]);
  expect(asIs.ran).toEqual([`Gross has refunds as negative amounts. ${right}`]);
  const { status: _status, ...others } = fields;
  const unset = { ...amountsIn({ gross: 'amount' }), fields: { ...others, gross: 'amount' } };
  const reader = new NumberRowReader('orders', unset, 'UTC');
  expect(
    doubtsOf(
      'orders',
      unset,
      negative.map((line) => reader.read(line) as NumberRow),
    )[0]!.reason,
  ).toBe(
    'Every amount is negative, so a rise would count as a fall. Choose “Flip sign”. If these are refunds, check “Negative amounts are refunds” instead',
  );
  const asRefunds = { ...unset, negatives: 'refunds' as const };
  const refunds = new NumberRowReader('orders', asRefunds, 'UTC');
  expect(
    doubtsOf(
      'orders',
      asRefunds,
      negative.map((line) => {
        refunds.read(line);
        return refunds.readable;
      }),
    ),
  ).toEqual([]);
  const added = await outcome(negative, amountsIn({ gross: changedSign }));
  const same = 'If other rows have the sales, choose that column for Refunded, and “Nothing” for Gross';
  expect(added.doubts).toEqual([`gross: Gross adds these refunds to sales. ${same}`]);
  const inFull = await outcome(negative, amountsIn({ gross: changedSign }, 'full'));
  const words = `Gross counts each refund as a sale too, so net sales don’t change. ${same}`;
  expect(inFull).toMatchObject({ doubts: [`gross: ${words}`], ran: [words] });
  expect((await outcome(positive, amountsIn({}))).doubts).toEqual([
    'refunded: No column is chosen, so these refunds won’t reduce net sales',
  ]);
});

test('a sale that changes to refunded in full is no doubt of the import', async () => {
  const changed = [{ ...sold(1, '100'), status: 'refunded' }];
  const { net, ran } = await outcome(changed, amountsIn({ gross: 'amount' }, 'full'));
  expect({ net, ran }).toEqual({ net: 77.5, ran: [] });
});

test('negative refunds among sales reduce sales once, or are said to count twice', async () => {
  const mixed = [...sales, ...negative];
  const words =
    'Gross is negative in 3 refunded rows, so they reduce gross sales but don’t count in Refunds and Refund rate. Check “Negative amounts are refunds”';
  expect(await outcome(mixed, amountsIn({ gross: 'amount' }), [])).toMatchObject({
    ...{ doubts: [`gross: ${words}`], ran: [words], net: right.net },
  });
  const refundedToo = { when: [{ value: 'status', equals: 'refunded' }], give: changedSign };
  const twice =
    'Gross is negative in 3 refunded rows, so they are subtracted twice. Check “Negative amounts are refunds”';
  expect(await outcome(mixed, amountsIn({ gross: 'amount', refunded: refundedToo }), [])).toMatchObject({
    ...{ doubts: [`gross: ${twice}`], ran: [twice], net: 36.54 },
  });
});

test('negative amounts become refunds by one choice, whatever their status and other fields say', async () => {
  const asSales = negative.map((line) => ({ ...line, status: 'completed' }));
  const expected = { ...right, doubts: [], ran: [] };
  const chosen = amountsIn({ gross: 'amount' }, undefined, 'refunds');
  for (const lines of [negative, asSales]) {
    expect(await outcome(lines, chosen)).toEqual(expected);
    expect(await outcome([...sales, ...lines], chosen, [])).toEqual(expected);
  }
  const refundedToo = { when: [{ value: 'status', equals: 'refunded' }], give: changedSign };
  const both = amountsIn({ gross: 'amount', refunded: refundedToo }, undefined, 'refunds');
  expect(await outcome([...sales, ...negative], both, [])).toEqual(expected);
  // A discount is paid back less, as 10 or -10.
  for (const back of ['1', '-1']) {
    const discounted = asSales.map((line) => ({ ...line, back }));
    const less = amountsIn({ gross: 'amount', discount: 'back' }, undefined, 'refunds');
    expect(await outcome(discounted, less)).toEqual({ ...expected, net: right.net + 3, refunds: right.refunds - 3 });
  }
});

test('adjustments reduce sales, so their sign is no doubt', async () => {
  const adjusted = negative.map((line) => ({ ...line, status: 'adjustment' }));
  expect(await outcome(adjusted, amountsIn({ gross: 'amount' }))).toMatchObject({ doubts: [], ran: [], net: 107.02 });
});

const lineOf = (id: string, order: string, amount: string, back: string): Line => ({
  ...{ id, order, amount, back, status: 'refunded' },
});

test('an order with its refunded amount on one line isn’t refunded in full by the others', async () => {
  const lines = [lineOf('1', '#1', '100', '150'), lineOf('2', '#1', '50', ''), lineOf('3', '#2', '20', '')];
  const inFull = amountsIn({ gross: 'amount', refunded: 'back' }, 'full');
  const shop = [...sales, ...lines];
  const asked = await outcome(shop, inFull, []);
  expect(asked).toMatchObject({ net: 177.5, refunds: 170 });
  expect(asked.ran).toEqual([expect.stringMatching(/^Refunded is blank, but an earlier line of the order has/)]);
  const { rows } = await fresh.database.pool.query('select refunded from orders where order_ref = $1 order by id', [
    '#1',
  ]);
  // Known, so it doesn’t count as missing.
  expect(rows.map(({ refunded }) => refunded)).toEqual(['1500000', '0']);
  // The row without an amount isn’t offered to be refunded in full.
  const asIs = await outcome([...sales, ...lines.slice(0, 2)], amountsIn({ gross: 'amount', refunded: 'back' }), []);
  expect(asIs).toMatchObject({ net: 177.5, refunds: 150 });
  expect(asIs.ran).toEqual([expect.stringContaining('it doesn’t count as an order. Use the status “completed”')]);
});

test('orders of two products with one number are two', () => {
  const refunds = new OrderRefunds({ refunds: 'full' });
  const line = { order_ref: '#1', currency: 'USD', status: 'refunded', gross: 100n };
  expect(refunds.take({ ...line, product: 'green', refunded: 100n })).toBeNull();
  const other = { ...line, product: 'codex', refunded: null as bigint | null };
  expect([refunds.take(other), other.refunded]).toEqual([null, 100n]);
  expect(refunds.take({ ...line, product: 'green', refunded: null })).toBe('amount');
});

test('a refunded amount after a line that was refunded in full is said to be subtracted too', async () => {
  const lines = [lineOf('1', '#1', '100', ''), lineOf('2', '#1', '50', '150')];
  const { net, ran } = await outcome(
    [...sales, ...lines],
    amountsIn({ gross: 'amount', refunded: 'back' }, 'full'),
    [],
  );
  expect({ net, ran }).toEqual({
    net: 77.5,
    ran: [expect.stringMatching(/^Refunded has an amount, but an earlier line of the order was treated as fully/)],
  });
});

test('net sales are only said not to change if they don’t', async () => {
  const both = { gross: 'amount', refunded: 'back' };
  const lines = [lineOf('1', '#1', '100', '150'), lineOf('2', '#2', '50', '50')];
  const [words] = (await outcome(lines, amountsIn(both), [])).ran.filter((one: string) => one.includes('a sale too'));
  expect(words).toMatch(/^Gross counts each refund as a sale too\. If other rows have the sales/);
});
