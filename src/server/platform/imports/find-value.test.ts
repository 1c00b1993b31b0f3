import { describe, expect, test } from 'vitest';
import { find } from './find-value.ts';
import { occurrencesIn, type Row, type Rule, rule } from './mapping-rules.ts';
import { patternFault } from './safe-pattern.ts';

const row: Row = {
  code: 'C536379',
  amount: '-27.50',
  small: '0.1',
  euro: '1.234,50 €',
  pound: '£(1,234.5)',
  wrong: '12,34.5',
  none: '?',
  padded: '  17850.0 ',
  cell: '{"n": 0.12345678901234567890, "deep": {"er": "x"}, "flag": true, "no": null}',
  broken: '{"a"',
  opened: '2026-03-29 00:30',
  day: '2026-03-28',
  hours: '3,5',
  clock: '00:03:30',
  late: '-1',
};

describe('what a rule refuses', () => {
  test.each<[unknown, string]>([
    [{ multiply: ['a'] }, 'Too small'],
    [{ number: 'a', decimal: ';' }, 'Invalid option'],
    [{ date: 'a', format: 'YYYY-DD' }, 'has no month'],
    [{ date: 'a', format: 'YYYY-MM-DD', zone: 'Mars/Olympus' }, 'has the unknown time zone'],
    [{ when: [{ value: 'a', equals: 'x', blank: true }], give: 'a' }, 'needs exactly one'],
    [{ when: [{ value: 'a', matches: '(a+)+$' }], give: 'a' }, 'repeats a group'],
    [{ trim: 'a', end: -1 }, 'Too small'],
    [{ column: 'a', optinal: true }, 'Unrecognized key'],
    [{ duration: 'a', unit: 'hours' }, 'is missing'],
    [{ duration: 'a', unit: 'weeks', after: 'b' }, 'Invalid option'],
  ])('%j', (given, reason) => {
    expect(
      rule
        .safeParse(given)
        .error?.issues.map(({ message }) => message)
        .join(),
    ).toContain(reason);
  });

  test.each<[Rule, string]>([
    [{ multiply: ['amount', 'code'] }, 'isn’t a number: "C536379"'],
    [{ number: 'wrong', decimal: '.' }, 'isn’t a number with a decimal "."'],
    [{ number: 'wrong', decimal: ',' }, 'isn’t a number with a decimal ","'],
    [{ date: 'code', format: 'D/M/YYYY' }, 'isn’t a date in the format D/M/YYYY: "C536379"'],
    [{ json: 'broken', path: 'a' }, 'isn’t JSON'],
    [{ duration: 'code', after: 'opened' }, 'isn’t a duration: "C536379"'],
    [{ duration: 'hours', after: 'opened' }, 'has no unit: "3,5"'],
    [{ duration: 'late', unit: 'hours', after: 'opened' }, 'is negative: "-1"'],
    [{ duration: { constant: '9999999' }, unit: 'days', after: 'opened' }, 'is too long a duration'],
    [{ duration: 'hours', unit: 'hours', after: 'day' }, 'is counted from "2026-03-28", which has no time'],
    [{ duration: 'hours', unit: 'hours', after: 'code' }, 'is counted from "C536379", which isn’t a date'],
    [{ duration: 'hours', unit: 'hours', after: { date: 'code', format: 'ISO' } }, 'isn’t a date in the format ISO'],
    [{ when: [{ value: 'code', lessThan: 1 }], give: 'code' }, 'isn’t a number'],
  ])('%j of a row', (given, fault) => {
    expect(find(given, row).fault).toContain(fault);
  });
});

test.each<[Rule, unknown]>([
  [{ column: 'code' }, 'C536379'],
  [{ column: 'not there', optional: true }, undefined],
  [{ multiply: ['amount', 'small'] }, '-2.75'],
  [{ multiply: ['amount', 'not there'] }, undefined],
  [{ negate: 'amount' }, '27.5'],
  [{ absolute: { multiply: ['amount', { constant: '2' }] } }, '55'],
  [{ number: 'euro', decimal: ',' }, '1234.50'],
  [{ number: 'pound', decimal: '.' }, '-1234.5'],
  [{ trim: 'padded', end: '.0' }, '17850'],
  [{ trim: 'code', start: 'C' }, '536379'],
  [{ trim: 'code', start: 'X', end: 'X' }, 'C536379'],
  [{ trim: 'code', start: 1, end: 2 }, '5363'],
  [{ json: 'cell', path: 'n' }, '0.12345678901234567890'],
  [{ json: 'cell', path: 'deep.er' }, 'x'],
  [{ json: 'cell', path: 'deep.constructor' }, undefined],
  [{ json: 'cell', path: 'no' }, null],
  [{ date: { constant: '5/3/2016' }, format: 'D/M/YYYY' }, '2016-03-05'],
  // A blank cell is only replaced if the map says so.
  [{ value: 'not there', map: { a: 'b' } }, undefined],
  [{ value: 'not there', map: { a: 'b', '': 'c' } }, 'c'],
  [{ value: 'not there', map: { a: 'b' }, default: 'd' }, 'd'],
  [{ first: [{ value: 'not there', map: { a: 'b' } }, 'code'] }, 'C536379'],
  [{ when: [{ value: 'code', startsWith: ['A', 'C'] }], give: { constant: 'yes' } }, 'yes'],
  [{ when: [{ value: 'code', matches: '^C\\d{6}$' }], give: { constant: 'yes' } }, 'yes'],
  [{ when: [{ value: 'amount', lessThan: 0 }], give: { constant: 'yes' } }, 'yes'],
  [{ when: [{ value: 'amount', moreThan: 'small' }], give: 'code', else: { constant: 'no' } }, 'no'],
  [{ when: [{ value: 'amount', equals: '-27.50' }], give: { constant: 'yes' } }, 'yes'],
  [{ when: [{ value: 'not there', lessThan: 0 }], give: 'code', else: { constant: 'no' } }, 'no'],
])('%j gives %j', (given, value) => {
  expect(rule.safeParse(given).error).toBeUndefined();
  expect(find(given, row)).toMatchObject({ value });
});

test.each<[Rule, string, unknown]>([
  [{ duration: 'hours', unit: 'hours', after: 'opened' }, 'UTC', '2026-03-29T04:00:00.000Z'],
  // The clock goes forward at 2:00, but the hours go by.
  [{ duration: 'hours', unit: 'hours', after: 'opened' }, 'Europe/Berlin', '2026-03-29T03:00:00.000Z'],
  [{ duration: 'clock', after: 'opened' }, 'UTC', '2026-03-29T00:33:30.000Z'],
  [{ duration: { constant: '0' }, after: 'opened' }, 'UTC', '2026-03-29T00:30:00.000Z'],
  [{ duration: { number: 'euro', decimal: ',' }, unit: 'minutes', after: 'opened' }, 'UTC', '2026-03-29T21:04:30.000Z'],
  [
    { duration: 'clock', after: { date: { constant: '1/2/2026 9:00' }, format: 'D/M/YYYY H:mm', zone: 'Asia/Tokyo' } },
    ...['UTC', '2026-02-01T00:03:30.000Z'],
  ] as [Rule, string, string],
  // A day has no hour to count from, but whole days after it are days.
  [{ duration: { constant: '2d' }, after: 'day' }, 'Pacific/Auckland', '2026-03-30'],
  [{ duration: 'not there', after: 'opened' }, 'UTC', undefined],
  [{ duration: 'clock', after: 'not there' }, 'UTC', undefined],
])('%j in %s gives %j', (given, zone, value) => {
  expect(rule.safeParse(given).error).toBeUndefined();
  expect(find(given, row, { zone, missing: new Set(), occurrence: () => 1 })).toMatchObject({ value });
});

test('texts that stand for nothing are blank', () => {
  const reading = { zone: 'UTC', missing: new Set(['?']), occurrence: () => 1 };
  expect(find({ first: ['none', 'code'] }, row, reading).value).toBe('C536379');
  expect(find({ value: 'none', map: { '': 'nobody' } }, row, reading).value).toBe('nobody');
});

test('a hash tells apart what a join does not', () => {
  const hashOf = (a: string, b: string) => find({ hash: ['a', 'b'] }, { a, b }).value;
  expect(hashOf('x', 'yz')).toMatch(/^[0-9a-f]{32}$/);
  expect(hashOf('x', 'yz')).toBe(hashOf(' x', 'yz'));
  expect(new Set([hashOf('x', 'yz'), hashOf('xy', 'z'), hashOf('', 'xyz')]).size).toBe(3);
});

test('counting rules are found wherever they stand', () => {
  const counting = { occurrence: ['code'] };
  const inside: Rule = { when: [{ value: 'code', blank: true }], give: 'code', else: { join: [counting], with: '' } };
  expect(occurrencesIn(inside)).toEqual([counting]);
});

test('a pattern that could take for ever is not taken', () => {
  for (const slow of ['(a+)+$', '(a|a)*', '(?=a)a', '(a)\\1', 'a*a*a*b', '(x{2}){9}', '(', 'a'.repeat(201)])
    expect(patternFault(slow)).not.toBeNull();
  for (const fine of ['^C\\d{6}$', '^[A-Z]+-\\d+$', 'POST|DOT', '(?:gift)?_\\d']) expect(patternFault(fine)).toBeNull();
});
