import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import { metrics } from '#core/numbers/metrics.ts';
import { groupingsOf } from '#core/numbers/number-request.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { takeOff } from '../../../test/task-fixtures.ts';
import { applyBatch } from './batch.store.ts';
import type { NumberRow } from './number-row.ts';

let server: TestApp;
let admin: string;
const zone = 'America/New_York';

const order = (externalId: string, occurred_at: string, values: NumberRow['values']): NumberRow => ({
  externalId,
  values: {
    product: 'connect',
    order_ref: externalId.split('/')[0]!,
    occurred_at,
    currency: 'USD',
    status: 'completed',
    quantity: 1,
    ...values,
  },
  labels: {},
  texts: {},
});

// New York is five hours behind in November: the first of these is on the previous day.
const orders = [
  order('A/1', '2026-10-19T04:30:00Z', { gross: 100_0000n, country: 'US', customer_ref: 'ann', title: 'Lamp' }),
  order('A/2', '2026-10-20T12:00:00Z', {
    gross: 50_5001n,
    discount: 5001n,
    country: 'US',
    customer_ref: 'ann',
    title: 'Shade',
  }),
  order('B/1', '2026-11-02T04:30:00Z', { gross: 200_0000n, country: 'DE', customer_ref: 'ben', title: 'Lamp' }),
  order('A/r', '2026-11-03T12:00:00Z', { refunded: 25_0000n, status: 'refunded', quantity: null }),
  order('C/1', '2026-11-04T12:00:00Z', { gross: 40_0000n, country: 'US', customer_ref: 'ann', title: 'Lamp' }),
  order('D/1', '2026-11-18T11:00:00Z', { gross: 10_0000n, title: 'Bulb' }),
  order('E/1', '2026-11-04T12:00:00Z', { gross: 999_0000n, status: 'pending' }),
  order('F/1', '2026-11-04T12:00:00Z', { gross: 77_0000n, currency: 'EUR', country: 'DE' }),
  order('G/1', '2026-11-04T12:00:00Z', { gross: 5_0000n, product: 'green', country: 'US' }),
];

const ticket = (externalId: string, opened_at: string, resolved_at: string | null): NumberRow => ({
  externalId,
  values: { opened_at, resolved_at, team: externalId < '3' ? 'one' : 'two' },
  labels: {},
  texts: {},
});
const tickets = [
  ticket('1', '2026-11-10T15:00:00Z', '2026-11-12T15:00:00Z'),
  ticket('2', '2026-11-11T15:00:00Z', null),
  ticket('3', '2026-11-12T15:00:00Z', '2026-11-12T18:00:00Z'),
  ticket('4', '2026-11-13T15:00:00Z', null),
];

beforeAll(async () => {
  server = await startTestApp({ env: { COMPANY_TIME_ZONE: zone } });
  admin = await server.signIn(await server.person({ role: 'admin' }));
  const apply = (dataset: 'orders' | 'conversations', rows: NumberRow[]) =>
    server.database.transaction((queries) => applyBatch(queries, dataset, rows, { zone, source: 'shop' }));
  await apply('orders', orders);
  await apply('conversations', tickets);
});
afterAll(() => server.stop());

const query = `query ($dataset: String!, $metrics: [String!]!, $scope: String, $currency: String, $from: String!, $to: String!, $by: [String!], $filters: [NumberFilter!], $compare: String, $granularity: String, $top: Int, $offset: Int, $hours: String) {
  numbers(dataset: $dataset, metrics: $metrics, scope: $scope, currency: $currency, from: $from, to: $to, by: $by, filters: $filters, compare: $compare, granularity: $granularity, top: $top, offset: $offset, hours: $hours) {
    currency currencies asOf zone from to previousFrom previousTo previousUntil dataFrom totals previousTotals newest unfinished
    rows { keys values previousValues } others { groups values } groups
  }
}`;
const november = { dataset: 'orders', scope: 'connect', metrics: ['net_sales'], from: '2026-11-01', to: '2026-12-01' };
const ask = async (variables: object) => {
  const { data, errors } = await server.gql(admin, query, variables);
  expect(errors).toBeUndefined();
  return data.numbers;
};

/** Keys and values of each group. */
const linesOf = ({ rows }: { rows: { keys: (string | null)[]; values: (string | null)[] }[] }) =>
  rows.map(({ keys, values }) => [...keys, ...values]);

test.each([
  ['an inverted range', { from: '2026-12-01', to: '2026-11-01' }, 'to'],
  ['an empty range', { to: '2026-11-01' }, 'to'],
  ['a century', { from: '1926-11-01' }, 'from'],
  ['a day that is none', { from: '2026-02-30' }, 'from'],
  ['an instant for a day', { to: '2026-11-20T00:00:00Z' }, 'to'],
  ['an unknown dataset', { dataset: '__proto__' }, 'dataset'],
  ['an unknown metric', { metrics: ['net_sales', 'constructor'] }, 'metrics'],
  ['no metric', { metrics: [] }, 'metrics'],
  ['an unknown dimension', { by: ['order_ref'] }, 'by'],
  ['a dimension twice', { by: ['country', 'country'] }, 'by'],
  ['the locked scope as a dimension', { by: ['product'] }, 'by'],
  ['an unknown filter', { filters: [{ field: 'external_id', values: ['A/1'] }] }, 'filters'],
  ['the locked scope as a filter', { filters: [{ field: 'product', values: ['green'] }] }, 'filters'],
  ['a filter without values', { filters: [{ field: 'country', values: [] }] }, 'filters.0.values'],
  ['a NUL in a filter', { filters: [{ field: 'country', values: ['U\0S'] }] }, 'filters.0.values.0'],
  ['half a character in a filter', { filters: [{ field: 'country', values: ['\ud800'] }] }, 'filters.0.values.0'],
  ['a currency that has no rows', { currency: 'BTC' }, 'currency'],
  ['an unknown scope', { scope: 'toString' }, 'scope'],
  ['no scope', { scope: null }, 'scope'],
  ['a scope where there is none', { dataset: 'payouts', metrics: ['paid'] }, 'scope'],
  [
    'a currency where there is none',
    { dataset: 'conversations', scope: null, metrics: ['backlog'], currency: 'USD' },
    'currency',
  ],
  ['an unknown comparison', { compare: 'best' }, 'compare'],
  ['an unknown granularity', { granularity: 'minute' }, 'granularity'],
  [
    'the age of what is not open',
    { dataset: 'conversations', scope: null, metrics: ['conversations'], by: ['age'] },
    'by',
  ],
  [
    'hours of a dataset of days',
    { dataset: 'affiliate_activity', scope: null, metrics: ['clicks'], by: ['hour'] },
    'by',
  ],
  ['more groups than there may be', { top: 10_001 }, 'top'],
])('%s is refused and the field at fault is named', async (_what, change, field) => {
  const { errors, data } = await server.gql(admin, query, { ...november, ...change });
  expect(data).toBeNull();
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', field });
});

test('a month counts the days of the company, a refund when it happened, and one currency', async () => {
  const metricsAsked = [
    'lines',
    'gross',
    'discounts',
    'refunds',
    'net_sales',
    'orders',
    'units',
    'average_order',
    'refund_rate',
    'new_customer_share',
  ];
  const answer = await ask({ ...november, metrics: metricsAsked });
  expect(answer).toMatchObject({ currency: 'USD', currencies: ['USD', 'EUR'], zone, newest: null });
  // 225 of 250 gross over three orders; of two known customers one is new.
  expect(answer.totals).toEqual(['4', '250', '0', '25', '225', '3', '3', '75', '10', '50']);
  expect((await ask({ ...november, currency: 'EUR', metrics: ['gross', 'orders'] })).totals).toEqual(['77', '1']);
  expect((await ask({ ...november, scope: 'green', metrics: ['gross'] })).totals).toEqual(['5']);
});

test('an order counts once, on the day of its first completed line', async () => {
  const { rows } = await ask({ ...november, from: '2026-10-01', metrics: ['orders', 'gross'], by: ['day'] });
  expect(linesOf({ rows })).toEqual([
    ['2026-10-19', '1', '100'],
    ['2026-10-20', '0', '50.5001'],
    ['2026-11-01', '1', '200'],
    ['2026-11-03', '0', '0'],
    ['2026-11-04', '1', '40'],
    ['2026-11-18', '1', '10'],
  ]);
  const byTitle = await ask({ ...november, from: '2026-10-01', metrics: ['orders'], by: ['title'] });
  expect(byTitle.totals).toEqual(['4']);
  expect(linesOf(byTitle)).toEqual([
    ['Lamp', '3'],
    ['Bulb', '1'],
    ['Shade', '1'],
  ]);
});

test('weeks begin on Monday, months with their first, and the unfinished one is told', async () => {
  const byWeek = await ask({ ...november, granularity: 'week', metrics: ['gross'] });
  expect(byWeek.rows.map(({ keys }: { keys: string[] }) => keys[0])).toEqual([
    '2026-10-26',
    '2026-11-02',
    '2026-11-16',
  ]);
  expect(byWeek.unfinished).toBe('2026-11-16');
  const byMonth = await ask({ ...november, from: '2026-01-01', by: ['month'], metrics: ['gross'] });
  expect(linesOf(byMonth)).toEqual([
    ['2026-10-01', '150.5001'],
    ['2026-11-01', '250'],
  ]);
  expect((await ask({ ...november, to: '2026-11-10', by: ['day'] })).unfinished).toBeNull();
});

test('a whole month is compared with the month before, an unfinished one to the same moment of it', async () => {
  const previous = await ask({ ...november, compare: 'previous', by: ['day'] });
  expect(previous).toMatchObject({
    previousFrom: '2026-10-01',
    previousTo: '2026-11-01',
    previousTotals: ['150'],
    previousUntil: null,
    dataFrom: '2026-10-19',
  });
  expect((await ask({ ...november, from: '2026-11-18', compare: 'previous' })).dataFrom).toBeNull();
  expect((await ask(november)).dataFrom).toBeNull();
  expect(previous.rows.find(({ keys }: { keys: string[] }) => keys[0] === '2026-11-20')).toEqual({
    keys: ['2026-11-20'],
    values: ['0'],
    previousValues: ['50'],
  });
  // It is Wednesday the 18th, 7:00 in New York: October's first 17 days and 7 hours of the 18th have one row
  // less.
  const elapsed = await ask({ ...november, metrics: ['gross', 'orders'], compare: 'elapsed' });
  expect(elapsed).toMatchObject({
    previousFrom: '2026-10-01',
    previousTo: '2026-10-19',
    previousUntil: '2026-10-18T11:00:00Z',
    previousTotals: ['0', '0'],
  });
  const later = await ask({
    ...november,
    from: '2026-11-02',
    to: '2026-11-30',
    metrics: ['gross', 'orders', 'refunds'],
    compare: 'elapsed',
  });
  expect(later).toMatchObject({
    previousFrom: '2026-10-05',
    previousTo: '2026-10-22',
    previousTotals: ['150.5001', '1', '0'],
  });
  const cutWithin = await ask({
    ...november,
    from: '2026-11-18',
    to: '2026-11-19',
    metrics: ['gross'],
    compare: 'elapsed',
  });
  expect(cutWithin).toMatchObject({
    previousFrom: '2026-11-17',
    previousTo: '2026-11-18',
    previousTotals: ['0'],
    totals: ['10'],
  });
  const year = await ask({ ...november, from: '2027-10-01', to: '2027-11-01', metrics: ['gross'], compare: 'year' });
  expect(year).toMatchObject({ previousFrom: '2026-10-01', totals: ['0'], previousTotals: ['150.5001'] });
});

test('a month so far whose data ends early says the newest day', async () => {
  const [now, own] = [server.clock.now(), admin];
  onTestFinished(() => {
    server.clock.set(now);
    admin = own;
  });
  const askAfter = async (hours: number, variables: object) => {
    server.clock.set(now.add({ hours }));
    admin = await server.signIn(await server.person({ role: 'admin' }));
    return ask({ ...november, metrics: ['gross'], compare: 'elapsed', ...variables });
  };
  expect(await askAfter(24, {})).toMatchObject({ newest: null });
  const early = await askAfter(72, {});
  expect(early).toMatchObject({ newest: '2026-11-18' });
  expect(await askAfter(72, { to: '2026-11-20' })).toMatchObject({ newest: null });
});

test('a day or week is compared with as many days, also where the month before is longer; totals have all', async () => {
  // November has 30 days, October 31.
  const days = ['2025-10-29', '2025-10-30', '2025-10-31', '2025-11-30'];
  const rows = days.map((day, index) =>
    order(`end/${day}`, `${day}T17:00:00Z`, { gross: BigInt(10 ** index) * 10_000n }),
  );
  await server.database.transaction((queries) => applyBatch(queries, 'orders', rows, { zone, source: 'ends' }));
  const range = { ...november, metrics: ['gross'], from: '2025-11-01', to: '2025-12-01', compare: 'previous' };
  const compared = async (by: string[]) => {
    const { rows: groups, previousTotals } = await ask({ ...range, by });
    expect(previousTotals).toEqual(['111']);
    return groups.map(({ keys, values, previousValues }: Record<string, string[]>) => [
      keys![0],
      values![0],
      previousValues![0],
    ]);
  };
  expect(await compared(['day', 'country'])).toEqual([
    ['2025-11-29', '0', '1'],
    ['2025-11-30', '1000', '10'],
  ]);
  expect(await compared(['week'])).toEqual([['2025-11-24', '1000', '11']]);
  expect(await compared(['month'])).toEqual([['2025-11-01', '1000', '111']]);
});

test('the largest groups stand first, and the rest is told together where it adds up', async () => {
  const range = { ...november, from: '2026-10-01', metrics: ['gross', 'orders', 'average_order'], top: 1 };
  const answer = await ask({ ...range, by: ['country'] });
  expect(answer.rows).toEqual([{ keys: ['DE'], values: ['200', '1', '200'], previousValues: null }]);
  expect(answer.others).toEqual({ groups: 2, values: ['200.5001', '3', '58.3333'] });
  expect((await ask({ ...range, by: ['title'] })).others).toEqual({ groups: 3, values: ['60.5001', null, null] });
  // A page after the last one still says how many there are.
  expect(await ask({ ...range, by: ['country'], offset: 50 })).toMatchObject({ rows: [], groups: 3 });
});

test('blank is a value to filter by, and filters hold together', async () => {
  const blank = { field: 'country', values: [null] };
  expect((await ask({ ...november, metrics: ['gross', 'refunds'], filters: [blank] })).totals).toEqual(['10', '25']);
  const lamps = { field: 'title', values: ['Lamp', "'; drop table orders; --"] };
  expect(
    (await ask({ ...november, metrics: ['gross', 'orders'], filters: [lamps, { field: 'country', values: ['US'] }] }))
      .totals,
  ).toEqual(['40', '1']);
  const wednesdays = { field: 'weekday', values: ['3'] };
  expect(
    (await ask({ ...november, metrics: ['gross'], filters: [wednesdays, { field: 'hour', values: ['7'] }] })).totals,
  ).toEqual(['40']);
  expect((await ask({ ...november, metrics: ['lines'], by: ['weekday', 'hour'] })).rows).toHaveLength(4);
});

test('of a range without rows the newest day that has some is offered', async () => {
  const empty = await ask({ ...november, from: '2020-01-01', to: '2020-02-01', metrics: ['gross', 'average_order'] });
  expect(empty).toMatchObject({ currency: 'USD', currencies: [], totals: ['0', null], rows: [], newest: '2026-11-18' });
  const nothing = await ask({
    dataset: 'payouts',
    metrics: ['paid', 'days_to_pay'],
    from: '2026-01-01',
    to: '2026-02-01',
  });
  expect(nothing).toMatchObject({ currency: null, currencies: [], asOf: null, totals: ['0', null], newest: null });
});

test('the backlog is what was open at the end of each day, and its ages are known', async () => {
  const days = {
    dataset: 'conversations',
    metrics: ['backlog', 'conversations', 'resolved', 'net_flow'],
    from: '2026-11-10',
    to: '2026-11-15',
  };
  const answer = await ask({ ...days, by: ['day'] });
  expect(
    answer.rows.map(({ keys, values }: { keys: string[]; values: string[] }) => [keys[0]?.slice(8), ...values]),
  ).toEqual([
    ['10', '1', '1', '0', '1'],
    ['11', '2', '1', '0', '1'],
    ['12', '1', '1', '2', '-1'],
    ['13', '2', '1', '0', '1'],
    ['14', '2', '0', '0', '0'],
  ]);
  expect(answer.totals).toEqual(['2', '4', '2', '2']);
  const byTeam = await ask({ ...days, metrics: ['backlog'], by: ['team'] });
  expect(linesOf(byTeam)).toEqual([
    ['one', '1'],
    ['two', '1'],
  ]);
  const ages = await ask({ ...days, metrics: ['backlog'], by: ['age'] });
  expect(linesOf(ages)).toEqual([
    ['24', '1'],
    ['72', '1'],
  ]);
});

test('a conversation whose status says that it ended is not open for ever without a time', async () => {
  const calls = ['Resolved', 'closed', 'Open', null].map((status, index) => ({
    ...{ externalId: `call ${index}`, labels: {}, texts: {} },
    values: { opened_at: '2024-03-05T15:00:00Z', resolved_at: null, team: 'calls', status },
  }));
  await server.database.transaction((queries) =>
    applyBatch(queries, 'conversations', calls, { zone, source: 'calls' }),
  );
  const asked = {
    ...{ dataset: 'conversations', metrics: ['backlog'], from: '2024-03-05', to: '2024-03-07' },
    filters: [{ field: 'team', values: ['calls'] }],
  };
  expect(await ask({ ...asked, by: ['day'] })).toMatchObject({
    totals: ['2'],
    rows: [{ values: ['2'] }, { values: ['2'] }],
  });
  expect(linesOf(await ask({ ...asked, by: ['age'] }))).toEqual([['24', '2']]);
});

test('a duration is told by the clock or in working hours', async () => {
  const range = { dataset: 'conversations', metrics: ['resolution'], from: '2026-11-10', to: '2026-11-11' };
  expect((await ask(range)).totals).toEqual(['48']);
  expect((await ask({ ...range, hours: 'working' })).totals).toEqual(['16']);
});

test.each([
  ['2026-11-11 A day of it', '8'],
  ['2026-11-10 Its first day', '9'],
  ['2026-11-12 Its last day', '15'],
  ['2026-11-09/2026-11-13 The week', '0'],
  ['2026-11-06 Before\n2026-11-13/2026-11-15 After', '16'],
])('working hours leave out the holiday %j', async (value, expected) => {
  await takeOff(server, admin, value);
  // Answers are kept for a minute.
  server.clock.advance({ minutes: 1 });
  const range = { dataset: 'conversations', metrics: ['resolution'], from: '2026-11-10', to: '2026-11-11' };
  expect((await ask({ ...range, hours: 'working' })).totals).toEqual([expected]);
  expect((await ask(range)).totals).toEqual(['48']);
});

test('every metric answers by every word of its dataset', async () => {
  for (const dataset of datasetKeys) {
    const of = datasetOf(dataset);
    const scope = of.scope === null ? null : (of.fields[of.scope]!.type as string[])[0];
    const names = Object.keys(metrics[dataset]);
    for (const by of groupingsOf(of)) {
      const asked = by === 'age' ? ['backlog'] : names;
      for (let start = 0; start < asked.length; start += 20) {
        const answer = await ask({
          dataset,
          scope,
          metrics: asked.slice(start, start + 20),
          by: [by],
          from: '2026-01-01',
          to: '2027-01-01',
          compare: 'elapsed',
        });
        expect(answer.totals).toHaveLength(Math.min(20, asked.length - start));
      }
    }
  }
});

test('groups are sorted, searched and paged by the server, with the count of all of them', async () => {
  const paged = `query ($metrics: [String!]!, $by: [String!], $order: String, $descending: Boolean, $offset: Int, $search: String) {
    numbers(dataset: "orders", scope: "connect", currency: "USD", from: "2026-10-01", to: "2026-12-01", metrics: $metrics,
      by: $by, order: $order, descending: $descending, top: 2, offset: $offset, search: $search, onlyFilled: true) {
      groups totals others { groups } rows { keys values } } }`;
  const all = await ask({ ...november, from: '2026-10-01', metrics: ['gross', 'orders'], by: ['title'] });
  const filled = all.rows.filter(({ values }: { values: (string | null)[] }) => values.some((value) => Number(value)));
  const variables = { metrics: ['gross', 'orders'], by: ['title'], order: 'gross', descending: false };
  const page = async (more: object) => (await server.gql(admin, paged, { ...variables, ...more })).data.numbers;
  const pages = [await page({}), await page({ offset: 2 }), await page({ offset: 4 })];
  const sums = pages.flatMap(({ rows }) => rows.map(({ values }: { values: string[] }) => Number(values[0])));
  expect(sums).toEqual(sums.toSorted((a, b) => a - b));
  expect(sums).toHaveLength(filled.length);
  expect(pages.slice(0, 2).map(({ groups }) => groups)).toEqual([filled.length, filled.length]);
  expect(pages[1].others).toBeNull();
  expect(pages.map(({ totals }) => totals)).toEqual([all.totals, all.totals, all.totals]);
  const named = await page({ order: 'title', search: 'Läm' });
  expect(named.rows.map(({ keys }: { keys: string[] }) => keys[0])).toEqual(['Lamp']);
  expect((await page({ search: '%' })).rows).toEqual([]);
  const refused = await server.gql(admin, paged, { ...variables, order: 'change' });
  expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_INPUT', field: 'order' });
});

test('groups that fell to nothing follow the others, the largest first, unless the comparison lacks much', async () => {
  const sold = (id: string, day: string, title: string, gross: bigint) =>
    order(id, `2026-${day}T12:00:00Z`, { product: 'bgp', title, gross });
  const rows = [
    sold('K/1', '10-20', 'Kept', 80_0000n),
    sold('S/1', '10-21', 'Small', 10_0000n),
    sold('L/1', '10-22', 'Large', 90_0000n),
    sold('K/2', '11-02', 'Kept', 40_0000n),
    sold('N/1', '11-03', 'New', 5_0000n),
  ];
  await server.database.transaction((queries) => applyBatch(queries, 'orders', rows, { zone, source: 'games' }));
  const asked = `query ($to: String!, $order: String!, $descending: Boolean!) {
    numbers(dataset: "orders", scope: "bgp", from: "2026-11-01", to: $to, compare: "previous", metrics: ["net_sales", "orders"],
      by: ["title"], order: $order, descending: $descending, onlyFilled: true) { groups goneGroups rows { keys values previousValues } } }`;
  const read = async (order: string, descending: boolean, to = '2026-11-13') => {
    const {
      groups,
      goneGroups,
      rows: found,
    } = (await server.gql(admin, asked, { order, descending, to })).data.numbers;
    return [groups, goneGroups, found.map(({ keys }: { keys: string[] }) => keys[0]).join(' '), found];
  };
  const [, , , found] = await read('net_sales', true);
  expect(found.at(-1)).toEqual({ keys: ['Small'], values: ['0', '0'], previousValues: ['10', '1'] });
  expect((await read('net_sales', true)).slice(0, 3)).toEqual([4, 2, 'Kept New Large Small']);
  expect((await read('net_sales', false)).slice(0, 3)).toEqual([4, 2, 'New Kept Large Small']);
  // By 90, 40 and 10, not by percent.
  expect((await read('change', false)).slice(0, 3)).toEqual([4, 2, 'Large Kept Small New']);
  expect((await read('title', false)).slice(0, 3)).toEqual([4, 2, 'Kept Large New Small']);
  expect((await read('net_sales', true, '2026-12-01')).slice(0, 3)).toEqual([2, 0, 'Kept New']);
});

test('each currency says how many rows it has', async () => {
  const counted = `{ numbers(dataset: "orders", scope: "connect", from: "2026-10-01", to: "2026-12-01", metrics: ["lines"]) { currencies currencyRows isBacklogKnown } }`;
  const { currencies, currencyRows, isBacklogKnown } = (await server.gql(admin, counted)).data.numbers;
  const { rows } = await server.database.pool.query(
    `select currency, count(*)::int as found from orders where product = 'connect' and day >= '2026-10-01' and day < '2026-12-01' group by 1 order by 2 desc, 1`,
  );
  expect(rows.map(({ currency }) => currency)).toEqual(currencies);
  expect(rows.map(({ found }) => found)).toEqual(currencyRows);
  expect(isBacklogKnown).toBe(true);
});

test('a range is empty only if no row matches, and counts what filters leave in each currency', async () => {
  const asked = `query ($scope: String!, $currency: String, $from: String!, $filters: [NumberFilter!]) {
    numbers(dataset: "orders", scope: $scope, currency: $currency, from: $from, to: "2027-01-01", metrics: ["net_sales"], filters: $filters) {
      isEmpty matchingRows newest currencies currencyRows } }`;
  const filter = (field: string, ...values: string[]) => [{ field, values }];
  const read = async (variables: object) =>
    (await server.gql(admin, asked, { scope: 'connect', from: '2026-11-01', ...variables })).data.numbers;
  const currencies = ['USD', 'EUR'];
  expect(await read({})).toEqual({ isEmpty: false, matchingRows: 5, newest: null, currencies, currencyRows: [5, 1] });
  // A pending line counts nothing, but it is there.
  expect(await read({ filters: filter('status', 'pending') })).toMatchObject({ isEmpty: false, matchingRows: 1 });
  expect(await read({ filters: filter('country', 'DE') })).toMatchObject({ currencyRows: [1, 1], isEmpty: false });
  for (const filters of [filter('country', 'FR'), filter('title', 'Door'), filter('hour', '3')])
    expect(await read({ filters })).toEqual({
      ...{ isEmpty: true, matchingRows: 0, newest: null, currencies, currencyRows: [0, 0] },
    });
  expect(await read({ from: '2026-12-01', currency: 'USD' })).toMatchObject({ isEmpty: true, newest: '2026-11-18' });
});

test('without any resolution time the backlog is unknown', async () => {
  const known = async () =>
    (
      await server.gql(
        admin,
        '{ numbers(dataset: "conversations", from: "2026-10-01", to: "2026-12-01", metrics: ["backlog"]) { isBacklogKnown } }',
      )
    ).data.numbers.isBacklogKnown;
  expect(await known()).toBe(true);
  const { rows: kept } = await server.database.pool.query('select id, resolved_at, closed_at from conversations');
  await server.database.pool.query('update conversations set resolved_at = null, closed_at = null');
  // Until the cached answer expires.
  server.clock.advance({ minutes: 2 });
  expect(await known()).toBe(false);
  for (const { id, resolved_at, closed_at } of kept)
    await server.database.pool.query('update conversations set resolved_at = $2, closed_at = $3 where id = $1', [
      id,
      resolved_at,
      closed_at,
    ]);
});

test('of conversations that ended on unknown days, a range’s backlog is unknown, whatever other ranges have', async () => {
  const ended = (n: number, status: string, resolved_at: string | null = null): NumberRow => ({
    ...{ externalId: `desk${n}`, labels: {}, texts: {} },
    values: { opened_at: `2023-06-${10 + n}T15:00:00Z`, resolved_at, status },
  });
  const apply = (rows: NumberRow[]) =>
    server.database.transaction((queries) => applyBatch(queries, 'conversations', rows, { zone, source: 'desk' }));
  await apply([ended(1, 'Closed'), ended(2, 'solved'), ended(3, 'Open')]);
  const read = async (from: string, to: string) => {
    const metrics = ['backlog', 'conversations', 'open_or_dated'];
    const variables = { dataset: 'conversations', metrics, from, to };
    const query =
      'query Q($metrics: [String!]!, $from: String!, $to: String!) { numbers(dataset: "conversations", metrics: $metrics, from: $from, to: $to) { totals isBacklogKnown } }';
    const { totals, isBacklogKnown } = (await server.gql(admin, query, variables)).data.numbers;
    return [isBacklogKnown, ...totals];
  };
  expect(await read('2023-06-01', '2023-07-01')).toEqual([false, '1', '3', '1']);
  expect((await read('2026-10-01', '2026-12-01'))[0]).toBe(true);
  // Nothing of the range has ended, and nobody knows ends of its time.
  expect((await read('2023-06-13', '2023-07-01'))[0]).toBe(false);
  await apply([ended(4, 'Closed', '2023-06-20T15:00:00Z')]);
  expect(await read('2023-06-01', '2023-07-01')).toEqual([true, '1', '4', '2']);
  expect((await read('2023-06-13', '2023-06-14'))[0]).toBe(true);
  expect((await read('2023-06-11', '2023-06-12'))[0]).toBe(false);
  await server.database.pool.query(`delete from conversations where source = 'desk'`);
});

test('customers are ranked by what they bought, and a source is filtered by like a dimension', async () => {
  const range = { ...november, from: '2026-10-01', metrics: ['net_sales', 'orders'], currency: 'USD' };
  const shop = [{ field: 'source', values: ['shop'] }];
  const asked = { ...range, by: ['customer_ref'] };
  expect(linesOf(await ask(asked))).toEqual([
    ['ben', '200', '1'],
    ['ann', '190', '2'],
    [null, '-15', '1'],
  ]);
  expect(linesOf(await ask({ ...asked, filters: shop }))).toEqual(linesOf(await ask(asked)));
  expect((await ask({ ...asked, filters: [{ field: 'source', values: ['other'] }] })).rows).toEqual([]);
  expect(linesOf(await ask({ ...range, by: ['source'] }))).toEqual([['shop', '375', '4']]);
});
