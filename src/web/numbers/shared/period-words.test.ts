import { expect, test } from 'vitest';
import { bucketLabel, bucketsOf, daysWords } from './period-words.ts';

test.each([
  ['2026-10-01', '2026-11-01', '1–31 Oct 2026'],
  ['2026-10-05', '2026-10-06', '5 Oct 2026'],
])('from %s up to %s is %s', (from, to, words) => {
  expect(daysWords({ from, to })).toBe(words);
});

test('weeks are named by their Monday and months by their first day, also where the range begins later', () => {
  const days = { from: '2026-10-15', to: '2026-11-02' };
  expect(bucketsOf(days, 'week')).toEqual(['2026-10-12', '2026-10-19', '2026-10-26']);
  expect(bucketsOf(days, 'month')).toEqual(['2026-10-01', '2026-11-01']);
  expect(bucketsOf(days, 'day')).toHaveLength(18);
});

test('below the axis, days of about a year or more have their year', () => {
  expect(bucketLabel('2024-12-30', 'week', { from: '2025-01-01', to: '2026-01-01' })).toBe('30 Dec ’24');
  expect(bucketLabel('2025-10-06', 'week', { from: '2025-01-01', to: '2026-12-01' })).toBe('6 Oct ’25');
  expect(bucketLabel('2025-10-06', 'week', { from: '2025-09-01', to: '2025-12-01' })).toBe('6 Oct');
});
