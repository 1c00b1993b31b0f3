// The numbers of the tiles, each from a few rows whose result can be checked by hand.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboards } from '#core/numbers/dashboards.ts';
import { type DatasetKey, datasetKeys } from '#core/numbers/datasets.ts';
import { leftOutLeaves } from '#core/numbers/metric-value.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { applyBatch } from './batch.store.ts';
import type { NumberRow, NumberValue } from './number-row.ts';
import { leafSources } from './numbers.store.ts';

let server: TestApp;
let admin: string;

type Values = Record<string, NumberValue>;
const usd = { currency: 'USD' };
const at = (day: number, hour = 12) =>
  `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`;

const line = (order: string, day: number, customer: string | null): Values => ({
  ...{ product: 'connect', order_ref: order, occurred_at: at(day), status: 'completed', ...usd },
  ...{ customer_ref: customer, gross: 10_0000n, quantity: 1 },
});
/** Without customers, discounts and refunds; a refund years ago, one in the month before, and a zero. */
const plain = (product: string, more: Values = {}): Values => ({ ...line('1', 3, null), product, ...more });
const refund = (product: string, occurred_at: string): Values =>
  plain(product, { occurred_at, status: 'refunded', gross: null, refunded: 3_0000n });
const plainLines = [
  ...[plain('green'), refund('green', '2020-11-03T12:00:00Z')],
  ...[plain('codex'), refund('codex', '2026-10-03T12:00:00Z')],
  plain('bgp', { refunded: 0n, discount: 0n }),
  // Refunds of sales whose gross nobody knows.
  plain('connect', { gross: null, currency: 'CAD' }),
  plain('connect', { gross: null, refunded: 3_0000n, status: 'refunded', currency: 'CAD' }),
];
const gift = (amount: bigint, fee: bigint, recurring: boolean, more: Values = {}): Values => ({
  ...{ cause: 'who-lives', donated_at: at(3), amount, fee, recurring, status: 'completed', ...usd, ...more },
});
const activity = (status: string, commission: bigint): Values => ({
  affiliate: 'a',
  day: '2026-11-03',
  status,
  commission,
  ...usd,
});
/** Opened at midnight; the hours until the first response and the resolution. */
const conversation = (response: number, resolution: number | null, more: Values): Values => ({
  opened_at: at(3, 0),
  first_response_at: at(3, response),
  resolved_at: resolution === null ? null : at(3, resolution),
  ...more,
});
const attempt = (method: string, amount: bigint): Values => ({
  ...{ product: 'connect', attempted_at: at(3), order_ref: method, method, status: 'paid', amount, currency: 'CHF' },
});
const payout = (days: number): Values => ({
  ...{ kind: 'grant', dated_at: at(3), due_at: at(3), paid_at: at(3 + days), amount: 1_0000n, status: 'paid', ...usd },
});

const rowsOf: Partial<Record<DatasetKey, Values[]>> = {
  // Two first orders among four of known customers; one of nobody known.
  orders: [
    line('1', 3, 'ann'),
    line('2', 4, 'ann'),
    line('3', 5, 'ben'),
    line('4', 6, 'ben'),
    line('5', 7, null),
    ...plainLines,
  ],
  // 100 of which 5 are fees; 25 recurring. Refunded and pending gifts count nowhere.
  donations: [
    gift(75_0000n, 4_0000n, false),
    gift(25_0000n, 1_0000n, true),
    gift(9_0000n, 1_0000n, true, { status: 'refunded' }),
    gift(9_0000n, 1_0000n, true, { status: 'pending' }),
    gift(50_0000n, 0n, false, { cause: 'free-a-girl', fee: null, recurring: null }),
  ],
  affiliate_activity: [
    activity('approved', 30_0000n),
    activity('approved', 5_5000n),
    activity('paid', 40_0000n),
    activity('pending', 14_5000n),
    activity('reversed', 10_0000n),
  ],
  conversations: [
    conversation(1, 2, { reopened: 1, satisfaction: 5 }),
    conversation(2, 4, { reopened: 0, satisfaction: 1 }),
    conversation(3, 6, { reopened: 2 }),
    conversation(4, 8, {}),
    conversation(9, null, {}),
  ],
  payouts: [payout(0), payout(1), payout(2), payout(3), payout(8)],
  // One of two orders is paid, at the second attempt.
  payments: [
    { ...attempt('1', 1_0000n), ...usd, status: 'failed' },
    { ...attempt('1', 1_0000n), ...usd, attempted_at: at(3, 13) },
    { ...attempt('2', 1_0000n), ...usd, status: 'failed' },
  ],
};

beforeAll(async () => {
  server = await startTestApp({ env: { COMPANY_TIME_ZONE: 'UTC' } });
  admin = await server.signIn(await server.person({ role: 'admin' }));
  for (const [dataset, values] of Object.entries(rowsOf)) {
    const rows = values.map(
      (row, index): NumberRow => ({ externalId: `${index}`, values: row, labels: {}, texts: {} }),
    );
    await server.database.transaction((queries) =>
      applyBatch(queries, dataset as DatasetKey, rows, { zone: 'UTC', source: 'shop' }),
    );
  }
});
afterAll(() => server.stop());

const query = `query ($dataset: String!, $metrics: [String!]!, $scope: String) {
  numbers(dataset: $dataset, metrics: $metrics, scope: $scope, from: "2026-11-01", to: "2026-12-01") { totals }
}`;

test.each<[DatasetKey, string | null, Record<string, string>]>([
  ['orders', 'connect', { new_customer_share: '50' }],
  ['donations', 'who-lives', { net_of_fees: '95', recurring_share: '25', average_gift: '50', gifts: '2' }],
  ['affiliate_activity', null, { liability: '35.5', reversal_rate: '11.6959' }],
  [
    'conversations',
    null,
    {
      net_flow: '1',
      // Two of the three whose reopenings are known.
      reopened_rate: '66.6667',
      response_rate: '40',
      satisfaction: '50',
      // 4 + 0.6 x (9 - 4) of five; 6 + 0.7 x (8 - 6) of four.
      first_response_p90: '7',
      resolution_p90: '7.4',
    },
  ],
  // 3 + 0.6 x (8 - 3) of five.
  ['payouts', null, { days_to_pay: '2', days_to_pay_p90: '6' }],
  ['payments', null, { success_deduplicated: '50', recovered_orders: '1' }],
])('%s has its tiles’ numbers', async (dataset, scope, expected) => {
  const metrics = Object.keys(expected);
  const shown = JSON.stringify(dashboards[dataset]);
  expect(metrics.filter((metric) => !shown.includes(`"${metric}"`))).toEqual([]);
  const { data, errors } = await server.gql(admin, query, { dataset, scope, metrics });
  expect(errors).toBeUndefined();
  expect(Object.fromEntries(metrics.map((metric, index) => [metric, data.numbers.totals[index]]))).toEqual(expected);
});

test.each<[DatasetKey, string | null, Record<string, string | null>]>([
  [
    'donations',
    'free-a-girl',
    {
      ...{ gifts: '1', gross: '50', donors: null, new_donors: null, retention: null },
      ...{ fees: null, net_of_fees: null, recurring_gross: null, one_off_gross: null, recurring_share: null },
    },
  ],
  // Net sales counts a source's missing discounts and refunds as none.
  [
    'orders',
    'green',
    {
      ...{ net_sales: '10', average_order: '10', orders: '1', discounts: null, refunds: null, refund_rate: null },
      ...{ known_orders: null, new_orders: null, returning_orders: null, cancelled_lines: '0' },
    },
  ],
  ['orders', 'codex', { refunds: '0', refund_rate: '0', discounts: null }],
  ['orders', 'bgp', { refunds: '0', refund_rate: '0', discounts: '0' }],
  ['affiliate_activity', null, { liability: '35.5', clicks: null, net_revenue: null, cost: null }],
  ['conversations', null, { sla_met: null, sla_known: null, reopened: '2', reopened_known: '3' }],
  ['payouts', null, { fees: null, fee_rate: null, duplicates: null, failed: '0' }],
])('what no row of %s %s has is unknown instead of zero', async (dataset, scope, expected) => {
  const metrics = Object.keys(expected);
  const { data, errors } = await server.gql(admin, query, { dataset, scope, metrics });
  expect(errors).toBeUndefined();
  expect(Object.fromEntries(metrics.map((metric, index) => [metric, data.numbers.totals[index]]))).toEqual(expected);
});

test('a metric of two fields counts only rows that give both, and a share only rows with the answer', async () => {
  const more: Partial<Record<DatasetKey, Values[]>> = {
    affiliate_activity: [
      {
        ...activity('paid', 5_0000n),
        impressions: 50n,
        clicks: 10n,
        conversions: 1n,
        sales: 50_0000n,
        currency: 'NOK',
      },
      { ...activity('paid', 900_0000n), currency: 'NOK' },
      { ...activity('paid', 0n), commission: null, clicks: 1_000n, sales: 9_000_0000n, currency: 'NOK' },
    ],
    donations: [
      gift(10_0000n, 0n, true, { currency: 'NOK' }),
      gift(30_0000n, 0n, false, { currency: 'NOK' }),
      gift(60_0000n, 0n, false, { currency: 'NOK', recurring: null }),
    ],
  };
  for (const [dataset, values] of Object.entries(more))
    await server.database.transaction((queries) =>
      applyBatch(
        queries,
        dataset as DatasetKey,
        values.map((row, index) => ({ externalId: `b${index}`, values: row, labels: {}, texts: {} })),
        { zone: 'UTC', source: 'both' },
      ),
    );
  const totals = async (dataset: DatasetKey, scope: string | null, metrics: readonly string[]) => {
    const asked = `query ($dataset: String!, $metrics: [String!]!, $scope: String) { numbers(dataset: $dataset, metrics: $metrics,
      scope: $scope, currency: "NOK", from: "2026-11-01", to: "2026-12-01") { totals } }`;
    return (await server.gql(admin, asked, { dataset, scope, metrics })).data.numbers.totals;
  };
  const affiliates = ['epc', 'net_revenue', 'conversion_rate', 'clicks', 'rows_with_earnings', 'activity'];
  expect(await totals('affiliate_activity', null, affiliates)).toEqual(['0.5', '45', '10', '1010', '1', '3']);
  const rates = ['click_rate', 'impressions', 'rows_with_impressions'];
  expect(await totals('affiliate_activity', null, rates)).toEqual(['20', '50', '1']);
  const gifts = ['recurring_share', 'one_off_gross', 'recurring_gross', 'gross', 'gifts_with_recurrence'];
  expect(await totals('donations', 'who-lives', gifts)).toEqual(['25', '30', '10', '100', '2']);
});

test('refunds alone do not make net sales: without any gross they are unknown', async () => {
  const metrics = ['refunds', 'net_sales', 'average_order', 'refund_rate', 'orders'];
  const asked = `query ($metrics: [String!]!) { numbers(dataset: "orders", scope: "connect", currency: "CAD", metrics: $metrics,
    from: "2026-11-01", to: "2026-12-01", by: ["status"]) { totals rows { keys values } } }`;
  const { numbers } = (await server.gql(admin, asked, { metrics })).data;
  expect(numbers.totals).toEqual(['3', null, null, null, '1']);
  expect(numbers.rows.every(({ values }: { values: (string | null)[] }) => values[1] === null)).toBe(true);
});

test('a payer or a method without fees, an affiliate without sales and a title without quantities have dashes beside others', async () => {
  const more: Partial<Record<DatasetKey, Values[]>> = {
    payouts: [
      { ...payout(1), payer: 'With', fee: 1_000n, currency: 'CHF' },
      { ...payout(1), payer: 'Free', fee: 0n, currency: 'CHF' },
      { ...payout(1), payer: 'Without', currency: 'CHF' },
    ],
    affiliate_activity: [
      { ...activity('paid', 1_0000n), affiliate: 'With', sales: 9_0000n, currency: 'CHF' },
      { ...activity('paid', 1_0000n), affiliate: 'Without', currency: 'CHF' },
    ],
    payments: [{ ...attempt('With', 1_0000n), fee: 300n }, attempt('Without', 9_0000n)],
    orders: [
      { ...line('c1', 3, null), title: 'With', currency: 'CHF', refunded: 1_0000n },
      { ...line('c2', 3, null), title: 'Without', currency: 'CHF', quantity: null },
    ],
  };
  for (const [dataset, values] of Object.entries(more))
    await server.database.transaction((queries) =>
      applyBatch(
        queries,
        dataset as DatasetKey,
        values.map((row, index) => ({ externalId: `g${index}`, values: row, labels: {}, texts: {} })),
        { zone: 'UTC', source: 'groups' },
      ),
    );
  const asked = `query ($dataset: String!, $scope: String, $metrics: [String!]!, $by: [String!], $filters: [NumberFilter!]) {
    numbers(dataset: $dataset, scope: $scope, currency: "CHF", metrics: $metrics, by: $by, filters: $filters,
      from: "2026-11-01", to: "2026-12-01") { totals rows { keys values } } }`;
  type Row = { keys: string[]; values: (string | null)[] };
  const ask = async (variables: object) => (await server.gql(admin, asked, variables)).data.numbers;
  const groups = async (dataset: DatasetKey, by: string, metrics: string[], scope: string | null = null) => {
    const { rows } = await ask({ dataset, scope, metrics, by: [by] });
    return Object.fromEntries(rows.map(({ keys, values }: Row) => [keys[0], values.join(' ')]));
  };
  expect(await groups('payouts', 'payer', ['paid', 'fees', 'fee_rate'])).toEqual({
    ...{ With: '1 0.1 10', Free: '1 0 0', Without: '1  ' },
  });
  // Only the one of the three that is paid with a known fee.
  expect((await ask({ dataset: 'payouts', metrics: ['fee_rate'] })).totals).toEqual(['5']);
  expect((await ask({ dataset: 'payments', metrics: ['fees', 'fee_rate', 'paid'] })).totals).toEqual([
    '0.03',
    '3',
    '10',
  ]);
  expect(await groups('payments', 'method', ['fee_rate'])).toEqual({ With: '3', Without: '' });
  expect(await groups('affiliate_activity', 'affiliate', ['sales', 'net_revenue'])).toEqual({
    ...{ With: '9 8', Without: ' ' },
  });
  // A title without refunds has none of them.
  expect(await groups('orders', 'title', ['units', 'refunds', 'net_sales'], 'connect')).toEqual({
    ...{ With: '1 1 9', Without: ' 0 10' },
  });
  const filters = [{ field: 'payer', values: ['Without'] }];
  expect((await ask({ dataset: 'payouts', metrics: ['paid', 'fee_rate'], filters })).totals).toEqual(['1', null]);
});

test('two products with the same order numbers have an order each, which one of them can recover', async () => {
  const later = { attempted_at: at(3, 13) };
  const attempts = [
    { ...attempt('1001', 1_0000n), status: 'failed' },
    { ...attempt('1001', 1_0000n), product: 'green', ...later },
    { ...attempt('1002', 1_0000n), status: 'failed' },
    { ...attempt('1002', 1_0000n), ...later },
  ].map((values, index) => ({
    ...{ externalId: `o${index}`, values: { ...values, currency: 'NOK' }, labels: {}, texts: {} },
  }));
  await server.database.transaction((queries) =>
    applyBatch(queries, 'payments', attempts, { zone: 'UTC', source: 'shops' }),
  );
  const metrics = ['orders', 'paid_orders', 'recovered_orders'];
  const asked = `query ($metrics: [String!]!, $metric: String!) { numbers(dataset: "payments", currency: "NOK", metrics: $metrics,
      from: "2026-11-01", to: "2026-12-01") { totals }
    numberRows(dataset: "payments", currency: "NOK", metric: $metric, from: "2026-11-01", to: "2026-12-01") { rows { id } } }`;
  for (const [at, metric] of metrics.entries()) {
    const { data, errors } = await server.gql(admin, asked, { metrics, metric });
    expect(errors).toBeUndefined();
    expect(data.numbers.totals).toEqual(['3', '2', '1']);
    expect(data.numberRows.rows).toHaveLength(Number(data.numbers.totals[at]));
  }
});

test('donors and retention say how many gifts name a donor, in the days that each is about', async () => {
  const gifts = [
    ...[gift(1_0000n, 0n, false, { donor_ref: 'ann' }), gift(1_0000n, 0n, false, { fee: null })],
    gift(1_0000n, 0n, false, { status: 'pending' }),
    ...['ann', 'ben', null, null, null].map((donor) =>
      gift(1_0000n, 0n, false, { donor_ref: donor, donated_at: '2025-11-03T12:00:00Z' }),
    ),
  ].map((values, index) => ({
    ...{ externalId: `d${index}`, values: { ...values, currency: 'CHF' }, labels: {}, texts: {} },
  }));
  await server.database.transaction((queries) =>
    applyBatch(queries, 'donations', gifts, { zone: 'UTC', source: 'some' }),
  );
  const expected = {
    ...{ donors: '1', gifts_with_donor: '1', gifts: '2', gifts_with_fee: '1' },
    ...{ retention: '50', year_donors: '2', year_gifts_known: '2', year_gifts: '5' },
  };
  const asked = `query ($metrics: [String!]!, $from: String!, $to: String!, $by: [String!]) {
    numbers(dataset: "donations", scope: "who-lives", currency: "CHF", metrics: $metrics, from: $from, to: $to, by: $by) {
      totals isEmpty rows { values } } }`;
  const ask = async (from: string, to: string, more: object = {}) =>
    (await server.gql(admin, asked, { metrics: Object.keys(expected), from, to, ...more })).data.numbers;
  expect((await ask('2026-11-01', '2026-12-01')).totals).toEqual(Object.values(expected));
  const byDay = await ask('2026-11-01', '2026-12-01', { by: ['day'] });
  expect(byDay.totals).toEqual(Object.values(expected));
  expect(byDay.rows).toHaveLength(1);
  // Months that are still to come are no part of the year.
  expect((await ask('2026-11-01', '2027-12-01')).totals).toEqual(Object.values(expected));
  // The gifts of the year before are none of this range.
  const metrics = ['donors', 'retention', 'year_gifts'];
  expect(await ask('2027-11-04', '2027-12-01', { metrics })).toMatchObject({ isEmpty: true, totals: ['0', '0', '2'] });
});

test('what donations don’t count is on the page by status, with its amount', async () => {
  const gifts = [
    ...['completed', 'refunded', 'refunded', 'pending'].map((status) => gift(10_0000n, 0n, false, { status })),
  ].map((values, index) => ({
    ...{ externalId: `s${index}`, values: { ...values, currency: 'NOK' }, labels: {}, texts: {} },
  }));
  await server.database.transaction((queries) =>
    applyBatch(queries, 'donations', gifts, { zone: 'UTC', source: 'some' }),
  );
  const tile = dashboards.donations.find(({ title }) => title === 'Not counted');
  const metrics = tile?.kind === 'table' ? tile.metrics : [];
  const asked = `query ($metrics: [String!]!) { numbers(dataset: "donations", scope: "who-lives", currency: "NOK", metrics: $metrics,
    from: "2026-11-01", to: "2026-12-01", by: ["status"], onlyFilled: true) { rows { keys values } } }`;
  expect((await server.gql(admin, asked, { metrics })).data.numbers.rows).toEqual([
    { keys: ['refunded'], values: ['20', '2'] },
    { keys: ['pending'], values: ['10', '1'] },
  ]);
});

test('the average order says how many orders have no amount on any line', async () => {
  const at = (day: string) => `2025-03-${day}T12:00:00Z`;
  const values: Record<string, NumberValue>[] = [
    { order_ref: 'A', occurred_at: at('01'), gross: 100_0000n },
    { order_ref: 'B', occurred_at: at('02'), country: 'DE' },
    // The first line is blank, but the order has an amount.
    { order_ref: 'C', occurred_at: at('03'), title: 'Gift' },
    { order_ref: 'C', occurred_at: at('04'), title: 'Book', gross: 50_0000n },
    { order_ref: 'D', occurred_at: at('05'), status: 'pending' },
    { order_ref: 'E', occurred_at: at('06'), title: 'Gift' },
    { order_ref: 'E', occurred_at: at('07'), title: 'Gift' },
    { order_ref: 'F', occurred_at: '2025-04-01T12:00:00Z' },
  ];
  const lines = values.map((own, index) => ({
    ...{ externalId: `l${index}`, labels: {}, texts: {} },
    values: { product: 'bgp', currency: 'SEK', status: 'completed', ...own },
  }));
  await server.database.transaction((queries) => applyBatch(queries, 'orders', lines, { zone: 'UTC', source: 'some' }));
  const asked = `query ($filters: [NumberFilter!], $by: [String!]) {
    numbers(dataset: "orders", scope: "bgp", currency: "SEK", metrics: ["average_order", "orders", "unpriced_orders", "priced_orders"],
      from: "2025-03-01", to: "2025-04-01", filters: $filters, by: $by) { totals rows { keys values } } }`;
  const ask = async (variables: object = {}) => (await server.gql(admin, asked, variables)).data.numbers;
  expect((await ask()).totals).toEqual(['37.5', '4', '2', '2']);
  expect((await ask({ by: ['month'] })).rows).toEqual([{ keys: ['2025-03-01'], values: ['37.5', '4', '2', '2'] }]);
  const where = (field: string, value: string) => ask({ filters: [{ field, values: [value] }] });
  expect((await where('country', 'DE')).totals.slice(1)).toEqual(['1', '1', '0']);
  expect((await where('title', 'Gift')).totals.slice(1)).toEqual(['2', '1', '1']);
  const rows = await server.gql(
    admin,
    `{ numberRows(dataset: "orders", scope: "bgp", currency: "SEK", metric: "unpriced_orders", from: "2025-03-01", to: "2025-04-01") {
      rows { value } } }`,
  );
  expect(rows.data.numberRows.rows).toEqual([{ value: '1' }, { value: '1' }]);
});

test('refunded lines with and without a refunded amount are counted, and listed', async () => {
  const refunds: NumberRow['values'][] = [
    { refunded: 10_0000n },
    { refunded: 0n },
    {},
    { gross: null, refunded: 5_0000n },
  ];
  const lines = refunds.map((own, index) => ({
    ...{ externalId: `refund${index}`, labels: {}, texts: {} },
    values: {
      ...{ product: 'bgp', currency: 'NOK', status: 'refunded', order_ref: `R${index}`, gross: 10_0000n },
      ...{ occurred_at: '2025-03-05T12:00:00Z', ...own },
    },
  }));
  await server.database.transaction((queries) => applyBatch(queries, 'orders', lines, { zone: 'UTC', source: 'some' }));
  const range = 'dataset: "orders", scope: "bgp", currency: "NOK", from: "2025-03-01", to: "2025-04-01"';
  const metrics = '["net_sales", "refunded_lines", "refunded_with_amount"]';
  const { data } = await server.gql(
    admin,
    `{ numbers(${range}, metrics: ${metrics}) { totals }
      numberRows(${range}, metric: "refunded_with_amount") { rows { value } } }`,
  );
  expect(data.numbers.totals).toEqual(['15', '3', '2']);
  expect(data.numberRows.rows).toHaveLength(2);
});

test.each(datasetKeys)('what the numbers on top of %s lack is counted without another scan of rows', (dataset) => {
  const top = dashboards[dataset].flatMap((tile) => (tile.kind === 'number' ? [tile.metric] : []));
  const range = { from: Temporal.PlainDate.from('2026-11-01'), to: Temporal.PlainDate.from('2026-12-01') };
  const scope = { dataset, scope: null, currency: null, range, filters: [], hours: 'clock' } as const;
  const reading = { ...scope, zone: 'UTC', holidays: [], now: Temporal.Now.zonedDateTimeISO('UTC') };
  const scans = (metrics: readonly string[]) =>
    new Set(
      leafSources({ reading, metrics, by: ['day'] }).flatMap(({ source: { coarse, key } }) =>
        // Indexes have only the lines without an amount, and refunded ones.
        coarse || key === 'unpriced orders' || key.startsWith('rows of refunded') ? [] : [key],
      ),
    );
  expect(scans([...top, ...top.flatMap((name) => leftOutLeaves(dataset, name))])).toEqual(scans(top));
});

test('a page has four numbers on top in a row, or three', () => {
  const counts = datasetKeys.map((key) => dashboards[key].filter(({ kind }) => kind === 'number').length);
  expect(counts.filter((count) => count % 4 !== 0 && count % 3 !== 0)).toEqual([]);
});

test('the table of batches has each one’s total, what is paid, pending and failed of it, and both success rates', async () => {
  const amounts = { paid: 6_0000n, draft: 4_0000n, failed: 2_0000n, denied: 1_0000n };
  const payouts = Object.entries(amounts).map(([status, amount], index) => ({
    ...{ externalId: `t${index}`, labels: {}, texts: {} },
    values: { ...payout(0), batch: 'B-1', status, amount, currency: 'SEK' },
  }));
  await server.database.transaction((queries) =>
    applyBatch(queries, 'payouts', payouts, { zone: 'UTC', source: 'bank' }),
  );
  const tile = dashboards.payouts.find(({ title }) => title === 'Batches');
  const metrics = tile?.kind === 'table' ? tile.metrics : [];
  const asked = `query ($metrics: [String!]!) { numbers(dataset: "payouts", currency: "SEK", metrics: $metrics,
    from: "2026-11-01", to: "2026-12-01", by: ["batch"]) { rows { values } } }`;
  const [batch] = (await server.gql(admin, asked, { metrics })).data.numbers.rows;
  expect(Object.fromEntries(metrics.map((metric, index) => [metric, batch.values[index]]))).toEqual({
    ...{ total: '13', payouts: '4', paid: '6', pending: '4', failed: '2', not_paid: '3' },
    ...{ success_rate: '33.3333', success_rate_value: '66.6667' },
  });
});
