import { describe, expect, it } from 'vitest';
import { permissionSources, topFiveBound, topFiveSource } from './permission-sources.ts';
import { permissionKeys } from './permissions.ts';

describe('where a permission comes from (D11)', () => {
  it('of the role, given directly, or both, in the order of the list', () => {
    expect(permissionSources('Staff', ['VIEW_TOOLS', 'VIEW_DASHBOARD'], ['VIEW_TOOLS', 'VIEW_TOP_5', 'FLY'])).toEqual([
      { permission: 'VIEW_TOOLS', sources: ['role', 'direct'] },
      { permission: 'VIEW_DASHBOARD', sources: ['role'] },
      { permission: 'VIEW_TOP_5', sources: ['direct'] },
    ]);
  });
  it('an admin holds all of them as such', () => {
    const all = permissionSources('admin', [], ['VIEW_TOP_5']);
    expect(all.map(({ permission }) => permission)).toEqual(permissionKeys);
    expect(all.find(({ permission }) => permission === 'VIEW_TOP_5')?.sources).toEqual(['admin', 'direct']);
    expect(all[0]?.sources).toEqual(['admin']);
  });
  it.each([
    ['admin', false, false, 'admin'],
    ['Staff', true, true, 'role'],
    ['Staff', false, true, 'direct'],
    ['Staff', false, false, null],
    [null, false, true, 'direct'],
    [null, true, false, null],
  ] as const)('top 5 of role %s (has it: %s, granted: %s) is %s', (role, ofRole, granted, source) => {
    expect(topFiveSource(role, { ofRole, granted })).toBe(source);
  });
  it('the switch is fixed for an admin and where the role has it, and says why', () => {
    expect(topFiveBound('admin', 'admin')).toContain('Admins');
    expect(topFiveBound('role', 'Imported')).toContain('role Imported');
    expect([topFiveBound('direct', 'Staff'), topFiveBound(null, null)]).toEqual([null, null]);
  });
});
