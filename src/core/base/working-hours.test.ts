import { describe, expect, test } from 'vitest';
import type { Holidays } from './holidays.ts';
import { isWorkingDay, secondsWithin, subtractWorkingHours, weekdaysOff, workingSpans } from './working-hours.ts';

const back = (now: string, hours: number, zone = 'UTC', off: Holidays = []): string =>
  subtractWorkingHours(Temporal.Instant.from(now), hours, { zone, holidays: off }).toString();

const between = (from: string, to: string, zone = 'UTC', off: Holidays = []) => {
  const [start, end] = [Temporal.Instant.from(from), Temporal.Instant.from(to)];
  const span = { from: start.epochMilliseconds, to: end.epochMilliseconds };
  return secondsWithin(workingSpans(start, end, { zone, holidays: off }), span) / 3600;
};

/** A Wednesday, and a Saturday to Monday. */
const holidays: Holidays = [
  { firstDay: '2026-11-18', lastDay: '2026-11-18', name: 'Prayer Day' },
  { firstDay: '2026-11-21', lastDay: '2026-11-23', name: 'Long weekend' },
];

describe('holidays', () => {
  test('are no working days, on weekends once', () => {
    const week = Array.from({ length: 9 }, (_, index) => Temporal.PlainDate.from('2026-11-16').add({ days: index }));
    expect(week.filter((day) => isWorkingDay(day, holidays)).map(({ day }) => day)).toEqual([16, 17, 19, 20, 24]);
    expect(week.filter((day) => isWorkingDay(day, [])).map(({ day }) => day)).toEqual([16, 17, 18, 19, 20, 23, 24]);
    expect(weekdaysOff([...holidays, ...holidays])).toEqual(['2026-11-18', '2026-11-23']);
  });

  test('have no working hours', () => {
    expect(back('2026-11-19T10:00:00Z', 2, 'UTC', holidays)).toBe('2026-11-17T16:00:00Z');
    expect(back('2026-11-18T12:00:00Z', 8, 'UTC', holidays)).toBe('2026-11-17T09:00:00Z');
    expect(between('2026-11-16T10:00:00Z', '2026-11-23T17:00:00Z', 'UTC', holidays)).toBe(31);
  });
});

describe('working hours back from an instant', () => {
  test.each([
    ['within a day', '2026-11-18T12:00:00Z', 3, '2026-11-18T09:00:00Z'],
    ['over a night', '2026-11-18T12:00:00Z', 4, '2026-11-17T16:00:00Z'],
    ['over a weekend', '2026-11-23T10:00:00Z', 2, '2026-11-20T16:00:00Z'],
    ['over two weeks', '2026-11-18T12:00:00Z', 83, '2026-11-04T09:00:00Z'],
    ['from the evening', '2026-11-18T21:30:00Z', 1, '2026-11-18T16:00:00Z'],
    ['from the early morning', '2026-11-18T08:59:00Z', 1, '2026-11-17T16:00:00Z'],
    ['from a Sunday', '2026-11-22T12:00:00Z', 8, '2026-11-20T09:00:00Z'],
  ])('%s', (_what, now, hours, expected) => {
    expect(back(now, hours)).toBe(expected);
  });

  test('are those of the zone, before and after its clocks change', () => {
    expect(back('2026-10-26T08:30:00Z', 1, 'Europe/Amsterdam')).toBe('2026-10-23T14:30:00Z');
    expect(back('2026-11-18T01:00:00Z', 1, 'Asia/Tokyo')).toBe('2026-11-18T00:00:00Z');
  });
});

describe('working hours between two instants', () => {
  test.each([
    ['within a day', '2026-11-18T09:00:00Z', '2026-11-18T12:00:00Z', 3],
    ['at night', '2026-11-18T17:00:00Z', '2026-11-19T09:00:00Z', 0],
    ['on a weekend', '2026-11-21T00:00:00Z', '2026-11-22T23:00:00Z', 0],
    ['of a sprint', '2026-11-16T10:00:00Z', '2026-11-23T10:00:00Z', 40],
    ['until an earlier instant', '2026-11-18T12:00:00Z', '2026-11-18T10:00:00Z', 0],
  ])('%s', (_what, from, to, hours) => {
    expect(between(from, to)).toBe(hours);
  });

  test('are those of the zone, and as many as hours are subtracted', () => {
    expect(between('2026-11-18T00:00:00Z', '2026-11-18T10:00:00Z', 'Asia/Tokyo')).toBe(8);
    const now = Temporal.Instant.from('2026-10-26T08:30:00Z');
    const since = subtractWorkingHours(now, 83, { zone: 'Europe/Amsterdam', holidays: [] });
    expect(between(since.toString(), now.toString(), 'Europe/Amsterdam')).toBe(83);
  });
});
