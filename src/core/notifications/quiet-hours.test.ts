import { describe, expect, test } from 'vitest';
import type { WorkCalendar } from '../base/working-hours.ts';
import { chooseQuietHoursInput } from './notice-inputs.ts';
import { defaultQuietHours, isQuiet, type QuietHours } from './quiet-hours.ts';

const amsterdam: WorkCalendar = { zone: 'Europe/Amsterdam', holidays: [] };
const night: QuietHours = { on: true, from: '19:00', to: '08:00', daysOff: false };

/** What is quiet of these company times. */
const quietOf = (hours: QuietHours, calendar: WorkCalendar, times: readonly string[]) =>
  times.filter((time) =>
    isQuiet(hours, Temporal.PlainDateTime.from(time).toZonedDateTime(calendar.zone).toInstant(), calendar),
  );
const quietAt = (hours: QuietHours, at: string, calendar = amsterdam) =>
  isQuiet(hours, Temporal.Instant.from(at), calendar);

describe('a choice of quiet hours', () => {
  test.each([
    ['the same two times', { from: '08:00', to: '08:00' }, 'to'],
    ['a time without its zero', { from: '8:00' }, 'from'],
    ['the hour 24', { to: '24:00' }, 'to'],
  ])('with %s is refused at its field', (_, part, field) => {
    const { error } = chooseQuietHoursInput.safeParse({ ...night, ...part });
    expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });

  test('without one is off', () => {
    expect(chooseQuietHoursInput.safeParse(defaultQuietHours).success).toBe(true);
    expect(quietAt(defaultQuietHours, '2026-11-18T23:00:00Z')).toBe(false);
  });
});

describe('quiet hours', () => {
  test('over midnight begin in the evening and end in the morning', () => {
    const times = ['2026-11-18T18:59:59', '2026-11-18T19:00', '2026-11-19T00:00', '2026-11-19T07:59:59'];
    expect(quietOf(night, amsterdam, [...times, '2026-11-19T08:00'])).toEqual(times.slice(1));
  });

  test('within a day end on the same day', () => {
    const lunch = { ...night, from: '12:00', to: '13:30' };
    const times = ['2026-11-18T11:59', '2026-11-18T12:00', '2026-11-18T13:29', '2026-11-18T13:30', '2026-11-19T00:00'];
    expect(quietOf(lunch, amsterdam, times)).toEqual(times.slice(1, 3));
  });

  test('until midnight end with the day', () => {
    const times = ['2026-11-18T23:59', '2026-11-19T00:00'];
    expect(quietOf({ ...night, to: '00:00' }, amsterdam, times)).toEqual(['2026-11-18T23:59']);
  });

  test('that somehow begin when they end hold nothing', () => {
    for (const hour of ['00', '08', '16'])
      expect(quietAt({ ...night, from: '08:00', to: '08:00' }, `2026-11-18T${hour}:00:00Z`)).toBe(false);
  });

  test('are in the company’s zone', () => {
    const at = '2026-11-18T20:30:00Z';
    const zones = ['Europe/Amsterdam', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
    expect(zones.filter((zone) => quietAt(night, at, { zone, holidays: [] }))).toEqual([
      'Europe/Amsterdam',
      'Asia/Kolkata',
    ]);
  });

  test('of weekends and holidays last from Friday evening to Monday morning', () => {
    const calendar = { ...amsterdam, holidays: [{ firstDay: '2026-12-25', lastDay: '2026-12-25', name: 'Christmas' }] };
    const times = ['2026-12-24T12:00', '2026-12-25T12:00', '2026-12-26T12:00', '2026-12-28T07:59', '2026-12-28T08:00'];
    expect(quietOf({ ...night, daysOff: true }, calendar, times)).toEqual(times.slice(1, 4));
    expect(quietOf(night, calendar, times)).toEqual(['2026-12-28T07:59']);
  });
});

// In Amsterdam, 02:00 is 03:00 on 29 March 2026, and 03:00 is 02:00 on 25 October.
describe('when the clocks change', () => {
  test('a night has an hour less or more, and ends at the same time of the morning', () => {
    expect([quietAt(night, '2026-03-29T05:59:59Z'), quietAt(night, '2026-03-29T06:00:00Z')]).toEqual([true, false]);
    expect([quietAt(night, '2026-10-25T06:59:59Z'), quietAt(night, '2026-10-25T07:00:00Z')]).toEqual([true, false]);
  });

  test('a skipped end counts from before the change', () => {
    const early = { ...night, to: '02:30' };
    expect([quietAt(early, '2026-03-29T01:29:59Z'), quietAt(early, '2026-03-29T01:30:00Z')]).toEqual([true, false]);
  });

  test('a repeated time is the first, for the begin and for the end', () => {
    const early = { ...night, to: '02:30' };
    expect([quietAt(early, '2026-10-25T00:29:59Z'), quietAt(early, '2026-10-25T00:30:00Z')]).toEqual([true, false]);
    expect(quietAt(early, '2026-10-25T01:15:00Z')).toBe(false);
    expect(quietAt({ ...night, from: '02:30' }, '2026-10-25T01:15:00Z')).toBe(true);
  });
});
