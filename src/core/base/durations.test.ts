import { expect, test } from 'vitest';
import { type DurationUnit, readDuration, saysDuration, unitOfWord } from './durations.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

test.each<[string, DurationUnit | undefined, string]>([
  ['3.5', undefined, 'has no unit: "3.5". Choose one, such as hours'],
  ['3:30', undefined, 'has no unit: "3:30". Choose hours for 3:30 hours, or minutes'],
  ['3:30', 'seconds', 'has no unit'],
  ['-3.5', 'hours', 'is negative: "-3.5". Fix it, or leave the cell blank'],
  ['\u22120:03:30', undefined, 'is negative'],
  ['-2d 4h', undefined, 'is negative'],
  ['1,234', 'hours', 'could be thousands: "1,234". Write it as 1234 or 1.234'],
  ['1,234 min', undefined, 'isn’t a duration'],
  ['0:60:00', undefined, 'isn’t a duration: "0:60:00". Write it like 3.5, 2:30:00 or 2d 4h'],
  ['3:99', 'hours', 'isn’t a duration'],
  ['4h 2d', undefined, 'isn’t a duration'],
  ['2h 3h', undefined, 'isn’t a duration'],
  ['3h20', undefined, 'isn’t a duration'],
  ['2 weeks', undefined, 'isn’t a duration'],
  ['P1M', undefined, 'isn’t a duration'],
  ['P', undefined, 'isn’t a duration'],
  ['2026-01-05', 'hours', 'isn’t a duration'],
  ['1e3', 'hours', 'isn’t a duration'],
  ['.', 'hours', 'isn’t a duration'],
  ['and', 'hours', 'isn’t a duration'],
  ['', 'hours', 'isn’t a duration'],
  ['9'.repeat(400), 'hours', 'isn’t a duration'],
])('%j in %s %s', (text, unit, fault) => {
  expect(readDuration(text, unit)).toEqual({ fault: expect.stringContaining(fault) });
});

test.each<[string, DurationUnit | undefined, number]>([
  ['3.5', 'hours', 3.5 * hour],
  ['3,5', 'hours', 3.5 * hour],
  ['0,125', 'hours', 0.125 * hour],
  ['1.234', 'hours', 1.234 * hour],
  [' 210 ', 'minutes', 210 * minute],
  ['.5', 'days', 12 * hour],
  ['12600000', 'milliseconds', 3.5 * hour],
  ['0.0004', 'seconds', 0],
  ['0', undefined, 0],
  ['-0', 'hours', 0],
  ['+2', 'seconds', 2 * second],
  ['3:30', 'hours', 3.5 * hour],
  ['3:30', 'minutes', 3.5 * minute],
  ['125:00', 'hours', 125 * hour],
  // A text that says its units has those.
  ['00:03:30', undefined, 3.5 * minute],
  ['00:03:30', 'hours', 3.5 * minute],
  ['52:00:00.25', undefined, 52 * hour + 250],
  ['1:02:03:04', undefined, day + 2 * hour + 3 * minute + 4 * second],
  ['1.02:03:04', undefined, day + 2 * hour + 3 * minute + 4 * second],
  ['0 days 00:03:30', undefined, 3.5 * minute],
  ['1 day, 0:03:30', undefined, day + 3.5 * minute],
  ['2d 4h', 'minutes', 2 * day + 4 * hour],
  ['2d4h30m', undefined, 2 * day + 4.5 * hour],
  ['3 hours and 20 minutes', undefined, 3 * hour + 20 * minute],
  ['2 Tage 4 Std. 5 Min.', undefined, 2 * day + 4 * hour + 5 * minute],
  ['1,5 heures', undefined, 1.5 * hour],
  ['2 días y 1 hora', undefined, 2 * day + hour],
  ['1 uur en 30 minuten', undefined, 1.5 * hour],
  ['250 ms', undefined, 250],
  ['PT3H30M', undefined, 3.5 * hour],
  ['P2DT4H', undefined, 2 * day + 4 * hour],
])('%j in %s is %d milliseconds', (text, unit, ms) => {
  expect(readDuration(text, unit)).toEqual({ ms });
});

test('numbers and times of the day can be something else than a duration', () => {
  for (const text of ['3.5', '0', '14:05', '14:05:00', '2026-01-05', 'x']) expect(saysDuration(text)).toBe(false);
  for (const text of ['27:10:00', '2d 4h', '1:02:03:04', '90 min', 'PT1H']) expect(saysDuration(text)).toBe(true);
});

test('units have words in several languages', () => {
  expect(['Hrs', 'Stunden', 'DÍAS', 'min', 'time'].map(unitOfWord)).toEqual([
    ...['hours', 'hours', 'days', 'minutes', null],
  ]);
});
