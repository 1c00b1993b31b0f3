import { expect, test } from 'vitest';
import type { NumberRow, NumberValue } from '../number-row.ts';
import { FileTotals } from './file-totals.ts';

const rowOf = (values: Record<string, NumberValue>): NumberRow => ({ externalId: '', labels: {}, texts: {}, values });

test('no row adds up to nothing', () => {
  expect(new FileTotals('orders', 'UTC').all).toEqual([]);
});

test('amounts of two products or currencies are never added, and days are the company’s', () => {
  const totals = new FileTotals('orders', 'Europe/Amsterdam');
  for (const [product, currency, gross, at] of [
    ['green', 'EUR', 10_000n, '2026-01-31T23:30:00.000Z'],
    ['green', 'EUR', null, '2026-01-02T10:00:00.000Z'],
    ['green', 'USD', 5n, '2026-01-03T10:00:00.000Z'],
    ['codex', 'EUR', -7n, '2026-01-03T10:00:00.000Z'],
  ] as const)
    totals.add(rowOf({ product, currency, gross, occurred_at: at, status: 'completed' }));
  expect(totals.all.map(({ statuses: _, refunded: _refunded, ...total }) => total)).toEqual([
    ...[{ scope: 'green', currency: 'EUR', rows: 2, amount: '10000', firstDay: '2026-01-02', lastDay: '2026-02-01' }],
    ...[{ scope: 'green', currency: 'USD', rows: 1, amount: '5', firstDay: '2026-01-03', lastDay: '2026-01-03' }],
    ...[{ scope: 'codex', currency: 'EUR', rows: 1, amount: '-7', firstDay: '2026-01-03', lastDay: '2026-01-03' }],
  ]);
});

test('a total says how much of it each status has', () => {
  const totals = new FileTotals('donations', 'UTC');
  for (const [status, amount] of [
    ['refunded', 40n],
    ['completed', 100n],
    ['completed', 200n],
  ] as const)
    totals.add(rowOf({ cause: 'gza', currency: 'GBP', amount, status, donated_at: '2026-01-03T10:00:00.000Z' }));
  expect(totals.all).toMatchObject([
    {
      ...{ rows: 3, amount: '340' },
      statuses: [
        { status: 'completed', rows: 2, amount: '300' },
        { status: 'refunded', rows: 1, amount: '40' },
      ],
    },
  ]);
});

test('a dataset without products, currencies or amounts has one total', () => {
  const totals = new FileTotals('conversations', 'UTC');
  totals.add(rowOf({ opened_at: '2026-01-03T10:00:00.000Z', status: 'open' }));
  const none = { scope: null, currency: null, amount: null };
  expect(totals.all).toEqual([{ ...none, rows: 1, firstDay: '2026-01-03', lastDay: '2026-01-03', statuses: [] }]);
});

test('an order’s refunds are added up beside its sales', () => {
  const totals = new FileTotals('orders', 'UTC');
  for (const [status, gross, refunded] of [
    ['completed', 100n, null],
    ['refunded', null, 30n],
    ['refunded', null, 5n],
  ] as const)
    totals.add(rowOf({ product: 'green', currency: 'EUR', gross, refunded, status, occurred_at: '2026-01-03T10:00Z' }));
  expect(totals.all).toMatchObject([
    {
      ...{ amount: '100', refunded: '35' },
      statuses: [
        { status: 'refunded', amount: '0', refunded: '35' },
        { status: 'completed', amount: '100', refunded: '0' },
      ],
    },
  ]);
});
