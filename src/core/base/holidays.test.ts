import { describe, expect, it } from 'vitest';
import {
  type Holiday,
  holidayLimits,
  holidaysWithin,
  holidayWords,
  isHolidays,
  longestHolidayText,
  mergeHolidays,
  readHolidays,
  writeHolidays,
} from './holidays.ts';

const christmas: Holiday = { firstDay: '2026-12-25', lastDay: '2026-12-25', name: 'Christmas Day' };
const shutdown: Holiday = { firstDay: '2026-12-28', lastDay: '2027-01-01', name: 'Year-end break' };

describe('no list of holidays is', () => {
  const one = (change: object) => [{ ...christmas, ...change }];
  it.each([
    ['something else', { ...christmas }],
    ['a day that doesn’t exist', one({ firstDay: '2026-02-30' })],
    ['a day of another form', one({ lastDay: '25 Dec' })],
    ['the year 9999', one({ firstDay: '9999-12-31', lastDay: '9999-12-31' })],
    ['an end before the start', one({ lastDay: '2026-12-24' })],
    ['more than two months in one', one({ firstDay: '2026-01-01', lastDay: '2026-03-04' })],
    ['a day without a name', one({ name: '' })],
    ['a name of two lines', one({ name: 'Christmas\nDay' })],
    ['a name of two paragraphs', one({ name: 'Christmas\u2029Day' })],
    ['a name with a space at its end', one({ name: 'Christmas ' })],
    ['a name that is too long', one({ name: 'x'.repeat(holidayLimits.name + 1) })],
    ['half a character', one({ name: 'x\ud83c' })],
    ['more than is known of a holiday', one({ color: 'red' })],
    ['the same twice', [christmas, { ...christmas, name: 'christmas day' }]],
    ['out of order', [shutdown, christmas]],
    ['too long', Array.from({ length: 301 }, (_, index) => ({ ...christmas, name: `Day ${1000 + index}` }))],
  ])('%s', (_what, value) => {
    expect(isHolidays(value)).toBe(false);
  });
});

describe('a list of holidays', () => {
  it('is written and read, one a line', () => {
    const text = '2026-12-25 Christmas Day\n2026-12-28/2027-01-01 Year-end break';
    expect(writeHolidays([christmas, shutdown])).toBe(text);
    expect(readHolidays(text)).toEqual([christmas, shutdown]);
    expect(readHolidays('')).toEqual([]);
    expect(isHolidays([christmas, shutdown])).toBe(true);
    expect(isHolidays([])).toBe(true);
  });

  it('of an earlier version stays with its hidden characters, which go when it is read as text', () => {
    const stored = [{ ...christmas, name: 'Christmas\u200b Day\u00ad' }, shutdown];
    expect(isHolidays(stored)).toBe(true);
    expect(readHolidays(writeHolidays(stored))).toEqual([christmas, shutdown]);
  });

  it('as long as it may be fits into its text', () => {
    const full = Array.from({ length: holidayLimits.holidays }, (_, index) => ({
      ...shutdown,
      name: String(1000 + index).padEnd(holidayLimits.name, 'x'),
    }));
    expect(isHolidays(full)).toBe(true);
    expect(writeHolidays(full).length).toBeLessThanOrEqual(longestHolidayText);
  });

  it('has each day and name once, in order, as it was first written', () => {
    const other = { ...christmas, name: 'Office closed' };
    const again = { ...christmas, name: 'CHRISTMAS DAY' };
    expect(mergeHolidays([shutdown, christmas], [again, other])).toEqual([christmas, other, shutdown]);
    expect(readHolidays(' 2026-12-28/2027-01-01 Year-end break\r\n\n2026-12-25  Christmas Day ')).toEqual([
      christmas,
      shutdown,
    ]);
  });

  it.each([
    ['2026-12-20', '2026-12-24', []],
    ['2026-12-25', '2026-12-27', [christmas]],
    ['2026-12-25', '2026-12-28', [christmas, shutdown]],
    ['2027-01-01', '2027-01-01', [shutdown]],
    ['2027-01-02', '2027-01-09', []],
  ])('is cut to %s until %s', (firstDay, lastDay, expected) => {
    expect(holidaysWithin([christmas, shutdown], firstDay, lastDay)).toEqual(expected);
  });
});

it('My week names a day by its weekday, and several by their dates', () => {
  expect(holidayWords(christmas, '2026-12-24')).toBe('Friday is a company holiday: Christmas Day');
  expect(holidayWords(christmas, '2026-12-25')).toBe('Today is a company holiday: Christmas Day');
  expect(holidayWords(shutdown, '2026-12-25')).toBe('Mon 28 Dec to Fri 1 Jan are company holidays: Year-end break');
});
