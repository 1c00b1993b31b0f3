import { expect, test } from 'vitest';
import type { NumberRow } from '../number-row.ts';
import { rowWarnings } from './row-warnings.ts';

const refunded = { status: 'refunded', gross: 95_000n, refunded: 20_000n };
const mapping = { fields: { gross: 'Total' } };
type Row = Pick<NumberRow, 'values' | 'texts'>;
const warned = (dataset: 'orders' | 'conversations', values: object, by: Parameters<typeof rowWarnings>[2] = mapping) =>
  rowWarnings(dataset, { values, texts: {} } as Row, by);
const ticket = { status: 'Em andamento', resolved_at: '2024-06-15T00:00:00Z' };

test.each([
  ['a separate refund', 'orders', { ...refunded, gross: null }],
  ['a sale', 'orders', { ...refunded, status: 'completed' }],
  ['a free sale', 'orders', { status: 'completed', gross: 0n }],
  ['a sale that was returned', 'orders', { status: 'completed', refunded: 20_000n }],
  ['a pending order', 'orders', { status: 'pending' }],
  ['a refunded gift', 'donations', { status: 'refunded', amount: 95_000n }],
  ['an open ticket', 'conversations', { ...ticket, resolved_at: null }],
  ['a resolved one', 'conversations', { ...ticket, status: 'fechado' }],
] as const)('no warning: %s', (_, dataset, values) => {
  expect(rowWarnings(dataset, { values, texts: {} } as Row, mapping)).toEqual([]);
});

test('a refunded row with a gross amount doesn’t count as an order, and an open one with a resolved date as open', () => {
  expect(warned('orders', refunded, mapping)).toEqual([
    { column: 'Status', reason: expect.stringContaining('doesn’t count as an order. Use the status “completed”') },
  ]);
  expect(warned('orders', refunded, { ...mapping, refunds: 'full' })).toEqual([]);
  for (const status of ['Em andamento', 'aberto', 'OPEN', 'in-progress', 'Offen'])
    expect(warned('conversations', { ...ticket, status })).toEqual([
      { column: 'Status', reason: expect.stringContaining('so it counts as resolved') },
    ]);
});

test('a sale without an amount counts as an order without one, which is only said if the file gives amounts', () => {
  expect(warned('orders', { status: 'completed' }, mapping)).toEqual([
    { column: 'Gross', reason: 'is blank, so this row adds nothing to sales. Its order still counts' },
  ]);
  expect(warned('orders', { status: 'completed' }, { fields: {} })).toEqual([]);
});

test('a time that ends before it begins, or lacks the time of day, is left out of numbers, which says why', () => {
  const opened = '2024-06-15T10:00:00Z';
  const ends = (resolved_at: string, texts = {}) =>
    rowWarnings('conversations', { values: { opened_at: opened, resolved_at }, texts }, mapping);
  const reason = 'is before Opened, so Resolution leaves the row out. Check the formats of both dates';
  expect(ends('2024-06-15T09:59:00Z')).toEqual([{ column: 'Resolved', reason }]);
  expect(ends(opened)).toEqual([]);
  const noTime = 'has no time of day, so Resolution leaves the row out';
  expect(ends('2024-06-15T00:00:00Z', { resolved_at: '2024-06-15' })).toEqual([{ column: 'Resolved', reason: noTime }]);
  const values = { opened_at: '2024-06-15T00:00:00Z', resolved_at: '2024-06-17T12:00:00Z' };
  expect(rowWarnings('conversations', { values, texts: {}, isDayOnly: true }, mapping)).toEqual([
    { column: 'Opened', reason: noTime },
  ]);
  expect(ends('2024-06-13T00:00:00Z', { resolved_at: '2024-06-13' })).toEqual([{ column: 'Resolved', reason }]);
  const closed = { opened_at: opened, resolved_at: null, closed_at: '2024-06-15T09:59:00Z' };
  expect(warned('conversations', closed)).toEqual([{ column: 'Closed', reason }]);
  // A payout can be paid before it is due.
  const early = { values: { due_at: opened, paid_at: '2024-06-01T00:00:00Z' }, texts: {} };
  expect(rowWarnings('payouts', early, mapping)).toEqual([]);
});
