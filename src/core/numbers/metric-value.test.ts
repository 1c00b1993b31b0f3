import { expect, test } from 'vitest';
import { dashboards } from './dashboards.ts';
import { type DatasetKey, datasetKeys, datasetOf } from './datasets.ts';
import { rows } from './metric.ts';
import { isSumOfLeaves, leafFormulaOf, leavesOf, metricValue } from './metric-value.ts';
import { metricOf, metrics } from './metrics.ts';
import { groupingsOf } from './number-request.ts';

const everyMetric = datasetKeys.flatMap((dataset) =>
  Object.keys(metrics[dataset]).map((name) => [dataset, name] as const),
);

test.each(['', 'constructor', '__proto__', 'Gross', 'gross '])('%j is no metric', (name) => {
  expect(metricOf('orders', name)).toBeNull();
  expect(() => leavesOf('orders', name)).toThrow('has no metric');
});

test.each(everyMetric)('%s: %s is made of metrics and fields that there are', (dataset, name) => {
  const { fields } = datasetOf(dataset);
  for (const leaf of leavesOf(dataset, name)) {
    const formula = leafFormulaOf(dataset, leaf);
    const of =
      'of' in formula ? (typeof formula.of === 'string' ? [formula.of] : [formula.of.from, formula.of.to]) : [];
    const asked = [
      ...of,
      ...Object.keys(('where' in formula && formula.where) || {}),
      ...('datedBy' in formula && formula.datedBy ? [formula.datedBy] : []),
    ];
    for (const field of asked.filter((text) => text !== rows)) expect(Object.keys(fields)).toContain(field);
  }
});

test.each(everyMetric)('%s: %s counts only states that there are', (dataset, name) => {
  for (const leaf of leavesOf(dataset, name)) {
    const formula = leafFormulaOf(dataset, leaf);
    for (const [field, allowed] of Object.entries(('where' in formula && formula.where) || {})) {
      const { type } = datasetOf(dataset).fields[field]!;
      if (typeof type !== 'string' && allowed !== 'positive')
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
] as const)('%s', (_what, name, leaves, expected) => {
  expect(value('orders', name, leaves)).toBe(expected);
});

test('each metric at the bottom is asked for once', () => {
  expect(leavesOf('orders', 'average_order')).toEqual(['gross', 'discounts', 'refunds', 'orders']);
  expect(leavesOf('donations', 'one_off_gross')).toEqual(['gross', 'recurring_gross']);
  expect(leavesOf('donations', 'donors')).toEqual(['donors']);
});

test('sums and their differences are sums over rows, quotients and medians are not', () => {
  expect(['gross', 'net_sales', 'orders', 'returning_orders'].every((name) => isSumOfLeaves('orders', name))).toBe(
    true,
  );
  expect(isSumOfLeaves('orders', 'average_order')).toBe(false);
  expect(isSumOfLeaves('donations', 'median_gift')).toBe(false);
});
