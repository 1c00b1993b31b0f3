import { describe, expect, it } from 'vitest';
import { isValueOf, readValue, type SettingKind, sayValue, wantedBy, writeValue } from './setting-kinds.ts';
import { settingKeys, settings } from './settings.ts';

const kinds = {
  number: { kind: 'number', unit: 'hours', least: 1, most: 48 },
  off: { kind: 'number', unit: 'hours', least: 0, most: 48, zero: 'Off' },
  switch: { kind: 'switch' },
  choice: { kind: 'choice', options: { weekly: 'Every week', never: 'Never' } },
  person: { kind: 'person' },
  choices: { kind: 'choices', items: { a: 'Apples', b: 'Pears' }, options: { red: 'Red', green: 'Green' } },
  holidays: { kind: 'holidays' },
} as const satisfies Record<string, SettingKind>;

describe('what is no value of its kind is refused', () => {
  const wrong: Record<keyof typeof kinds, unknown[]> = {
    off: [-1, 49],
    number: [0, 49, 1.5, '5', null, true, Number.NaN, {}],
    switch: [0, 'on', null, {}],
    choice: ['Every week', 'toString', '__proto__', null, 0],
    person: ['', '0', '-1', '1.5', 'x', '1234567890123456789', 7, undefined, {}],
    holidays: [null, {}, [{}], '2026-12-25 Christmas Day'],
    choices: [null, 'red', ['a'], { c: 'red' }, { a: 'blue' }, { a: 'constructor' }, { a: null }],
  };
  it.each(Object.entries(wrong))('%s', (kind, values) => {
    for (const value of values) expect([value, isValueOf(kinds[kind as 'person'], value)]).toEqual([value, false]);
  });
  it.each([
    ['number', ''],
    ['number', '-1'],
    ['number', '1e1'],
    ['number', '49'],
    ['switch', 'yes'],
    ['switch', 'constructor'],
    ['choice', 'Never'],
    ['person', ''],
    ['person', 'somebody'],
    ['choices', ''],
    ['choices', 'a'],
    ['choices', 'a=blue'],
    ['choices', '__proto__=red'],
    ['choices', 'a=red,'],
    ['holidays', 'Christmas Day'],
    ['holidays', '2026-12-25'],
    ['holidays', '2026-12-26/2026-12-25 Christmas'],
  ] as const)('%s written as %j', (kind, text) => {
    expect(isValueOf(kinds[kind], readValue(kinds[kind], text, {}))).toBe(false);
  });
});

describe('a value', () => {
  it.each([
    ['number', 48, '48', '48 hours'],
    ['off', 0, '0', 'Off'],
    ['off', 1, '1', '1 hours'],
    ['switch', true, 'on', 'On'],
    ['switch', false, 'off', 'Off'],
    ['choice', 'never', 'never', 'Never'],
    ['person', null, 'nobody', 'Nobody'],
    ['person', '17', '17', 'Ada'],
    ['choices', { a: 'red', b: 'green' }, 'a=red,b=green', 'Pears: Green'],
    ['choices', { a: 'red', b: 'red' }, 'a=red,b=red', 'Red for all'],
    ['holidays', [], '', 'None'],
    ['holidays', [{ firstDay: '2026-12-25', lastDay: '2026-12-25', name: 'X' }], '2026-12-25 X', '1 holiday'],
  ] as const)('of a %s, %j, is written as %s, read again and said as %s', (kind, value, text, words) => {
    expect(isValueOf(kinds[kind], value)).toBe(true);
    expect(writeValue(kinds[kind], value)).toBe(text);
    expect(readValue(kinds[kind], text, {})).toEqual(value);
    expect(sayValue(kinds[kind], value, value === null ? null : 'Ada')).toBe(words);
  });
  it('of choices may name some items: the others stay as they are', () => {
    expect(readValue(kinds.choices, ' b = green ', { a: 'green' })).toEqual({ a: 'green', b: 'green' });
    expect(writeValue(kinds.choices, {})).toBe('a=red,b=red');
  });
});

it('every kind says what it wants', () => {
  expect(Object.values(kinds).map(wantedBy)).toEqual([
    'a whole number of hours from 1 to 48',
    'a whole number of hours from 0 to 48',
    'on or off',
    'weekly or never',
    'the ID of a person, or nobody',
    'pairs like a=green. Keys: a, b. Values: red or green',
    'up to 300 lines like “2026-12-25 Christmas Day” or “2026-12-24/2026-12-31 Year-end break”, each of at most 62 days and from 2000-01-01 to 2099-12-31',
  ]);
});

it('the default of every setting is a value of its kind', () => {
  for (const key of settingKeys) expect([key, isValueOf(settings[key], settings[key].default)]).toEqual([key, true]);
});
