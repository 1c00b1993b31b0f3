import { expect, test } from 'vitest';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Row } from '#server/platform/imports/mapping-rules.ts';
import { DeductedDoubts } from './deducted-doubts.ts';
import { NumberRowReader } from './number-row-reader.ts';
import { numbersMappings } from './numbers-mapping.ts';

const orders = {
  ...{ external_id: 'Order', order_ref: 'Order', product: { constant: 'codex' }, status: { constant: 'completed' } },
  occurred_at: { constant: '2026-11-02' },
};
const donations = {
  ...{ external_id: 'Order', cause: { constant: 'who-lives' }, status: { constant: 'completed' } },
  donated_at: { constant: '2026-11-02' },
};

/** A row of numbers, by column. */
function doubtsOf(dataset: DatasetKey, fields: object, header: string, ...lines: string[]) {
  const own = dataset === 'orders' ? orders : donations;
  const mapping = numbersMappings[dataset].parse({
    dataset,
    source: 'x',
    currency: 'EUR',
    fields: { ...own, ...fields },
  });
  const reader = new NumberRowReader(dataset, mapping, 'UTC');
  const doubts = new DeductedDoubts(mapping);
  for (const [index, line] of lines.entries()) {
    const cells = [String(index), ...line.split(' ')];
    const row: Row = Object.fromEntries(['Order', ...header.split(' ')].map((name, at) => [name, cells[at]]));
    const read = reader.read(row);
    if (!('externalId' in read)) throw new Error(JSON.stringify(read));
    doubts.add(row, read);
  }
  return doubts;
}
const reasonsOf = (...given: Parameters<typeof doubtsOf>) => {
  const { warnings, unclear } = doubtsOf(...given);
  return [...warnings, ...unclear].map(({ field, reason }) => `${field}: ${reason}`);
};

const amount = { gross: 'Amount', discount: 'Discount', quantity: 'Quantity' };
const lines = ['100 2 180 20', '300 1 270 30', '50 3 150 0', '100 1 90 10'];

test('an amount before its discount, or without one, is no doubt', () => {
  const header = 'Price Quantity Amount Discount';
  expect(reasonsOf('orders', amount, header, '100 2 200 20', '300 1 300 30', '100 1 100 10')).toEqual([]);
  expect(reasonsOf('orders', amount, header, '100 2 200 0', '300 1 300 0', '100 1 100 0')).toEqual([]);
  // What is left after the discount shows it too.
  expect(
    reasonsOf('orders', amount, 'Net Quantity Amount Discount', '180 2 200 20', '270 1 300 30', '90 1 100 10'),
  ).toEqual([]);
  const multiplied = { ...amount, gross: { multiply: ['Price', 'Quantity'] } };
  expect(reasonsOf('orders', multiplied, header, ...lines)).toEqual([]);
});

test('an amount that is price × quantity − discount would have its discount subtracted twice', () => {
  const reason =
    'gross: is “Price” × “Quantity” − Discount in 3 of 3 rows with a discount, so net sales would subtract the discount twice. Choose “Multiply columns” with both for Gross, or nothing for Discount';
  expect(reasonsOf('orders', amount, 'Price Quantity Amount Discount', ...lines)).toEqual([reason]);
  // Written in German.
  const written = (column: string) => ({ number: column, decimal: ',' });
  const german = { gross: written('Betrag'), discount: written('Rabatt'), quantity: 'Menge' };
  const cells = lines.map((line) => line.replace(/(\d+) (\d) (\d+) (\d+)/, '$1,00 $2 $3,00 $4,00'));
  expect(reasonsOf('orders', german, 'Einzelpreis Menge Betrag Rabatt', ...cells)).toEqual([
    reason.replace('Price', 'Einzelpreis').replace('Quantity', 'Menge'),
  ]);
  // Some lines are of something else, but most aren't.
  expect(reasonsOf('orders', amount, 'Price Quantity Amount Discount', ...lines, '100 1 70 20')).not.toContain(reason);
});

test('a total with shipping or tax, or without its refund, is explained by its parts', () => {
  const shipped = ['200 2 185 20 5', '300 1 277 30 7', '80 1 70 10 0', '95 1 94 5 4'];
  expect(reasonsOf('orders', amount, 'Subtotal Quantity Amount Discount Shipping', ...shipped)).toEqual([
    'gross: is “Subtotal” − Discount + “Shipping” in 4 of 4 rows with a discount, so net sales would subtract the discount twice. Choose “Subtotal” for Gross, or nothing for Discount',
  ]);
  const taxed = { ...amount, tax: 'Tax' };
  expect(reasonsOf('orders', taxed, 'Subtotal Quantity Amount Discount Tax', ...shipped)).toEqual([
    expect.stringContaining('“Subtotal” − Discount + Tax in 4 of 4 rows'),
  ]);
  const refunded = { gross: 'Amount', refunded: 'Refunded' };
  expect(reasonsOf('orders', refunded, 'Paid Amount Refunded', '200 150 50', '300 0.01 299.99', '80 70 10')).toEqual([
    'gross: is “Paid” − Refunded in 3 of 3 rows with a refund, so net sales would subtract the refund twice. Choose “Paid” for Gross, or nothing for Refunded',
  ]);
  const both = { ...refunded, discount: 'Discount' };
  expect(
    reasonsOf('orders', both, 'Paid Amount Refunded Discount', '200 140 50 10', '300 190 100 10', '80 69 10 1'),
  ).toEqual([expect.stringContaining('subtract the discount and refund twice')]);
});

test('a gift or payment without its fee', () => {
  const fee = { amount: 'Net', fee: 'Fee' };
  const gifts = ['10 9.5 0.5', '20 19.1 0.9', '100 96 4'];
  expect(reasonsOf('donations', fee, 'Gross Net Fee', ...gifts)).toEqual([
    'amount: is “Gross” − Fee in 3 of 3 rows with a fee, so Net of fees would subtract the fee twice. Choose “Gross” for Amount, or nothing for Fee',
  ]);
  expect(reasonsOf('donations', { ...fee, amount: 'Gross' }, 'Gross Net Fee', ...gifts)).toEqual([]);
});

test('a total beside a discount is a doubt while no column shows which of them it is', () => {
  const unclear =
    'discount: “Amount” may already be without the discount, which net sales subtract. If it is, choose nothing for Discount';
  expect(reasonsOf('orders', amount, 'Quantity Amount Discount', '2 180 20', '1 270 30')).toEqual([unclear]);
  expect(reasonsOf('orders', amount, 'Quantity Amount Discount', '2 180 0', '1 270 0')).toEqual([]);
  for (const gross of ['Gross', 'Brutto', 'List_total', 'Lineitem-price'])
    expect(reasonsOf('orders', { ...amount, gross }, `Quantity ${gross} Discount`, '2 180 20', '1 270 30')).toEqual([]);
});
