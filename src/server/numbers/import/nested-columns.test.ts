import { expect, test } from 'vitest';
import { columnsOfRows, flatRow } from './nested-columns.ts';

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
