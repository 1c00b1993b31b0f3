import { expect, test } from 'vitest';
import { type Comparison, comparedRange, daysWithData, lacksMuch } from './comparison.ts';

const now = Temporal.ZonedDateTime.from('2026-11-20T14:30:00[Europe/Berlin]');

function compared(from: string, to: string, comparison: Comparison, hasHours = true): string | null {
  const range = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) };
  const other = comparedRange(range, comparison, now, hasHours);
  return other && `${other.from} ${other.to} ${other.until?.toPlainDateTime() ?? 'whole'}`;
}

test('without a comparison there is no other range', () => {
  expect(compared('2026-11-01', '2026-12-01', 'none')).toBeNull();
});

test.each([
  ['a whole month with the month before', '2026-11-01', '2026-12-01', 'previous', '2026-10-01 2026-11-01 whole'],
  ['a quarter with the quarter before', '2026-07-01', '2026-10-01', 'previous', '2026-04-01 2026-07-01 whole'],
  ['seven days with the seven before', '2026-11-14', '2026-11-21', 'previous', '2026-11-07 2026-11-14 whole'],
  [
    'the month so far with the same days of the month before',
    '2026-11-01',
    '2026-12-01',
    'elapsed',
    '2026-10-01 2026-10-21 2026-10-20T14:30:00',
  ],
  [
    'today so far with yesterday so far',
    '2026-11-20',
    '2026-11-21',
    'elapsed',
    '2026-11-19 2026-11-20 2026-11-19T14:30:00',
  ],
  ['what is over with all of it', '2026-10-01', '2026-11-01', 'elapsed', '2026-09-01 2026-10-01 whole'],
  ['what has not begun with all of it', '2026-12-01', '2027-01-01', 'elapsed', '2026-11-01 2026-12-01 whole'],
  ['days that are over with those a year before', '2026-11-07', '2026-11-14', 'year', '2025-11-07 2025-11-14 whole'],
  [
    'the year so far with the last one up to the same day',
    '2026-01-01',
    '2027-01-01',
    'year',
    '2025-01-01 2025-11-21 2025-11-20T14:30:00',
  ],
  ['a leap day with the last of February', '2024-02-29', '2024-03-01', 'year', '2023-02-28 2023-03-01 whole'],
] as const)('%s', (_what, from, to, comparison, expected) => {
  expect(compared(from, to, comparison)).toBe(expected);
});

test('rows that are dated by days are cut after the day', () => {
  expect(compared('2026-11-01', '2026-12-01', 'elapsed', false)).toBe('2026-10-01 2026-10-21 whole');
});

test('a few days of a year may lie before the data, one of a week may not', () => {
  const lacks = (from: string, to: string, first: string) =>
    lacksMuch({ from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) }, Temporal.PlainDate.from(first));
  expect([lacks('2014-01-01', '2015-01-01', '2014-01-19'), lacks('2014-01-01', '2015-01-01', '2014-01-20')]).toEqual([
    false,
    true,
  ]);
  expect(lacks('2026-11-01', '2026-11-08', '2026-11-02')).toBe(true);
  expect(lacks('2014-01-01', '2015-01-01', '2016-01-01')).toBe(true);
});

test.each([
  ['2021-08-01', '2021-09-01', '2021-08-16', { last: 16, of: 31 }],
  ['2021-08-01', '2021-09-01', '2021-08-27', { last: 27, of: 31 }],
  // Three of 31 days are under a tenth, two of ten may be a quiet spell.
  ['2021-08-01', '2021-09-01', '2021-08-28', null],
  ['2021-08-01', '2021-08-11', '2021-08-08', null],
  ['2021-08-01', '2021-08-11', '2021-08-07', { last: 7, of: 10 }],
  // Only finished days count.
  ['2026-11-01', '2026-12-01', '2026-11-21', null],
  ['2026-11-01', '2026-12-01', '2026-11-10', { last: 10, of: 23 }],
  ['2021-08-01', '2021-09-01', '2021-07-31', null],
])('from %s to %s with data up to %s, the last day with data is %o', (from, to, newest, expected) => {
  const range = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) };
  const today = Temporal.PlainDate.from('2026-11-24');
  expect(daysWithData(range, Temporal.PlainDate.from(newest), today)).toEqual(expected);
});
