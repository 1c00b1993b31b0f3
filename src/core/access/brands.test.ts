import { describe, expect, it } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import { categories, defaultCategory, isCategory, isScope, permittedScopes, scopeKeys, scopes } from './brands.ts';

describe('scopes of the stats (spec 6, D22)', () => {
  it.each(['', 'Connect', 'bgp', 'blue', '__proto__', 'constructor', 'toString', 'connect\0'])('%j is none', (text) => {
    expect(isScope(text)).toBe(false);
  });
  it.each([
    ['norole', []],
    ['staff', []],
    ['top5', []],
    ['people', []],
    ['approver', ['connect', 'green']],
    ['admin', ['connect', 'arcade', 'codex', 'green', 'give', 'management']],
  ] as const)('of %s are %j', (name, keys) => {
    expect(permittedScopes(samplePeople[name])).toEqual(keys);
  });
  it.each([
    ['connect', 'VIEW_TOP_5_STATS_CONNECT'],
    ['arcade', 'VIEW_TOP_5_STATS_ARCADE'],
    ['codex', 'VIEW_TOP_5_STATS_CODEX'],
    ['green', 'VIEW_TOP_5_STATS_GREEN'],
    ['give', 'VIEW_TOP_5_STATS_GIVE'],
    ['management', 'VIEW_TOP_5_STATS_MANAGEMENT'],
  ] as const)('%s is given by %s', (scope, permission) => {
    expect(isScope(scope)).toBe(true);
    expect(permittedScopes({ id: '1', role: 'Staff', approverIds: [], permissions: [permission] })).toEqual([scope]);
  });
  it('hold the category of the same name where there is one', () => {
    expect(scopeKeys.map((scope) => scopes[scope].category)).toEqual(['Connect', null, null, 'Green', 'Give', null]);
  });
});

describe('brand categories (spec 1)', () => {
  it.each(['', 'green', 'All brands', 'Arcade', '__proto__', 'length', '0'])('%j is none', (text) => {
    expect(isCategory(text)).toBe(false);
  });
  it('are ten, with All Brands the default', () => {
    expect(categories).toEqual([
      'All Brands',
      'Connect',
      'Blue',
      'Switch',
      'Green',
      'Liberty',
      'Give',
      'Hardware',
      'Dig',
      'Grow',
    ]);
    expect(defaultCategory).toBe('All Brands');
    expect(categories.every(isCategory)).toBe(true);
  });
});
