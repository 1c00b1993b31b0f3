import { expect, test } from 'vitest';
import { dashboards } from './dashboards.ts';
import { type DatasetKey, datasetKeys, datasetOf } from './datasets.ts';
import { rows } from './metric.ts';
import {
  doubtfulParts,
  isSumOfLeaves,
  lackWords,
  leafFormulaOf,
  leavesOf,
  leftOutLeaves,
  leftOutOf,
  metricValue,
  missingFields,
  shownParts,
} from './metric-value.ts';
import { metricOf, metrics } from './metrics.ts';
import { groupingsOf, numberLimits } from './number-request.ts';

const everyMetric = datasetKeys.flatMap((dataset) =>
  Object.keys(metrics[dataset]).map((name) => [dataset, name] as const),
);

test.each(['', 'constructor', '__proto__', 'Gross', 'gross '])('%j is no metric', (name) => {
  expect(metricOf('orders', name)).toBeNull();
  expect(() => leavesOf('orders', name)).toThrow('has no metric');
});

test.each(everyMetric)('%s: %s is made of metrics and fields that there are', (dataset, name) => {
  const { fields, firstOf = {} } = datasetOf(dataset);
  for (const leaf of leavesOf(dataset, name)) {
    const formula = leafFormulaOf(dataset, leaf);
    if (formula.kind === 'leftOut') {
      expect(leftOutOf(dataset, formula.of)).toBe(leaf);
      continue;
    }
    const of =
      'of' in formula ? (typeof formula.of === 'string' ? [formula.of] : [formula.of.from, formula.of.to]) : [];
    const asked = [
      ...of,
      ...Object.keys(('where' in formula && formula.where) || {}),
      ...('datedBy' in formula && formula.datedBy ? [formula.datedBy] : []),
    ];
    const read = asked.filter((text) => text !== rows).flatMap((text) => firstOf[text] ?? [text]);
    for (const field of read) expect(Object.keys(fields)).toContain(field);
  }
});

test.each(everyMetric)('%s: %s counts only states that there are', (dataset, name) => {
  for (const leaf of leavesOf(dataset, name)) {
    const formula = leafFormulaOf(dataset, leaf);
    for (const [field, allowed] of Object.entries(('where' in formula && formula.where) || {})) {
      const type = datasetOf(dataset).fields[field]?.type;
      if (typeof type === 'object' && typeof allowed !== 'string')
        expect(type).toEqual(expect.arrayContaining([...allowed]));
    }
  }
});

test.each(datasetKeys)('the roll-ups and tiles of %s name fields and dimensions that there are', (dataset) => {
  const of = datasetOf(dataset);
  for (const { dimensions, sums, metrics = [] } of of.rollUps) {
    for (const name of dimensions) expect(of.fields[name]?.dimension ?? name === of.currency, name).toBe(true);
    for (const name of [of.scope, of.currency]) if (name !== null) expect(dimensions).toContain(name);
    for (const name of sums) expect(['money', 'whole']).toContain(of.fields[name]?.type);
    for (const name of metrics) expect(leafFormulaOf(dataset, name).kind).toBe('sum');
  }
  for (const tile of dashboards[dataset]) if ('by' in tile) expect(groupingsOf(of)).toContain(tile.by);
});

const value = (dataset: DatasetKey, name: string, leaves: Record<string, bigint | null>) =>
  metricValue(dataset, name, new Map(Object.entries(leaves)));

test.each([
  ['a difference', 'net_sales', { gross: 250_0000n, discounts: 5000n, refunds: 25_0000n }, 224_5000n],
  [
    'money divided by a count',
    'average_order',
    { gross: 100_0000n, discounts: 0n, refunds: 0n, orders: 3_0000n },
    33_3333n,
  ],
  ['a percentage', 'refund_rate', { refunds: 25_0000n, gross: 250_0000n }, 10_0000n],
  ['a quotient by nothing', 'refund_rate', { refunds: 25_0000n, gross: 0n }, null],
  ['a quotient of what was never measured', 'refund_rate', {}, null],
  ['net sales without known refunds', 'net_sales', { gross: 9n, discounts: 2n, refunds: null }, 7n],
  ['net sales without any known gross', 'net_sales', { gross: null, discounts: null, refunds: 25n }, null],
  ['net sales of which nothing is known', 'net_sales', { gross: null, discounts: null, refunds: null }, null],
] as const)('%s', (_what, name, leaves, expected) => {
  expect(value('orders', name, leaves)).toBe(expected);
});

test.each(everyMetric)('%s: what %s rests on is counted, and no more than the rows', (dataset, name) => {
  const { coverage } = metricOf(dataset, name)!;
  for (const leaf of coverage ? [coverage.known, coverage.of] : [])
    expect(metricOf(dataset, leaf), leaf).toMatchObject({ unit: 'count' });
  expect(leftOutLeaves(dataset, name)).toEqual(expect.arrayContaining(coverage ? [coverage.known, coverage.of] : []));
});

test.each([
  ['most rows lack it', 'donors', { gifts: '12000', gifts_with_donor: '2000' }, 'No donor: 10,000 of 12,000 gifts'],
  ['a third lacks it', 'donors', { gifts: '3', gifts_with_donor: '2' }, 'No donor: 1 of 3 gifts'],
  ['no row has it', 'fees', { gifts: '3', gifts_with_fee: null }, 'Fee missing: 3 of 3 gifts'],
  [
    'few rows lack what counts as zero',
    'net_of_fees',
    { gifts: '679', gifts_with_fee: '617' },
    'Fee missing: 62 of 679 gifts',
  ],
  ['few rows lack it', 'donors', { gifts: '8118', gifts_with_donor: '6967' }, 'No donor: 1,151 of 8,118 gifts'],
  ['few of another year lack it', 'retention', { gifts: '5', year_gifts: '900', year_gifts_known: '860' }, null],
  [
    'a fifth of another year lacks it',
    'retention',
    { gifts: '5', year_gifts: '900', year_gifts_known: '720' },
    'No donor: 180 of 900 gifts of the previous year',
  ],
  ['there are no rows', 'donors', { gifts: '0', gifts_with_donor: null }, null],
  ['it needs no such field', 'gross', { gifts: '12000' }, null],
  [
    'retention rests on the gifts of another year',
    'retention',
    { gifts: '5', year_gifts: '900', year_gifts_known: '100' },
    'No donor: 800 of 900 gifts of the previous year',
  ],
] as const)('a number says how many rows it lacks if %s', (_what, name, totals, words) => {
  expect(lackWords('donations', name, (leaf) => (totals as Record<string, string | null>)[leaf] ?? null)).toBe(words);
});

test.each([
  [
    'all of many rows have one status',
    '0',
    '1200',
    'The status is Paid in all 1,200 attempts: the source may give no other',
  ],
  ['few rows have one status', '0', '19', null],
  ['some have another status', '1', '1200', null],
] as const)('a refund rate says that %s', (_what, other, attempts, words) => {
  const totals: Record<string, string> = { other_than_paid: other, attempts };
  expect(lackWords('payments', 'refund_rate', (leaf) => totals[leaf] ?? null)).toBe(words);
});

test('net flow says how many conversations have no resolved date', () => {
  const totals: Record<string, string> = { conversations: '235', resolved_known: '0' };
  expect(lackWords('conversations', 'net_flow', (leaf) => totals[leaf] ?? null)).toBe(
    'No resolved or closed date: 235 of 235 conversations',
  );
});

test('the backlog says of every conversation that ended on an unknown day that it doesn’t count', () => {
  const totals: Record<string, string> = { conversations: '522', open_or_dated: '19' };
  expect(lackWords('conversations', 'backlog', (leaf) => totals[leaf] ?? null)).toBe(
    'No resolved or closed date: 503 of 522 conversations',
  );
});

test('a sum of affiliates says how many rows lack it, if the sum beside it shows that rows do', () => {
  const ads: Record<string, string> = { activity: '1754', rows_with_conversions: '1555' };
  const words = (name: string, totals: Record<string, string>) =>
    lackWords('affiliate_activity', name, (leaf) => ({ ...ads, ...totals })[leaf] ?? null);
  const some = { clicks: '9000', clicks_of_conversions: '5000', conversions: '935', conversions_of_clicks: '935' };
  expect(words('conversions', some)).toBe('Clicks or conversions missing: 199 of 1,754 rows');
  expect(words('clicks', some)).toBeNull();
  // The network gives no clicks at all, and all conversions.
  const none = { clicks: '0', clicks_of_conversions: '0', conversions: '935', conversions_of_clicks: '0' };
  expect(words('conversions', none)).toBeNull();
  expect(leftOutLeaves('affiliate_activity', 'conversions')).toEqual(
    expect.arrayContaining(['rows_with_conversions', 'activity', 'clicks', 'clicks_of_conversions']),
  );
  // A drill-down of a sum has nothing beside it, and one of a rate has its parts.
  expect(shownParts('affiliate_activity', 'conversions')).toEqual([]);
  const [dividend, divisor, known] = ['clicks_of_impressions', 'impressions_of_clicks', 'rows_with_impressions'];
  expect(shownParts('affiliate_activity', 'click_rate')).toEqual([dividend, divisor, known, 'activity']);
});

test('sales of affiliates say from 5% how many rows lack them if the same rows lack the commission', () => {
  const words = (known: number, more: Record<string, string> = {}) => {
    const sums = { sales: '900', sales_with_commission: '900', commission: '5', commission_of_sales: '5', ...more };
    const totals: Record<string, string> = { activity: '1000', rows_with_sales: String(known), ...sums };
    return lackWords('affiliate_activity', 'sales', (leaf) => totals[leaf] ?? null);
  };
  expect([words(951), words(950)]).toEqual([null, 'Sales or commission missing: 50 of 1,000 rows']);
  // All rows have sales, and some no commission.
  expect(words(500, { sales_with_commission: '700' })).toBeNull();
});

test('a number of a field that only some rows are to have says from a third that rows lack it', () => {
  const words = (name: string, known: string) => (count: number) => {
    const totals: Record<string, string> = { conversations: '900', [known]: String(count) };
    return lackWords('conversations', name, (leaf) => totals[leaf] ?? null);
  };
  expect([601, 600].map(words('resolution', 'resolved_known'))).toEqual([
    null,
    'No resolved or closed date: 300 of 900 conversations',
  ]);
  expect([856, 855].map(words('first_response', 'answered'))).toEqual([
    null,
    'No first response: 45 of 900 conversations',
  ]);
});

test('net revenue says how many rows lack one of its two fields, without saying which', () => {
  const totals: Record<string, string> = { activity: '3000', rows_with_sales: '0' };
  expect(lackWords('affiliate_activity', 'net_revenue', (leaf) => totals[leaf] ?? null)).toBe(
    'Sales or commission missing: 3,000 of 3,000 rows',
  );
});

test('the average order says of every order without an amount that it counts as zero', () => {
  const words = (unpriced: number) => {
    const totals: Record<string, string> = { orders: '2421', priced_orders: String(2421 - unpriced) };
    return lackWords('orders', 'average_order', (leaf) => totals[leaf] ?? null);
  };
  expect([words(1), words(0)]).toEqual(['No amount: 1 of 2,421 orders', null]);
});

test('numbers of refunds say of every refunded line without a refunded amount that it stays a sale', () => {
  const totals: Record<string, string> = {
    ...{ orders: '2421', priced_orders: '2420', refunded_lines: '12000', refunded_with_amount: '1496' },
  };
  const words = (name: string) => lackWords('orders', name, (leaf) => totals[leaf] ?? null);
  const missing = 'Refunded amount missing: 10,504 of 12,000 refunded lines';
  expect([words('net_sales'), words('refund_rate')]).toEqual([missing, missing]);
  expect(words('average_order')).toBe(`No amount: 1 of 2,421 orders. ${missing}`);
  expect(leftOutLeaves('orders', 'average_order')).toContain('refunded_with_amount');
  expect(words('gross')).toBeNull();
});

test('a source without ratings has no share of rated conversations, instead of none', () => {
  expect(value('conversations', 'response_rate', { rated: 0n, conversations: 9_0000n })).toBeNull();
  expect(value('conversations', 'response_rate', { rated: 3_0000n, conversations: 9_0000n })).toBe(33_3333n);
});

test.each([
  ['donations', 'recurring_share', 'recurring_gross', 'gross_with_recurrence'],
  ['affiliate_activity', 'reversal_rate', 'reversed_commission', 'decided_commission'],
  ['payouts', 'success_rate_value', 'paid', 'finished'],
] as const)('%s: %s is unknown outside 0% to 100%', (dataset, name, part, whole) => {
  const shareOf = (of: bigint, by: bigint) => value(dataset, name, { [part]: of, [whole]: by });
  expect([shareOf(5n, 4n), shareOf(-1n, 4n), shareOf(-1n, -4n), shareOf(1n, -4n)]).toEqual([null, null, null, null]);
  expect([shareOf(0n, 4n), shareOf(1n, 4n), shareOf(4n, 4n)]).toEqual([0n, 25_0000n, 100_0000n]);
});

test('a share of an amount of the same rows is a part of it', () => {
  const sums = everyMetric.flatMap(([dataset, name]) => {
    const { formula, unit } = metricOf(dataset, name)!;
    if (formula.kind !== 'quotient' || unit !== 'percent' || formula.isPart) return [];
    const [of, by] = [formula.of, formula.by].map((part) => metricOf(dataset, part)!.formula);
    const isSame =
      of!.kind === 'sum' && by!.kind === 'sum' && of!.of === by!.of && metricOf(dataset, formula.by)!.unit === 'money';
    return isSame ? [`${dataset} ${name}`] : [];
  });
  expect(sums).toEqual([]);
});

test('a difference of what is unknown is unknown', () => {
  expect(value('donations', 'net_of_fees', { gross: 9n, fees: null })).toBeNull();
});

test.each(datasetKeys)('the numbers on top of %s are no more than a request can ask', (dataset) => {
  const top = dashboards[dataset].flatMap((tile) => (tile.kind === 'number' ? [tile.metric] : []));
  const asked = top.flatMap((name) => [name, ...leftOutLeaves(dataset, name), ...doubtfulParts(dataset, name)]);
  expect(new Set(asked).size).toBeLessThanOrEqual(numberLimits.metrics);
});

test('an unknown number names the fields of its unknown parts that a source can lack', () => {
  const missing = (dataset: DatasetKey, name: string, unknown: readonly string[]) =>
    missingFields(dataset, name, (leaf) => (unknown.includes(leaf) ? null : '1'));
  expect(missing('orders', 'refund_rate', ['refunds'])).toEqual(['Refunded']);
  expect(missing('orders', 'refund_rate', [])).toEqual([]);
  expect(missing('orders', 'gross', ['gross'])).toEqual(['Gross']);
  expect(missing('payments', 'amount', ['amount'])).toEqual([]);
});

test('the share of rated conversations does not read as the share of answered ones', () => {
  expect(metricOf('conversations', 'response_rate')?.title).toBe('Rated %');
});

test('customer service is compared by team and by assignee', () => {
  expect(dashboards.conversations.flatMap((tile) => (tile.kind === 'table' ? [tile.by] : []))).toEqual([
    'team',
    'assignee',
  ]);
});

test('each metric at the bottom is asked for once', () => {
  expect(leavesOf('orders', 'average_order')).toEqual(['gross', 'discounts', 'refunds', 'orders']);
  expect(leavesOf('donations', 'net_of_fees')).toEqual(['gross', 'fees']);
  expect(leavesOf('donations', 'donors')).toEqual(['donors']);
});

test('sums and their differences are sums over rows, quotients and medians are not', () => {
  expect(['gross', 'net_sales', 'orders', 'returning_orders'].every((name) => isSumOfLeaves('orders', name))).toBe(
    true,
  );
  expect(isSumOfLeaves('orders', 'average_order')).toBe(false);
  expect(isSumOfLeaves('donations', 'median_gift')).toBe(false);
});
