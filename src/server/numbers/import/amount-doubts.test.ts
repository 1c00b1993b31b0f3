import { expect, test } from 'vitest';
import type { Row, Rule } from '#server/platform/imports/mapping-rules.ts';
import type { NumberRow } from '../number-row.ts';
import { NumberRowReader } from './number-row-reader.ts';
import { type NumbersMapping, numbersMappings } from './numbers-mapping.ts';
import { doubtsOf, rowDoubts, ValueDoubts } from './preview-doubts.ts';

const mappingOf = (more: object, currency: string | null = 'EUR'): NumbersMapping =>
  numbersMappings.payments.parse({
    ...{ dataset: 'payments', source: 'shop', ...(currency && { currency }) },
    fields: {
      ...{ external_id: 'id', order_ref: 'id', attempted_at: { constant: '2026-03-05' } },
      ...{ status: { constant: 'paid' }, amount: { number: 'amount', decimal: '.' }, ...more },
    },
  });
const rowsOf = (rows: readonly Readonly<Record<string, string>>[]): Row[] =>
  rows.map((row, index) => ({ id: String(index), ...row }));

/** What an import says of the rows, and what the preview does. */
function said(
  rows: readonly Readonly<Record<string, string>>[],
  mapping: NumbersMapping,
  dataset: NumbersMapping['dataset'] = 'payments',
) {
  const reader = new NumberRowReader(dataset, mapping, 'UTC');
  const values = new ValueDoubts(mapping);
  const read = rowsOf(rows).map((row) => ({ row, text: JSON.stringify(row), read: reader.read(row) as NumberRow }));
  for (const one of read) values.add(one.row, one.read);
  const preview = [
    ...doubtsOf(
      dataset,
      mapping,
      read.map((one) => one.read),
    ),
    ...rowDoubts(mapping, read, 'UTC'),
  ];
  return {
    ran: values.warnings(true).map(({ column, reason }) => `${column} ${reason}`),
    preview: preview.map(({ field, reason }) => `${field}: ${reason}`),
  };
}

const amounts = (texts: readonly string[]) => texts.map((amount) => ({ amount }));

test('signs that the currency can have are no doubt, and neither are those of own units or unknown ones', () => {
  const isFine = (code: string, texts: readonly string[]) =>
    expect(said(amounts(texts), mappingOf({}, code)), code).toEqual({ ran: [], preview: [] });
  for (const code of ['USD', 'CAD', 'AUD', 'MXN', 'CLP', 'MOP', 'BRL']) isFine(code, ['$1,000.00', '5.00']);
  for (const code of ['JPY', 'CNY']) isFine(code, ['¥120', '￥80']);
  for (const code of ['GBP', 'EGP']) isFine(code, ['£1.20', '2.00']);
  isFine('EUR', ['€1.20', '2.00 €', '3.00', '₨4.00']);
  isFine('USD', ['US$1.20']);
  isFine('CAD', ['CA$1.20', 'C$2.20']);
  isFine('POINTS', ['$1.20']);
});

test('amounts with another currency’s sign are counted by sign, also where all have it', () => {
  const words = (count: string, sign: string, code = 'EUR') =>
    `Amount has ${count} written with ${sign}, but the currency is ${code}. Choose a column for Currency, or fix the file`;
  const mixed = said(amounts(['$1,000.00', '€500.00', '£20.00', '$3.00']), mappingOf({}));
  const expected = [words('2 amounts', '$'), words('1 amount', '£')];
  expect(mixed).toEqual({ ran: expected, preview: expected.map((one) => `amount: ${one}`) });
  expect(said(amounts(['$1.00', '$2.00', '$3.00']), mappingOf({})).ran).toEqual([words('3 amounts', '$')]);
  expect(said(amounts(['US$1.00']), mappingOf({}, 'CAD')).ran).toEqual([words('1 amount', 'US$', 'CAD')]);
});

const paid = (amount: string, fee: string, more = {}) => ({ amount, fee, ...more });
const fees = mappingOf({ fee: 'fee' });

test('fees that are negative get a doubt in imports too, also if a few were given back', () => {
  const tail = 'negative, so a rise would count as a fall. Choose “Flip sign”';
  const some = [paid('100.50', '-3.00'), paid('200', '-6.00'), paid('300', '-9.00')];
  expect(said(some, fees)).toEqual({
    ran: ['Fee is negative in all 3 rows with a value, so a rise would count as a fall. Choose “Flip sign”'],
    preview: [`fee: Every amount is ${tail}`],
  });
  expect(said([...some, paid('50', '1.50')], fees)).toEqual({
    ran: ['Fee is negative in 3 of 4 rows with a value, so a rise would count as a fall. Choose “Flip sign”'],
    preview: [`fee: 3 of 4 amounts are ${tail}`],
  });
  const turned = mappingOf({ fee: { negate: 'fee' } });
  expect(said([...some, paid('50', '1.50')], turned)).toEqual({ ran: [], preview: [] });
  const givenBack = [paid('100.50', '3.10'), paid('100', '3'), paid('100', '3'), paid('50', '-1'), paid('50', '0')];
  expect(said(givenBack, fees)).toEqual({ ran: [], preview: [] });
});

const converted = (amount: string, fee: string, code: string) => paid(amount, fee, { 'Converted Currency': code });

test('fees that are more than their amounts, or in the currency of the payout, get a doubt', () => {
  const remedy = 'If so, choose columns in that currency for Amount and Currency, or “Nothing” for Fee';
  const small = [paid('100.50', '3.20'), paid('0.20', '0.30'), paid('50', '1.75'), paid('80', '2'), paid('9', '0')];
  expect(said(small, fees)).toEqual({ ran: [], preview: [] });
  const larger = [paid('15', '35.40'), paid('20', '47.20'), paid('10', '23.60'), paid('900', '30')];
  const words = `Fee is more than Amount in 3 of 4 rows with a fee, so it may be in another currency. ${remedy}`;
  expect(said(larger, fees)).toEqual({ ran: [words], preview: [`fee: ${words}`] });
  const same = [converted('15', '0.75', 'eur'), converted('20', '0.88', 'eur')];
  expect(said(same, fees)).toEqual({ ran: [], preview: [] });
  const other = [converted('15', '0.75', 'gbp'), converted('20', '0.88', 'gbp')];
  const inPounds = `Fee may be in GBP: “Converted Currency” is GBP in 2 of 2 rows with a fee. ${remedy}`;
  expect(said(other, fees)).toEqual({ ran: [inPounds], preview: [`fee: ${inPounds}`] });
  const right = mappingOf({ fee: 'fee', amount: 'Converted Amount', currency: 'Converted Currency' }, null);
  expect(
    said(
      other.map((row) => ({ ...row, Currency: 'usd', 'Converted Amount': '12' })),
      right,
    ),
  ).toEqual({ ran: [], preview: [] });
});

test('an amount with another amount’s currency gets a doubt, whichever of the two was chosen', () => {
  const stripe = (code: string) => ({
    Amount: '10.50',
    Currency: 'usd',
    'Converted Amount': '8',
    'Converted Currency': code,
  });
  const rows = [stripe('gbp'), stripe('gbp'), stripe('usd')];
  const chosen = (amount: string, currency: string | null) =>
    said(rows, mappingOf({ amount, ...(currency !== null && { currency }) }, currency === null ? 'USD' : null));
  const reasonOf = (amount: string, currency: string, other: string) =>
    `Amount is “${amount}”, but Currency is ${currency}. “${other}” differs from it in 2 of 3 rows. Choose “${other}” for Currency, or an amount in that currency`;
  for (const [amount, currency] of [
    ['Amount', 'Currency'],
    ['Converted Amount', 'Converted Currency'],
    ['Amount', null],
  ] as const)
    expect(chosen(amount, currency)).toEqual({ ran: [], preview: [] });
  const swapped = reasonOf('Converted Amount', '“Currency”', 'Converted Currency');
  expect(chosen('Converted Amount', 'Currency')).toEqual({ ran: [swapped], preview: [`amount: ${swapped}`] });
  expect(chosen('Amount', 'Converted Currency').ran).toEqual([reasonOf('Amount', '“Converted Currency”', 'Currency')]);
  expect(chosen('Converted Amount', null).ran).toEqual([
    reasonOf('Converted Amount', 'the same for all rows', 'Converted Currency'),
  ]);
});

test('a currency column of something else is no doubt, and neither is an amount that names its currency', () => {
  const row = {
    'Amount USD': '10.50',
    'Order amount': '10',
    currency: 'usd',
    feeCurrency: 'gbp',
    amountCurrency: 'eur',
  };
  expect(said([row], mappingOf({ amount: 'Amount USD', currency: 'currency' }, null)).ran).toEqual([]);
  expect(
    said([{ ...row, amountCurrency: '' }], mappingOf({ amount: 'Order amount', currency: 'currency' }, null)).ran,
  ).toEqual([]);
  expect(said([row], mappingOf({ amount: 'Order amount', currency: 'currency' }, null)).ran).toHaveLength(1);
});

const giftsOf = (more: object) =>
  numbersMappings.donations.parse({
    ...{ dataset: 'donations', source: 'box', currency: 'USD' },
    fields: {
      ...{ external_id: 'id', donated_at: { constant: '2026-03-05' }, status: 'status', amount: 'amount' },
      ...{ cause: { constant: 'who-lives' }, ...more },
    },
  });
const many = (count: number, row: Readonly<Record<string, string>>) => Array.from({ length: count }, () => row);

test('negative gifts that count are said of the whole file, and those that don’t count aren’t', () => {
  const gift = { amount: '12.50', status: 'completed' };
  const file = (status: string) => [...many(2500, gift), ...many(60, { amount: '-900.00', status })];
  const tail =
    'If these are refunds, they correctly reduce Gross, but also count as gifts. If these are fees or expenses, leave rows below 0 out';
  expect(said(file('completed'), giftsOf({}), 'donations').ran).toEqual([`Amount is negative in 60 rows. ${tail}`]);
  expect(said(file('refunded'), giftsOf({}), 'donations').ran).toEqual([]);
  const all = said(many(3, { amount: '-9.50', status: 'completed' }), giftsOf({}), 'donations');
  expect(all.ran).toEqual([expect.stringMatching(/^Amount is negative in all 3 rows/)]);
});

test('refunds and disputes of payments in their own rows are said, as each would count as a payment', () => {
  const mapping = mappingOf({ status: 'status' });
  const row = (amount: string, status: string) => ({ amount, status });
  const tail =
    'Each of these rows counts as another paid attempt. Leave them out, and give the payments that they refund the status “Refunded”';
  expect(said([row('10.50', 'paid'), row('-10.50', 'refunded'), row('-2', 'disputed')], mapping)).toEqual({
    ran: [`Amount is negative in 2 refunded or disputed rows. ${tail}`],
    preview: [`amount: Among the first rows, 2 refunds or disputes are negative. ${tail}`],
  });
  expect(said([row('10.50', 'paid'), row('10.50', 'refunded')], mapping)).toEqual({ ran: [], preview: [] });
});

test('rates as amounts are said of the whole file, and not if one row has an amount', () => {
  const rates = many(300, paid('100.50', '0.03'));
  const reason = 'has only values below 1, like rates. This field needs amounts';
  expect(said(rates, fees).ran).toEqual([`Fee ${reason}`]);
  expect(said([...rates, paid('100.50', '3.02')], fees).ran).toEqual([]);
});

test('amounts in cents are said of the whole file, and not if one row has decimals', () => {
  const cents = many(300, paid('10050', '302'));
  const reason = 'has no decimals. If these are cents, choose “Amount in cents”';
  expect(said(cents, fees).ran).toEqual([`Amount ${reason}`, `Fee ${reason}`]);
  expect(said([...cents, paid('99.50', '302')], fees).ran).toEqual([]);
});

test('times that are all midnight are said to be days, in a preview too', () => {
  const timed = mappingOf({ attempted_at: { date: 'when', format: 'M/D/YYYY H:MM' } });
  const rows = Array.from({ length: 20 }, (_, day) => ({ amount: '9.50', when: `2/${day + 1}/2003 0:00` }));
  const words =
    'when has the time 0:00 in all 20 rows with a time. If these are days without times, charts by hour will be wrong';
  expect(said(rows, timed)).toEqual({ ran: [words], preview: [`attempted_at: ${words}`] });
  expect(said(rows.slice(1), timed).ran).toEqual([]);
  expect(said([...rows, { amount: '9.50', when: '2/24/2003 10:00' }], timed).ran).toEqual([]);
  const iso = rows.map(({ amount }, index) => ({
    amount,
    when: `2003-02-${index + 10 > 28 ? 10 : index + 10}T00:00:00Z`,
  }));
  expect(said(iso, mappingOf({ attempted_at: 'when' })).ran).toHaveLength(1);
  expect(
    said(
      iso.map((row) => ({ ...row, when: '2003-02-24' })),
      mappingOf({ attempted_at: 'when' }),
    ).ran,
  ).toEqual([]);
});

test('counts with decimals are refused, or rounded on purpose, and what that changes is said', () => {
  const ads = (more: object) =>
    numbersMappings.affiliate_activity.parse({
      ...{ dataset: 'affiliate_activity', source: 'ads', currency: 'AUD', ...more },
      fields: {
        ...{ external_id: 'id', affiliate: 'id', status: { constant: 'paid' }, day: { constant: '2026-03-05' } },
        ...{ conversions: 'conversions', cost: 'cost', sales: { constant: '9' } },
      },
    });
  const rows = ['0.67', '245.12', '2.00', '0.5'].map((conversions) => ({ conversions, cost: '5' }));
  const [first] = rowsOf(rows);
  expect(new NumberRowReader('affiliate_activity', ads({}), 'UTC').read(first!)).toMatchObject([
    { reason: 'isn’t a whole number: "0.67"' },
  ]);
  const rounding = ads({ round: ['conversions'] });
  expect(new NumberRowReader('affiliate_activity', rounding, 'UTC').read(first!)).toMatchObject({
    ...{ values: { conversions: 1, cost: 50_000n }, texts: { conversions: '0.67' } },
  });
  const reason = 'Conversions is rounded in 3 rows: 246.29 in total became 246';
  expect(said(rows, rounding, 'affiliate_activity')).toEqual({ ran: [reason], preview: [`conversions: ${reason}`] });
  expect(() => ads({ round: ['cost'] })).toThrow('isn’t a field with whole numbers');
});

test('a price that isn’t multiplied by its quantity is a doubt once a row has several units', () => {
  const shop = (gross: Rule, quantity?: string) =>
    numbersMappings.orders.parse({
      ...{ dataset: 'orders', source: 'shop', currency: 'INR' },
      fields: {
        ...{ external_id: 'id', order_ref: 'id', product: { constant: 'green' }, status: { constant: 'completed' } },
        ...{ occurred_at: { constant: '2026-03-05' }, gross, ...(quantity && { quantity }) },
      },
    });
  const row = (PCS: string) => ({ ...{ PCS, RATE: '616.5', 'Total price': '9.5', itemPrice: '5.5' }, MRP: '7.5' });
  const some = [row('1'), row('2'), row('3')];
  const saidOf = (rows: readonly Readonly<Record<string, string>>[], gross: Rule, quantity?: string) =>
    said(rows, shop(gross, quantity), 'orders');
  const reason =
    'may be a unit price, and Quantity is above 1 in 2 rows. If so, choose “Multiply columns” and add the quantity';
  for (const column of ['RATE', 'itemPrice', 'MRP'])
    expect(saidOf(some, column, 'PCS')).toEqual({
      ran: [`${column} ${reason}`],
      preview: [`gross: ${column} ${reason}`],
    });
  const fine = { ran: [], preview: [] };
  expect(saidOf(some, 'RATE')).toEqual(fine);
  expect(saidOf([row('1'), row('1')], 'RATE', 'PCS')).toEqual(fine);
  expect(saidOf(some, { multiply: ['RATE', 'PCS'] }, 'PCS')).toEqual(fine);
  expect(saidOf(some, 'Total price', 'PCS')).toEqual(fine);
});
