import { expect, test } from 'vitest';
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

const payments = {
  ...{ external_id: 'Order', order_ref: 'Order', product: { constant: 'codex' } },
  status: { constant: 'paid' },
  attempted_at: { constant: '2026-11-02' },
};

/** A row of numbers, by column. */
function doubtsOf(dataset: 'orders' | 'donations' | 'payments', fields: object, header: string, ...lines: string[]) {
  const own = { orders, donations, payments }[dataset];
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

const ordinary: Readonly<Record<string, readonly [object, string, ...string[]]>> = {
  'a full refund': [
    { gross: 'Item_total', refunded: 'Refunded', quantity: 'Quantity' },
    'Price Quantity Item_total Shipping Total Refunded',
    ...['100 1 100 5 105 105', '60 1 60 4 64 64', '30 1 30 5 35 35'],
  ],
  'a full refund of a total that nothing shows': [
    { gross: 'Item_total', refunded: 'Refunded' },
    'Subtotal Item_total Shipping Total Refunded',
    ...['100 100 5 105 105', '60 60 4 64 64', '60 60 5 65 65'],
  ],
  'a coupon beside the discount': [
    { gross: 'Amount', discount: 'Discount' },
    'Subtotal Amount Discount Coupon Total',
    ...['100 100 10 10 90', '80 80 8 8 72', '50 50 7 7 43'],
  ],
  'a refund of a gross that includes tax': [
    { gross: 'Gross', refunded: 'Refunded', tax: 'Tax' },
    'Net Tax Gross Paid Refunded',
    ...['81 19 100 100 100', '162 38 200 200 200', '40.5 9.5 50 50 50'],
  ],
  'a full refund of a service that is also a column': [
    { gross: 'Amount', refunded: 'Refunded' },
    'Service_fee Amount Total Refunded',
    ...['100 100 105 105', '60 60 64 64', '30 30 35 35'],
  ],
  'a refund of a service with tax': [
    { gross: 'Gross', refunded: 'Refunded', tax: 'Tax' },
    'Net Tax Gross Service_fee Refunded',
    ...['81 19 100 100 100', '162 38 200 200 200', '40.5 9.5 50 50 50'],
  ],
  'a few refunds among many orders that are multiplied': [
    { ...amount, refunded: 'Refunded' },
    'Paid Price Quantity Amount Discount Refunded',
    ...Array.from({ length: 40 }, () => '90 50 2 100 10 0'),
    ...['150 90 1 100 0 50', '300 170 1 190 0 110', '80 65 1 70 0 10'],
  ],
  'a few orders that are multiplied among many refunds': [
    { ...amount, refunded: 'Refunded' },
    'RRP Price Quantity Amount Discount Refunded',
    ...['110 50 2 100 10 0', '330 150 2 300 30 0', '55 10 5 50 5 0'],
    ...Array.from({ length: 10 }, () => '100 90 1 100 0 40'),
  ],
  'a list price above the price that is multiplied': [
    amount,
    'RRP Price Quantity Amount Discount',
    ...['110 50 2 100 10', '330 300 1 300 30', '55 10 5 50 5'],
  ],
  'a subtotal, of which tax is read': [
    { gross: 'Subtotal', discount: 'Discount', tax: 'Tax' },
    'Subtotal Discount Shipping Tax Total',
    ...['100 10 5 9 104', '80 8 5 7.2 84.2', '50 50 0 0 0', '60 6 0 5.4 59.4'],
  ],
  'a subtotal with lines, as Shopify writes it': [
    { gross: 'Subtotal', discount: 'Discount_Amount' },
    'Subtotal Shipping Taxes Total Discount_Amount Lineitem_quantity Lineitem_price',
    ...['100 5 9 104 10 1 30', '80 5 7.2 84.2 8 2 20', '120 0 10.8 118.8 12 1 99'],
  ],
  'a subtotal with refunds, as WooCommerce writes it': [
    { gross: 'Order_Subtotal', discount: 'Cart_Discount', refunded: 'Refund_Total' },
    'Order_Subtotal Cart_Discount Order_Shipping Order_Total_Tax Order_Total Refund_Total',
    ...['100 10 5 18.05 113.05 0', '80 8 5 14.63 91.63 91.63', '50 5 5 9.5 59.5 20', '70 0 5 14.25 89.25 89.25'],
  ],
};

test.each(Object.entries(ordinary))('%s is no doubt', (_, [fields, header, ...rows]) => {
  expect(reasonsOf('orders', fields, header, ...rows)).toEqual([]);
});

test('an amount that is price × quantity − discount would have its discount subtracted twice', () => {
  const reason =
    'gross: is “Price” × “Quantity” − Discount in 3 of 3 rows with a discount, so net sales would subtract the discount twice. Choose “Multiply columns” with both for Gross, or “Nothing” for Discount';
  expect(reasonsOf('orders', amount, 'Price Quantity Amount Discount', ...lines)).toEqual([reason]);
  // Written in German.
  const written = (column: string) => ({ number: column, decimal: ',' });
  const german = { gross: written('Betrag'), discount: written('Rabatt'), quantity: 'Menge' };
  const cells = lines.map((line) => line.replace(/(\d+) (\d) (\d+) (\d+)/, '$1,00 $2 $3,00 $4,00'));
  expect(reasonsOf('orders', german, 'Einzelpreis Menge Betrag Rabatt', ...cells)).toEqual([
    reason.replace('Price', 'Einzelpreis').replace('Quantity', 'Menge'),
  ]);
  // Some lines are of something else, but most aren't.
  const [some, unclear] = [[...lines, '100 1 70 20'], ' “Amount” may already have the discount deducted'];
  expect(reasonsOf('orders', amount, 'Price Quantity Amount Discount', ...some)).toEqual([
    expect.stringContaining(`discount:${unclear}`),
  ]);
  expect(reasonsOf('orders', amount, 'Price Quantity Amount Discount', ...lines, ...lines, ...lines, ...some)).toEqual([
    reason.replace('3 of 3', '12 of 13'),
  ]);
});

test('copies of an amount and prices after a discount don’t hide that it is subtracted twice', () => {
  const total = { gross: 'Amount', discount: 'Discount' };
  const copies = ['100 90 90 10 10', '80 72 72 8 8', '50 43 43 7 7'];
  expect(reasonsOf('orders', total, 'Subtotal Amount Copy Discount Coupon', ...copies)).toEqual([
    expect.stringContaining('is “Subtotal” − Discount in 3 of 3 rows'),
  ]);
  const prices = ['100 90 1 90 10', '80 72 1 72 8', '50 43 1 43 7'];
  expect(reasonsOf('orders', amount, 'List Discounted_price Quantity Amount Discount', ...prices)).toEqual([
    expect.stringContaining('is “List” − Discount in 3 of 3 rows'),
  ]);
  const several = ['100 90 2 180 20', '80 72 3 216 24', '50 43 2 86 14'];
  expect(reasonsOf('orders', amount, 'List Discounted_price Quantity Amount Discount', ...several)).toEqual([
    expect.stringContaining('is “List” × “Quantity” − Discount in 3 of 3 rows'),
  ]);
  // At half the price, a discount is as much as the amount.
  const halves = ['100 50 50 9', '80 40 40 7', '60 30 30 5'];
  expect(reasonsOf('orders', { ...total, tax: 'Tax' }, 'Subtotal Amount Discount Tax', ...halves)).toEqual([
    expect.stringContaining('is “Subtotal” − Discount in 3 of 3 rows'),
  ]);
});

test('a total with shipping or tax, or without its refund, is explained by its parts', () => {
  const shipped = ['200 2 185 20 5', '300 1 277 30 7', '80 1 70 10 0', '95 1 94 5 4'];
  expect(reasonsOf('orders', amount, 'Subtotal Quantity Amount Discount Shipping', ...shipped)).toEqual([
    'gross: is “Subtotal” − Discount + “Shipping” in 4 of 4 rows with a discount, so net sales would subtract the discount twice. Choose “Subtotal” for Gross, or “Nothing” for Discount',
  ]);
  const taxed = { ...amount, tax: 'Tax' };
  expect(reasonsOf('orders', taxed, 'Subtotal Quantity Amount Discount Tax', ...shipped)).toEqual([
    expect.stringContaining('“Subtotal” − Discount + Tax in 4 of 4 rows'),
  ]);
  const refunded = { gross: 'Amount', refunded: 'Refunded' };
  expect(reasonsOf('orders', refunded, 'Paid Amount Refunded', '200 150 50', '300 0.01 299.99', '80 70 10')).toEqual([
    'gross: is “Paid” − Refunded in 3 of 3 rows with a refund, so net sales would subtract the refund twice. Choose “Paid” for Gross, or “Nothing” for Refunded',
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
    'amount: is “Gross” − Fee in 3 of 3 rows with a fee, so Net of fees would subtract the fee twice. Choose “Gross” for Amount, or “Nothing” for Fee',
  ]);
  // Paid doesn't subtract it.
  expect(reasonsOf('payments', fee, 'Gross Net Fee', ...gifts)).toEqual([
    'amount: is “Gross” − Fee in 3 of 3 rows with a fee, so Paid would leave out the fee. Choose “Gross” for Amount',
  ]);
  expect(reasonsOf('donations', { ...fee, amount: 'Gross' }, 'Gross Net Fee', ...gifts)).toEqual([]);
});

test('a total beside a discount is a doubt while neither a column nor its name shows which of them it is', () => {
  const rows = ['2 180 20', '1 270 30', '1 91 9'];
  const ofName = (gross: string, ...cells: string[]) =>
    reasonsOf('orders', { ...amount, gross }, `Quantity ${gross} Discount`, ...cells);
  const unclear = (name: string) =>
    `discount: “${name}” may already have the discount deducted, so net sales would deduct it twice. If so, choose “Nothing” for Discount`;
  expect(ofName('Amount', ...rows)).toEqual([unclear('Amount')]);
  expect(ofName('Amount', '2 180 0', '1 270 0', '1 91 0')).toEqual([]);
  expect(ofName('Amount', ...rows.slice(1))).toEqual([]);
  for (const after of [
    ...['Final_price', 'Price_after_discount', 'Gesamtpreis', 'Preço_total', 'Discounted_price', 'Brutto', 'Price'],
    ...['NetUnitPrice', 'Unit_price_paid', 'Prix_après_remise', 'Discounted_price_before_tax', 'Preço_total'],
    ...['Total_before_tax', 'Listing', 'Total_list_price', 'Ocean_total'],
  ])
    expect(ofName(after, ...rows)).toEqual([unclear(after)]);
  for (const before of [
    ...['Gross', 'Gross_sales', 'Lineitem-price', 'UnitPrice', 'Einzelpreis', 'Preço_unitário', 'Prix_unitaire'],
    ...['List_price', 'OriginalPrice', 'Regular_amount', 'UVP', 'Compare_at_price', 'Listenpreis', 'Price_before'],
    ...['Total_before_discount', 'Total_before_tax_and_discount', 'Betrag_vor_Rabatt', 'Net_price_without_discount'],
    ...['Montant_avant_remise', 'Total_antes_de_descuento', 'Total_sem_desconto', 'Preço_unitário'.normalize('NFD')],
  ])
    expect(ofName(before, ...rows)).toEqual([]);
});

test('only a column that is named for shipping, tax or a fee explains what is left', () => {
  const rows = ['200 185 20 5', '300 277 30 7', '80 74 10 4', '95 94 5 4'];
  const ofName = (name: string) =>
    doubtsOf('orders', { gross: 'Amount', discount: 'Discount' }, `Subtotal Amount Discount ${name}`, ...rows).warnings;
  for (const name of ['Shipping', 'Total_Tax', 'Versandkosten', 'MwSt.', 'Frais_de_port', 'ShippingFee'])
    expect(ofName(name)).toMatchObject([{ reason: expect.stringContaining(`− Discount + “${name}” in 4 of 4 rows`) }]);
  // Nor is what is left twice the same.
  const twice = ['40 70 10', '60 100 20', '30 52 8'];
  const total = { gross: 'Amount', discount: 'Discount' };
  for (const name of ['Shipping', 'Tax'])
    expect(doubtsOf('orders', total, `${name} Amount Discount`, ...twice).warnings).toEqual([]);
  for (const name of ['Points', 'Paid_without_shipping', 'Price_incl_tax', 'Shipping_discount', 'Taxable'])
    expect(ofName(name)).toEqual([]);
});

test('tax and shipping together explain what is left', () => {
  const rows = ['200 194 20 5 9', '300 291 30 7 14', '80 77 10 4 3'];
  const header = 'Subtotal Amount Discount Shipping VAT';
  for (const [fields, tax] of [
    [{}, '“VAT”'],
    [{ tax: 'VAT' }, 'Tax'],
  ] as const)
    expect(reasonsOf('orders', { gross: 'Amount', discount: 'Discount', ...fields }, header, ...rows)).toEqual([
      expect.stringContaining(`is “Subtotal” − Discount + “Shipping” + ${tax} in 3 of 3 rows with a discount,`),
    ]);
});

test('a row counts for what it has, and only the first rows do', () => {
  const fields = { gross: 'Amount', refunded: 'Refunded', discount: 'Discount' };
  const [discounts, both] = [
    ['200 180 0 20', '300 270 0 30', '80 72 0 8'],
    ['200 140 50 10', '300 190 100 10'],
  ];
  const rowsOf = (...rows: string[]) => reasonsOf('orders', fields, 'Paid Amount Refunded Discount', ...rows);
  expect(rowsOf(...discounts, ...both)).toEqual([
    expect.stringContaining('is “Paid” − Discount in 3 of 3 rows with only a discount, so'),
  ]);
  expect(rowsOf(...both, ...both)).toEqual([
    expect.stringMatching(
      /is “Paid” − Discount − Refunded in 4 of 4 rows with a discount and a refund, so .* the discount and refund twice/,
    ),
  ]);
  const many = Array.from({ length: 400 }, (_, at) => `${at + 200} ${at + 190} 0 10`);
  expect(rowsOf(...many)).toEqual([expect.stringContaining('in 300 of the first 300 rows with a discount, so')]);
});
