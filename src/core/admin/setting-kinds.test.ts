import { describe, expect, it } from 'vitest';
import { isValueOf, readValue, type SettingKind, sayValue, wantedBy, writeValue } from './setting-kinds.ts';
import { settingKeys, settings } from './settings.ts';

const kinds = {
  number: { kind: 'number', unit: 'hours', least: 1, most: 48 },
  switch: { kind: 'switch' },
  choice: { kind: 'choice', options: { weekly: 'Every week', never: 'Never' } },
  person: { kind: 'person' },
  choices: { kind: 'choices', items: { a: 'Apples', b: 'Pears' }, options: { red: 'Red', green: 'Green' } },
} as const satisfies Record<string, SettingKind>;

describe('what is no value of its kind is refused', () => {
  const wrong: Record<keyof typeof kinds, unknown[]> = {
    number: [0, 49, 1.5, '5', null, true, Number.NaN, {}],
    switch: [0, 'on', null, {}],
    choice: ['Every week', 'toString', '__proto__', null, 0],
    person: ['', '0', '-1', '1.5', 'x', '1234567890123456789', 7, undefined, {}],
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
  ] as const)('%s written as %j', (kind, text) => {
    expect(isValueOf(kinds[kind], readValue(kinds[kind], text, {}))).toBe(false);
  });
});

describe('a value', () => {
  it.each([
    ['number', 48, '48', '48 hours'],
    ['switch', true, 'on', 'On'],
    ['switch', false, 'off', 'Off'],
    ['choice', 'never', 'never', 'Never'],
    ['person', null, 'nobody', 'Nobody'],
    ['person', '17', '17', 'Ada'],
    ['choices', { a: 'red', b: 'green' }, 'a=red,b=green', 'Pears: Green'],
    ['choices', { a: 'red', b: 'red' }, 'a=red,b=red', 'Red for all'],
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
    'on or off',
    'weekly or never',
    'the id of a person, or nobody',
    'like a=green, of a, b and red or green',
  ]);
});

it('the default of every setting is a value of its kind', () => {
  for (const key of settingKeys) expect([key, isValueOf(settings[key], settings[key].default)]).toEqual([key, true]);
});
