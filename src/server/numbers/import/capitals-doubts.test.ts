import { expect, test } from 'vitest';
import type { Row } from '#server/platform/imports/mapping-rules.ts';
import type { NumberRow } from '../number-row.ts';
import { CapitalsDoubts } from './capitals-doubts.ts';
import { NumberRowReader } from './number-row-reader.ts';
import { numbersMappings } from './numbers-mapping.ts';
import { rowDoubts, ValueDoubts } from './preview-doubts.ts';

const mappingOf = (more: object = {}) =>
  numbersMappings.orders.parse({
    ...{ dataset: 'orders', source: 'shop', currency: 'EUR', ...more },
    fields: {
      ...{ external_id: 'id', product: { constant: 'green' }, order_ref: 'order', customer_ref: 'customer' },
      ...{ occurred_at: { constant: '2026-03-05' }, status: { constant: 'completed' }, gross: { constant: '9' } },
      ...{ channel: 'channel', country: 'country', currency: 'currency' },
    },
  });

function said(rows: readonly Row[], mapping = mappingOf()) {
  const reader = new NumberRowReader('orders', mapping, 'UTC');
  const values = new ValueDoubts(mapping);
  const read = rows.map((given, index) => {
    const row = { id: String(index), order: `o${index}`, currency: 'EUR', ...given };
    return { row, text: JSON.stringify(row), read: reader.read(row) as NumberRow };
  });
  for (const one of read) values.add(one.row, one.read);
  return {
    ran: values.warnings(true).map(({ column, reason, count }) => `${column} ${reason} (${count})`),
    preview: rowDoubts(mapping, read, 'UTC').map(({ field, reason }) => `${field}: ${reason}`),
    customers: new Set(read.map((one) => one.read.values.customer_ref)).size,
  };
}

test('the same capitals, other names, ids of orders and codes of countries are no doubt', () => {
  const rows = [
    { customer: 'Rino Sandaran', channel: 'Email 247', country: 'de', order: 'aB1', currency: 'eur' },
    { customer: 'Rino Sandaran', channel: 'Email 61', country: 'DE', order: 'AB1', currency: 'EUR' },
    { customer: '17850', channel: '', country: 'De', order: 'ab1' },
  ];
  expect(said(rows)).toMatchObject({ ran: [], preview: [] });
});

test('values that differ only in capitals are a doubt, also if there are few of them in a whole file', () => {
  const some = Array.from({ length: 3_000 }, (_, index) => ({ customer: `Customer ${index}` }));
  const rows = [
    ...[{ customer: 'RINO SANDARAN', channel: 'EMAIL' }, ...some, { customer: 'Rino Sandaran', channel: 'Email' }],
    ...[{ customer: 'Ann Lee', channel: 'email' }, { customer: 'rino sandaran' }, { customer: 'ANN LEE' }],
  ];
  const customer = 'so each counts several times. If they’re the same, check “Import Customer in lowercase”';
  const channel =
    'Channel has 1 value in different capitals, such as EMAIL and Email, so it counts several times. If they’re the same, check “Import Channel in lowercase”';
  const found = said(rows);
  expect(found.preview).toEqual([
    `customer_ref: Customer has 2 values in different capitals, such as RINO SANDARAN and Rino Sandaran, ${customer}`,
    `channel: ${channel}`,
  ]);
  // Lists of imports name no customer.
  expect(found.ran).toEqual([`Customer has 2 values in different capitals, ${customer} (2)`, `${channel} (1)`]);
  expect(found.customers).toBe(3_005);
  const inLowercase = said(rows, mappingOf({ lowercase: ['customer_ref', 'channel'] }));
  expect(inLowercase).toEqual({ ran: [], preview: [], customers: 3_002 });
});

test('only texts can be imported in lowercase', () => {
  for (const field of ['gross', 'country', 'currency', 'external_id', 'status'])
    expect(() => mappingOf({ lowercase: [field] }), field).toThrow('isn’t a field with texts');
});

test('a file with more values than are remembered is compared with the first ones', () => {
  const doubts = new CapitalsDoubts(mappingOf(), false);
  const names = Array.from({ length: 100_001 }, (_, index) => `Customer ${index}`);
  for (const customer_ref of [...names, 'CUSTOMER 0', 'CUSTOMER 100000']) doubts.add({}, { values: { customer_ref } });
  const reason = expect.stringContaining('has at least 1 value in different capitals');
  expect(doubts.warnings).toEqual([{ field: 'customer_ref', column: 'Customer', count: 1, reason }]);
});
