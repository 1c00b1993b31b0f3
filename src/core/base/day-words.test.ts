import { expect, test } from 'vitest';
import {
  clockInZone,
  dayInZone,
  daySpan,
  daySpanWithYear,
  dayWithYear,
  dayWords,
  formatInstant,
  instantWithSeconds,
  instantWithYear,
  monthWithYear,
  shortMonthWithYear,
  weekdayOf,
} from './day-words.ts';

const words = (day: string) => [
  weekdayOf(day),
  dayWords(day),
  dayWithYear(day),
  monthWithYear(day),
  shortMonthWithYear(day),
];

test('a day comes before its month of three letters', () => {
  expect(words('2026-09-05')).toEqual(['Sat', '5 Sep', '5 Sep 2026', 'September 2026', 'Sep ’26']);
  expect(words('2009-12-28')).toEqual(['Mon', '28 Dec', '28 Dec 2009', 'December 2009', 'Dec ’09']);
});

test('every month has the three letters of the language', () => {
  const format = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });
  for (let month = 1; month <= 12; month += 1) {
    const day = `2026-${String(month).padStart(2, '0')}-05`;
    expect(dayWords(day)).toBe(`5 ${format.format(new Date(`${day}T00:00:00Z`))}`);
  }
});

test.each([
  ['2026-10-05', '2026-10-05', '5 Oct 2026', '5 Oct'],
  ['2026-10-01', '2026-10-31', '1–31 Oct 2026', '1–31 Oct'],
  ['2026-09-29', '2026-10-04', '29 Sep – 4 Oct 2026', '29 Sep – 4 Oct'],
  ['2025-12-29', '2026-01-04', '29 Dec 2025 – 4 Jan 2026', '29 Dec 2025 – 4 Jan 2026'],
])('from %s to %s is %s', (first, last, long, short) => {
  expect([daySpanWithYear(first, last), daySpan(first, last)].map((text) => text.replaceAll('\u2009', ' '))).toEqual([
    long,
    short,
  ]);
});

test('an instant is shown on the clock of the zone that is asked for', () => {
  expect(formatInstant('2026-11-23T10:00:00Z', 'Europe/London')).toBe('Mon 23 Nov 10:00');
  expect(instantWithYear('2026-12-31T23:30:00Z', 'Europe/Amsterdam')).toBe('1 Jan 2027, 00:30');
  expect(instantWithSeconds('2026-12-31T23:30:05.999Z', 'Europe/Amsterdam')).toBe('1 Jan 2027, 00:30:05');
  expect(formatInstant('2026-11-23T03:05:59.999Z', 'America/New_York')).toBe('Sun 22 Nov 22:05');
  expect(dayInZone('2026-11-23T03:00:00Z', 'America/New_York')).toBe('2026-11-22');
  expect(clockInZone('2026-11-23T03:05:59.999Z', 'America/New_York')).toBe('22:05');
});
