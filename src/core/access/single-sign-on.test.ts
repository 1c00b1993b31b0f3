import { describe, expect, it } from 'vitest';
import { invitationEndings, isSignInEnding, signInEndings } from './sign-in-endings.ts';
import { groupsOf, hasNoPasswordPath, planGroupRole, readGroupRoles } from './single-sign-on.ts';

const mapping = readGroupRoles('it-admins=admin, managers=Approver,staff=Staff, ghosts=Gone') ?? [];
const facts = { mapping, groups: [] as string[], roles: new Set(['Approver', 'Staff']), lastAdmin: false };

describe('what groups make of a role', () => {
  it.each([
    ['a group without a line', { role: null, ofGroups: null }, ['wheel', 'admin'], { role: null, ofGroups: null }],
    ['a role that is not there', { role: null, ofGroups: null }, ['ghosts'], { role: null, ofGroups: null }],
    ['`__proto__`', { role: null, ofGroups: null }, ['__proto__'], { role: null, ofGroups: null }],
    ['another case', { role: null, ofGroups: null }, ['Staff', 'IT-ADMINS'], { role: null, ofGroups: null }],
    ['one that is mapped', { role: null, ofGroups: null }, ['staff'], { role: 'Staff', ofGroups: 'Staff' }],
    [
      'the first line wins',
      { role: null, ofGroups: null },
      ['staff', 'managers'],
      { role: 'Approver', ofGroups: 'Approver' },
    ],
    ['admin, mapped explicitly', { role: null, ofGroups: null }, ['it-admins'], { role: 'admin', ofGroups: 'admin' }],
    ['what groups gave goes with the group', { role: 'Staff', ofGroups: 'Staff' }, [], { role: null, ofGroups: null }],
    [
      'admin by groups goes with the group',
      { role: 'admin', ofGroups: 'admin' },
      ['staff'],
      { role: 'Staff', ofGroups: 'Staff' },
    ],
    [
      'a role by hand stays without a group',
      { role: 'Staff', ofGroups: null },
      ['wheel'],
      { role: 'Staff', ofGroups: null },
    ],
    [
      'a role by hand yields to a mapped group',
      { role: 'Staff', ofGroups: null },
      ['managers'],
      { role: 'Approver', ofGroups: 'Approver' },
    ],
    ['the same role by hand stays so', { role: 'Staff', ofGroups: null }, ['staff'], { role: 'Staff', ofGroups: null }],
    ['changed by hand since', { role: 'Sales', ofGroups: 'Staff' }, [], { role: 'Sales', ofGroups: null }],
    [
      'an admin by hand is never made less',
      { role: 'admin', ofGroups: null },
      ['staff'],
      { role: 'admin', ofGroups: null },
    ],
  ] as const)('%s', (_what, standing, groups, after) => {
    expect(planGroupRole(standing, { ...facts, groups })).toEqual(after);
  });
  it('the last admin stays one', () => {
    const last = { role: 'admin', ofGroups: 'admin' };
    expect(planGroupRole(last, { ...facts, lastAdmin: true })).toEqual(last);
  });
  it('without a mapping they mean nothing', () => {
    const standing = { role: 'Staff', ofGroups: 'Staff' };
    expect(planGroupRole(standing, { ...facts, mapping: [], groups: ['it-admins'] })).toEqual(standing);
  });
});

describe('the mapping as it is typed', () => {
  it.each(['', 'staff', 'staff=', '=Staff', 'a=b=c', 'a=b,', 'a=b,a=c'])('"%s" is refused', (text) => {
    expect(readGroupRoles(text)).toBeNull();
  });
  it('is a list in the order of its lines', () => {
    expect(readGroupRoles(' a = Big role , b=admin')).toEqual([
      { group: 'a', role: 'Big role' },
      { group: 'b', role: 'admin' },
    ]);
  });
});

it.each([
  [undefined, []],
  [null, []],
  [{ staff: true }, []],
  [7, []],
  ['staff', ['staff']],
  [['staff', 7, null, ['admin']], ['staff']],
])('the groups of the claim %j are %j', (claim, groups) => {
  expect(groupsOf(claim)).toEqual(groups);
});

it('only who is connected and has no password has no way to one', () => {
  for (const hasPassword of [true, false])
    for (const connected of [true, false])
      expect(hasNoPasswordPath({ hasPassword, connected })).toBe(connected && !hasPassword);
});

it('an ending is one of the list', () => {
  expect(['done', 'unknown', '__proto__', 'constructor', ''].map(isSignInEnding)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it('whoever comes back to an invitation is never told to sign in with a password, which nobody has yet', () => {
  // With an invitation nobody is unknown: the link identifies the person.
  const { unknown: _, ...endings } = invitationEndings;
  expect(Object.values(endings).filter((words) => words?.includes('your password'))).toEqual([]);
  expect(invitationEndings.cancelled).toContain('choose a password');
  expect(signInEndings.cancelled).toContain('with your password');
});
