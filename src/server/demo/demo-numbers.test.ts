import { expect, test } from 'vitest';
import { causes, salesProducts } from '#core/access/products.ts';
import { datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import type { NumberRow } from '#server/numbers/number-row.ts';
import { demoNumbers } from './demo-numbers.ts';

const now = Temporal.Instant.from('2026-11-20T14:00:00Z');
const zone = 'Europe/Berlin';
const numbers = demoNumbers(now, zone);

/** An invented person's name would look real next to the demo's people. */
const text = JSON.stringify(numbers, (_key, value) => (typeof value === 'bigint' ? String(value) : value));

const dated = (dataset: (typeof datasetKeys)[number], { values }: NumberRow) =>
  String(values[datasetOf(dataset).datedBy]);
const share = (rows: readonly NumberRow[], is: (values: NumberRow['values']) => boolean) =>
  rows.filter(({ values }) => is(values)).length / rows.length;

test('nothing has happened that is still to come, and nothing is no number', () => {
  for (const dataset of datasetKeys)
    for (const row of numbers[dataset])
      expect(dated(dataset, row) <= '2026-11-20T14:00:00Z', dated(dataset, row)).toBe(true);
  expect(text).not.toMatch(/NaN|undefined|Infinity/);
});

test('the same day gives the same numbers, and every row has an id of its own', () => {
  expect(demoNumbers(now, zone)).toEqual(numbers);
  for (const dataset of datasetKeys)
    expect(new Set(numbers[dataset].map(({ externalId }) => externalId)).size).toBe(numbers[dataset].length);
});

test.each(datasetKeys)('%s reach over two years, in values that their fields may have', (dataset) => {
  const months = new Set(numbers[dataset].map((row) => dated(dataset, row).slice(0, 7)));
  expect(months.size).toBeGreaterThanOrEqual(24);
  for (const [name, { type, required }] of Object.entries(datasetOf(dataset).fields)) {
    const values = new Set(numbers[dataset].map((row) => row.values[name] ?? null));
    if (required) expect(values, name).not.toContain(null);
    if (typeof type !== 'string') for (const value of values) if (value !== null) expect(type, name).toContain(value);
  }
});

test.each(datasetKeys.filter((key) => datasetOf(key).currency !== null))(
  '%s are in dollars, with a smaller part in euros',
  (dataset) => {
    const euros = share(numbers[dataset], ({ currency }) => currency === 'EUR');
    expect(euros).toBeGreaterThan(0.05);
    expect(euros).toBeLessThan(0.4);
    expect(share(numbers[dataset], ({ currency }) => currency === 'USD')).toBeCloseTo(1 - euros, 10);
  },
);

test('every product and cause has its numbers, and every state that a page shows is there', () => {
  for (const product of Object.keys(salesProducts))
    expect(share(numbers.orders, (values) => values.product === product)).toBeGreaterThan(0.1);
  for (const cause of Object.keys(causes))
    expect(share(numbers.donations, (values) => values.cause === cause)).toBeGreaterThan(0.1);
  expect(share(numbers.orders, ({ status }) => status === 'refunded')).toBeGreaterThan(0.01);
  // "Top titles" would show them as Unknown.
  expect(share(numbers.orders, ({ title }) => title === undefined)).toBe(0);
  expect(share(numbers.conversations, ({ resolved_at }) => resolved_at === null)).toBeGreaterThan(0);
  const states = new Set(numbers.payouts.map(({ values }) => values.status));
  for (const state of ['paid', 'failed', 'reversed', 'draft', 'approved']) expect(states).toContain(state);
  const kinds = new Set(numbers.payouts.map(({ values }) => values.kind));
  expect([...kinds].sort()).toEqual(['commission', 'goods', 'grant', 'remittance']);
});
