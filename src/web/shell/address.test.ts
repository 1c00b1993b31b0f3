import { expect, test } from 'vitest';
import { parseSearch, writeSearch } from './address.ts';

test('numbers and JSON in an address stay plain text', () => {
  expect(parseSearch('?task=12&on=true&x={"a":1}')).toEqual({ task: '12', on: 'true', x: '{"a":1}' });
});

test('empty values are left out', () => {
  expect(writeSearch({ task: undefined, person: '', product: null })).toBe('');
});

test('what is written is read again', () => {
  const search = { product: 'free-a-girl', text: 'a & b = c?' };
  expect(parseSearch(writeSearch(search))).toEqual(search);
});
