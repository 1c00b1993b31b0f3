import { expect, test } from 'vitest';
import { beginningOf, nextBeginning } from './dataset.ts';
import { datasetKeys, datasetOf } from './datasets.ts';

test('weeks of a month fill every month, beginning with it', () => {
  let day = Temporal.PlainDate.from('2024-01-01');
  while (day.year < 2026) {
    const [begun, next] = [beginningOf('week', day), nextBeginning('week', day)];
    expect([1, 8, 15, 22, 29]).toContain(begun.day);
    expect(Temporal.PlainDate.compare(begun, day)).toBeLessThanOrEqual(0);
    expect(Temporal.PlainDate.compare(day, next)).toBe(-1);
    expect(beginningOf('week', next).equals(next)).toBe(true);
    expect(begun.month).toBe(next.subtract({ days: 1 }).month);
    day = day.add({ days: 1 });
  }
});

test.each([
  ['month', '2026-02-28', '2026-02-01', '2026-03-01'],
  ['week', '2026-02-28', '2026-02-22', '2026-03-01'],
  ['week', '2024-02-29', '2024-02-29', '2024-03-01'],
  ['week', '2026-12-31', '2026-12-29', '2027-01-01'],
] as const)('the %s of %s begins on %s, and the next on %s', (grain, day, begins, next) => {
  const date = Temporal.PlainDate.from(day);
  expect([beginningOf(grain, date).toString(), nextBeginning(grain, date).toString()]).toEqual([begins, next]);
});

test('what numbers read as one field is called like no field of any dataset', () => {
  const fields = new Set(datasetKeys.flatMap((key) => Object.keys(datasetOf(key).fields)));
  const read = datasetKeys.flatMap((key) => Object.entries(datasetOf(key).firstOf ?? {}));
  expect(read.filter(([name]) => fields.has(name))).toEqual([]);
  expect(read.flatMap(([, ofThese]) => ofThese).filter((name) => !fields.has(name))).toEqual([]);
  expect(read).not.toEqual([]);
});
