import { expect, test } from 'vitest';
import { daysOf, fittingGranularity, longestPart, type Period } from './periods.ts';

const zone = 'Europe/Amsterdam';
const friday = Temporal.Instant.from('2026-11-20T13:00:00Z');

test.each<[Period, string, string]>([
  ['today', '2026-11-20', '2026-11-21'],
  ['yesterday', '2026-11-19', '2026-11-20'],
  ['last-week', '2026-11-09', '2026-11-16'],
  ['last-month', '2026-10-01', '2026-11-01'],
  ['last-quarter', '2026-07-01', '2026-10-01'],
  ['last-year', '2025-01-01', '2026-01-01'],
  ['7d', '2026-11-14', '2026-11-21'],
  ['30d', '2026-10-22', '2026-11-21'],
  ['90d', '2026-08-23', '2026-11-21'],
  ['week', '2026-11-16', '2026-11-23'],
  ['month', '2026-11-01', '2026-12-01'],
  ['quarter', '2026-10-01', '2027-01-01'],
  ['year', '2026-01-01', '2027-01-01'],
  ['10y', '2016-11-21', '2026-11-21'],
  ['sprint', '2026-11-16', '2026-11-23'],
])('%s is %s up to %s', (period, from, to) => {
  expect(daysOf(period, friday, zone)).toEqual({ from, to });
});

test('the closed periods of a January are those of the year before', () => {
  const january = Temporal.Instant.from('2027-01-02T13:00:00Z');
  expect(daysOf('last-month', january, zone)).toEqual({ from: '2026-12-01', to: '2027-01-01' });
  expect(daysOf('last-quarter', january, zone)).toEqual({ from: '2026-10-01', to: '2027-01-01' });
});

test('the day is that of the company, not of UTC', () => {
  const lateInUtc = Temporal.Instant.from('2026-11-20T23:30:00Z');
  expect(daysOf('today', lateInUtc, zone)).toEqual({ from: '2026-11-21', to: '2026-11-22' });
});

test('before its boundary on a Monday the sprint is still the one of last week', () => {
  const early = Temporal.Instant.from('2026-11-23T08:00:00Z');
  expect(daysOf('sprint', early, zone)).toEqual({ from: '2026-11-16', to: '2026-11-23' });
  expect(daysOf('week', early, zone)).toEqual({ from: '2026-11-23', to: '2026-11-30' });
});

test.each([
  ['2009-03-01', '2026-01-01', '2016-01-01'],
  ['2016-01-01', '2026-01-01', '2016-01-01'],
  ['2025-01-01', '2026-01-01', '2025-01-01'],
  // Ten years after 28 February 2018 would end a day too early.
  ['2001-01-01', '2028-02-29', '2018-03-01'],
])('of %s up to %s, the server accepts the part from %s', (from, to, first) => {
  expect(longestPart({ from, to })).toEqual({ from: first, to });
});

test.each([
  ['2026-11-01', '2026-12-01', 'day'],
  ['2026-01-01', '2027-01-01', 'week'],
  ['2020-01-01', '2026-01-01', 'month'],
])('from %s to %s is drawn by %s', (from, to, granularity) => {
  expect(fittingGranularity({ from, to })).toBe(granularity);
});
