import { expect, test } from 'vitest';
import { readDate } from './date-formats.ts';
import { dateShapes, hasNoDay, isWrittenDate, unclearDates } from './date-shapes.ts';

test('texts that are mostly no dates have no format, nor do days that could be months', () => {
  expect(dateShapes(['one', 'two', '2026-01-05'])).toEqual([]);
  expect(dateShapes(['3/4/2026', '5/6/2026'])).toEqual([]);
  expect(dateShapes(['', ' '])).toEqual([]);
});

test('two formats in a column are told apart, with counts and an example of each', () => {
  expect(dateShapes(['31/12/2026', '3/4/2026', '2026-01-05', ''])).toEqual([
    { format: 'D/M/YYYY', count: 2, example: '31/12/2026' },
    { format: 'YYYY-MM-DD', count: 1, example: '2026-01-05' },
  ]);
  expect(dateShapes(['2024', '2025'])).toMatchObject([{ format: 'YYYY', count: 2 }]);
  expect(dateShapes(['1/31/26 9:05', '1/2/26 10:00'])).toMatchObject([{ format: 'M/D/YY H:mm', count: 2 }]);
  expect(dateShapes(['2026-01-05T10:00:00Z'])).toMatchObject([{ format: 'ISO', count: 1 }]);
  expect(dateShapes(['2026-01-05 10:00:02 UTC'])).toMatchObject([{ format: 'ISO', count: 1 }]);
  expect(dateShapes(['Mon 3/4/2026', 'Market 5, 2026'])).toEqual([]);
});

test.each(['T00:00:00Z', ' 00:00:00', 'T00:00:00.000+00:00'])('times that are all %s are days', (end) => {
  const days = ['2026-01-05', '2026-01-06', '2026-01-07'];
  const [shape, ...more] = dateShapes([...days.map((day) => day + end), '']);
  expect([shape?.count, more]).toEqual([3, []]);
  const spelling = { format: shape!.format, zone: 'Europe/Berlin' };
  expect(readDate(`2026-01-05${end}`, spelling)).toBe('2026-01-05');
  expect(readDate('2026-01-05T10:00:00Z', spelling)).toContain('T10:00:00');
  const withOther = [...days.map((day) => day + end), '2026-01-08T10:00:00Z'];
  for (const texts of [days.slice(1).map((day) => day + end), withOther])
    expect(dateShapes(texts)).toMatchObject([{ format: 'ISO' }]);
});

test('days that could be months have both formats, unless one of them is clear or no text differs', () => {
  expect(unclearDates(['3/3/2026', '7/2/2026', ''])).toEqual([
    { format: 'D/M/YYYY', example: '7/2/2026' },
    { format: 'M/D/YYYY', example: '7/2/2026' },
  ]);
  expect(unclearDates(['7.2.26 9:05', '7.2.26'])[0]?.format).toBe('D.M.YY H:mm | D.M.YY');
  for (const texts of [['31/1/2026', '7/2/2026'], ['2026-01-05'], ['3/3/2026'], ['a', 'b', '7/2/2026'], []])
    expect(unclearDates(texts)).toEqual([]);
});

test.each([
  ['Sep 21, 2025', 'MMM D, YYYY'],
  ['September 1, 2025', 'MMM D, YYYY'],
  ['Sept. 21 2025', 'MMM D YYYY'],
  ['Sep 21, 2025, 3:05 PM', 'MMM D, YYYY, h:mm A'],
  ['Sep 21, 2025 15:05:09', 'MMM D, YYYY H:mm:ss'],
  ['21 Sep 2025', 'D MMM YYYY'],
  ['21-Sep-25', 'D-MMM-YY'],
  ['1. September 2025 9:05', 'D. MMM YYYY H:mm'],
  ['31/12/2025 3:05:09 pm', 'D/M/YYYY h:mm:ss A'],
  ['12/31/2025 3:05PM', 'M/D/YYYY h:mmA'],
  ['2025/12/31T10:00', 'YYYY/M/D[T]H:mm'],
  ['Saturday, January 4, 2025', 'ddd, MMM D, YYYY'],
  ['Mon, 06 Jan 2025 12:05:02 +0000', 'ddd, D MMM YYYY H:mm:ss Z'],
  ['Tue 31/12/2025 10:00', 'ddd D/M/YYYY H:mm'],
  ['January 1st, 2025', 'MMM Do, YYYY'],
  ['31/12/2025 10:00 UTC', 'D/M/YYYY H:mm Z'],
  ['03/14/2025 09:15 AM PST', 'M/D/YYYY h:mm A Z'],
  ['2025-03-14 09:15:00 CEST', 'YYYY-M-D H:mm:ss Z'],
  ['20250131', 'YYYYMMDD'],
  ['20250131 15:05', 'YYYYMMDD H:mm'],
])('%s has a format that reads it', (text, format) => {
  expect(dateShapes([text])).toEqual([{ format, count: 1, example: text }]);
  expect(readDate(text, { format, zone: 'UTC' })).toMatch(/^2025-/);
  if (!/^2025\D/.test(text)) expect(isWrittenDate(text)).toBe(true);
});

test.each([
  ['1994', 'YYYY', '1994-01-01'],
  ['2026-11', 'YYYY-MM', '2026-11-01'],
  ['2026/11', 'YYYY/MM', '2026-11-01'],
  ['11/2026', 'M/YYYY', '2026-11-01'],
  ['3-2026', 'M-YYYY', '2026-03-01'],
  ['November 2026', 'MMM YYYY', '2026-11-01'],
  ['Sept.-2026', 'MMM-YYYY', '2026-09-01'],
])('%s has no day, and a format that reads it', (text, format, day) => {
  expect(dateShapes([text])).toEqual([{ format, count: 1, example: text }]);
  expect(readDate(text, { format, zone: 'UTC' })).toBe(day);
  expect([hasNoDay(text), isWrittenDate(text)]).toEqual([true, false]);
});

test.each(['2026-13', '13/2026', '2026.11', '1.2034', '2226-11', 'Order 2026', '2026-11-02', '26-11'])(
  '%s is no month of a year',
  (text) => expect(hasNoDay(text)).toBe(false),
);

test.each(['20250231', '20251301', '2025013', '202501311', '03/14/2025 09:15 AM CST', '2025-03-14 09:15 IST'])(
  '%s is no day, or of a zone that it leaves open',
  (text) => expect(dateShapes([text])).toEqual([]),
);

test('names that are no months, and days that a month lacks, are no dates', () => {
  for (const text of ['Desk 21, 2025', 'Sep 31, 2025', '21 Items 2025', 'Order 12 2025']) {
    expect(dateShapes([text])).toEqual([]);
    expect(isWrittenDate(text)).toBe(false);
  }
});
