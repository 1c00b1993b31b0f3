import { describe, expect, it } from 'vitest';
import { approverIdList, displayName } from './people.ts';

describe('approverId (spec 3, D26)', () => {
  it.each([
    [null, []],
    [undefined, []],
    ['', []],
    [[], []],
    [[''], []],
    ['7', ['7']],
    ['42', ['42']],
    [['7'], ['7']],
    [
      ['7', '8', '7', ''],
      ['7', '8'],
    ],
  ] as [string | string[] | null | undefined, string[]][])('%j is normalised to %j', (value, list) => {
    expect(approverIdList(value)).toEqual(list);
  });
  it('gives a list of its own', () => {
    const value = ['7'];
    expect(approverIdList(value)).not.toBe(value);
  });
});

describe('the name of a person', () => {
  it.each([
    ['', '', 'ann@demo.test', 'ann'],
    [' ', ' ', 'ann@demo.test', 'ann'],
    ['', '', '', ''],
    ['', '', '@demo.test', ''],
    ['', '', 'no-at-sign', 'no-at-sign'],
    ['Ann', '', 'x@demo.test', 'Ann'],
    ['', 'Lee', 'x@demo.test', 'Lee'],
    ['Ann', 'Lee', 'x@demo.test', 'Ann Lee'],
  ])('%j %j <%s> is %j', (firstName, lastName, email, name) => {
    expect(displayName({ firstName, lastName, email })).toBe(name);
  });
});
