import { expect, test } from 'vitest';
import { columnsOfRows, flatRow, ListDoubts } from './nested-columns.ts';

test('an object with too many names or levels is one column, and so are a list and a name with a dot', () => {
  const wide = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, at]));
  const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
  expect(flatRow({ wide, list: [{ id: 1 }], 'x.y': { z: 1 }, none: {}, ...deep })).toEqual({
    ...{ wide, list: [{ id: 1 }], 'x.y': { z: 1 }, none: {} },
    'a.b.c.d.e': { f: 1 },
  });
});

test('values in objects are columns by path, also where some rows lack the object', () => {
  const rows = [
    { id: 1, customer: null, note: null },
    { id: 2, customer: { name: 'Ada', address: null }, note: null },
    { id: 3, customer: { name: 'Bo', address: { country: 'NL' } }, note: null },
  ].map((row) => flatRow(row));
  expect(columnsOfRows([...rows, null])).toEqual(['id', 'note', 'customer.name', 'customer.address.country']);
  expect(columnsOfRows([{ customer: 'Ada' }, flatRow({ customer: { name: 'Bo' } })])).toEqual([
    'customer',
    'customer.name',
  ]);
});

test('an order’s lines in a list are said not to count, and other lists are no doubt', () => {
  const said = (dataset: 'orders' | 'conversations', ...rows: Record<string, unknown>[]) => {
    const doubts = new ListDoubts({ dataset, fields: { external_id: 'id' } });
    for (const row of rows) doubts.add(row);
    return doubts.warnings;
  };
  const lines = (count: number) => ({ id: count, order: { line_items: Array(count).fill({ sku: 'A', quantity: 1 }) } });
  expect(
    said('orders', { id: 1, sku: 'A' }, { id: 2, tags: ['a', 'b'], refunds: [{ id: 1 }], line_items: [] }),
  ).toEqual([]);
  expect(said('conversations', lines(2))).toEqual([]);
  expect(said('orders', lines(2), lines(3), { id: 9, order: { line_items: [] } })).toEqual([
    {
      ...{ field: 'title', column: 'Title', count: 2 },
      reason:
        'can’t be read from the list “order.line_items”, which has up to 3 items per record. Only the record counts. For numbers by Title and SKU, use a file with one row per item',
    },
  ]);
});
