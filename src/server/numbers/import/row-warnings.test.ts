import { expect, test } from 'vitest';
import { rowWarnings } from './row-warnings.ts';

const refunded = { status: 'refunded', gross: 95_000n, refunded: 20_000n };
const mapping = { fields: { gross: 'Total' } };
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
  expect(rowWarnings(dataset, values, mapping)).toEqual([]);
});

test('a refunded row with a gross amount doesn’t count as an order, and an open one with a resolved date as open', () => {
  expect(rowWarnings('orders', refunded, mapping)).toEqual([
    { column: 'Status', reason: expect.stringContaining('doesn’t count as an order. Use the status completed') },
  ]);
  expect(rowWarnings('orders', refunded, { ...mapping, refunds: 'full' })).toEqual([]);
  for (const status of ['Em andamento', 'aberto', 'OPEN', 'in-progress', 'Offen'])
    expect(rowWarnings('conversations', { ...ticket, status }, mapping)).toEqual([
      { column: 'Status', reason: expect.stringContaining('The date wins') },
    ]);
});

test('a sale without an amount counts as an order without one, which is only said if the file gives amounts', () => {
  expect(rowWarnings('orders', { status: 'completed' }, mapping)).toEqual([
    { column: 'Gross', reason: 'is blank: the order counts, but this row adds nothing to sales' },
  ]);
  expect(rowWarnings('orders', { status: 'completed' }, { fields: {} })).toEqual([]);
});
