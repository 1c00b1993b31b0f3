import { expect, test } from 'vitest';
import { LaterHeaders } from './header-doubts.ts';

const row = { id: '1', when: '2026-01-05', amount: '9', note: '' };
const again = { id: 'id', when: 'when', amount: 'amount', note: '' };
const moved = { id: 'id', when: 'amount', amount: ' when ', note: '' };
const below = 'is below line 19,677, which looks like a second line of column names, in another order';
const faultsOf = (...rows: readonly Readonly<Record<string, string>>[]) => {
  const headers = new LaterHeaders();
  return rows.map((one, index) => headers.check(19_677 + index, one, null)?.[0]?.reason ?? null);
};

test('rows that have some names of columns among their values are rows', () => {
  expect(faultsOf(row, { ...row, note: 'amount' }, { ...row, id: 'id', when: 'when' })).toEqual([null, null, null]);
  expect(faultsOf({ id: 'when', when: 'id', amount: '', note: '' }, row)).toEqual([null, null]);
  expect(faultsOf({ id: 'note', when: 'note', amount: 'note', note: '' }, row)).toEqual([null, null]);
});

test('names in the same order are left out alone, and in another order with all rows below', () => {
  expect(faultsOf(again, row)).toEqual(['repeats the column names', null]);
  const [header, ...others] = faultsOf(moved, row, again);
  expect(header).toMatch(/^looks like a second line of column names, in another order\. Save/);
  for (const reason of others) expect(reason).toMatch(new RegExp(`^${below}`));
});

test('in a file of corrected rows, the rows below such names are read', () => {
  const corrected = (one: object) => ({ refused_because: 'Line 3: is below line 2', ...one });
  expect(faultsOf(corrected(moved), corrected(row))).toEqual([expect.stringMatching(/^looks like/), null]);
});
