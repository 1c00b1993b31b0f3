import { expect, test } from 'vitest';
import type { DataColumn } from '#web/ui/data-table.tsx';
import { matches } from '#web/ui/matches.ts';
import { ordered } from './row-order.ts';

type Row = { readonly name: string; readonly share: number | null };

const columns: readonly DataColumn<Row>[] = [
  { id: 'name', title: 'Name', sortBy: ({ name }) => name, cell: () => null },
  { id: 'share', title: 'Share', sortBy: ({ share }) => share, cell: () => null },
  { id: 'trend', title: 'Trend', cell: () => null },
];
const rows: readonly Row[] = [
  { name: 'Émile', share: 9 },
  { name: 'ada', share: null },
  { name: 'Zoë', share: 100 },
  { name: 'Ben', share: 50.5 },
];
const namesBy = (id: string, desc: boolean) => ordered(rows, columns, { id, desc }).map(({ name }) => name);

test('what has no value stands last in both directions', () => {
  expect(namesBy('share', false)).toEqual(['Émile', 'Ben', 'Zoë', 'ada']);
  expect(namesBy('share', true)).toEqual(['Zoë', 'Ben', 'Émile', 'ada']);
});

test('names stand as in a dictionary', () => {
  expect(namesBy('name', false)).toEqual(['ada', 'Ben', 'Émile', 'Zoë']);
});

test('a column that is not sorted by keeps the order', () => {
  expect(namesBy('trend', true)).toEqual(['Émile', 'ada', 'Zoë', 'Ben']);
});

test.each([
  ['Zoë Müller connect', 'zoe', true],
  ['Zoë Müller connect', 'MULLER zoë', true],
  ['Zoë Müller connect', '', true],
  ['Zoë Müller connect', '  ', true],
  ['Zoë Müller connect', 'zoe green', false],
])('%s matches "%s": %s', (text, search, expected) => {
  expect(matches(text, search)).toBe(expected);
});
