import { describe, expect, it, test } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import { readInput } from '../base/inputs.ts';
import { isRefusal } from '../base/refusals.ts';
import type { Viewer } from './access.ts';
import type { Permission } from './permissions.ts';
import {
  addedPermissions,
  canGive,
  deleteRoleRefusal,
  givenRoleRefusal,
  givingChanges,
  holderRefusal,
  newRoleRefusal,
  noGroups,
  ownRightRefusal,
  planRoleEdits,
  type Role,
  type RoleEdit,
  type RoleStep,
  receivedRoleRefusal,
  roleMark,
  roleNameInput,
  roleNameRefusal,
} from './role-changes.ts';

const { admin, people: editor } = samplePeople;
const role = (
  id: string,
  name: string,
  permissions: readonly Permission[] = ['VIEW_DASHBOARD'],
  version = 1,
): Role => ({
  id,
  name,
  permissions,
  version,
});
const roles = [role('1', 'Sales'), role('2', 'Staff', ['VIEW_DASHBOARD', 'VIEW_TOOLS'], 4)];

const refusalOf = (viewer: Viewer, edits: readonly RoleEdit[], mapping = noGroups) => {
  const plan = planRoleEdits(viewer, roles, edits, mapping);
  return isRefusal(plan) ? plan : null;
};

test.each([
  ['USER_MANAGEMENT', ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR']],
  ['VIEW_ROLE_EDITOR', ['VIEW_DASHBOARD', 'USER_MANAGEMENT']],
  ['READ_GREEN', ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_ROLE_EDITOR']],
] as const)('%s is not given by who does not hold it, in a change or in a new role (D38, T14)', (wanted, held) => {
  const viewer = { ...editor, permissions: held };
  expect(canGive(viewer, wanted)).toBe(false);
  const edits = [{ id: '1', version: 1, permissions: ['VIEW_DASHBOARD', wanted] as const }];
  expect(refusalOf(viewer, edits)).toMatchObject({ code: 'FORBIDDEN', field: 'permissions' });
  const made = { name: 'New', permissions: [wanted] };
  expect(newRoleRefusal(viewer, [], made, noGroups)).toMatchObject({ code: 'FORBIDDEN', field: 'permissions' });
  expect(refusalOf(admin, edits)).toBeNull();
  expect(newRoleRefusal(admin, [], made, noGroups)).toBeNull();
});

test('a role is renamed only by someone who holds all of it: people are given roles by name (T14)', () => {
  const rename = [{ id: '2', version: 4, name: 'Crew' }];
  expect(refusalOf(editor, rename)).toMatchObject({ code: 'FORBIDDEN', field: 'name' });
  const holder = { ...editor, permissions: [...editor.permissions, 'VIEW_TOOLS' as const] };
  expect([refusalOf(holder, rename), refusalOf(admin, rename)]).toEqual([null, null]);
  // Taking the permission away first would change nothing about that.
  expect(refusalOf(editor, [{ ...rename[0]!, permissions: ['VIEW_DASHBOARD'] }])?.field).toBe('name');
});

test('a role that was seen is not given once another one has its name', () => {
  const [sales, staff] = roles.map(roleMark);
  expect(givenRoleRefusal('Sales', sales!, sales!)).toBeNull();
  expect(givenRoleRefusal('Sales', staff!, sales!)).toMatchObject({ code: 'CONFLICT', field: 'role' });
  expect(givenRoleRefusal('Sales', null, sales!)?.code).toBe('CONFLICT');
  expect(roleMark({ id: '1', version: 2 })).not.toBe(roleMark({ id: '12', version: 2 }));
});

test('who holds a permission may give it, and anybody who edits roles may take one away', () => {
  expect(refusalOf(editor, [{ id: '1', version: 1, permissions: [...editor.permissions] }])).toBeNull();
  expect(refusalOf(editor, [{ id: '2', version: 4, permissions: ['VIEW_DASHBOARD'] }])).toBeNull();
});

test('a permission that the role has already is not given again', () => {
  const edits = [{ id: '2', version: 4, permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'USER_MANAGEMENT'] as const }];
  expect(refusalOf(editor, edits)).toBeNull();
});

test.each([
  ['blank', '', 'Enter a name for the role'],
  ['of spaces', '   ', 'Enter a name for the role'],
  ['reserved', 'admin', 'has every permission'],
  ['reserved in capitals', ' Admin ', 'has every permission'],
  ['reserved in wide letters', 'ａｄｍｉｎ', 'has every permission'],
  ['taken', 'Sales', '“Sales” already'],
  ['taken in another case', 'sALES', '“Sales” already'],
  ['taken with a joiner', 'Sa\u200cles', '“Sales” already'],
  ['taken with more spaces', 'Team  lead', '“Team lead” already'],
])('a name that is %s is refused', (_, name, message) => {
  expect(roleNameRefusal(name, ['Sales', 'Team lead'])).toMatchObject({
    code: 'BAD_INPUT',
    field: 'name',
    message: expect.stringContaining(message),
  });
});

test.each(['Saleswoman', 'Administration', '<script>alert(1)</script>', 'Ventes & marketing'])(
  'the name %s is free',
  (name) => {
    expect(roleNameRefusal(name, ['Sales', 'Team lead'])).toBeNull();
  },
);

test.each(['Admin\u{13430}', 'Admin\ue000', 'Admin\u{10ffff}'])(
  'the name %j has a character that no one sees',
  (name) => {
    expect(readInput(roleNameInput, { name })).toMatchObject({ code: 'BAD_INPUT', field: 'name' });
  },
);

test.each(['Crew 👩‍💻', 'کمک\u200cها', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} England', '\u0600١٢'])(
  'the name %j can be read',
  (name) => {
    expect(readInput(roleNameInput, { name })).toEqual({ name });
  },
);

test('a role may change the case of its own name', () => {
  expect(planRoleEdits(admin, roles, [{ id: '1', version: 1, name: 'SALES' }], noGroups)).toMatchObject([
    { before: { name: 'Sales' }, after: { name: 'SALES', version: 2 } },
  ]);
});

test.each([
  ['was changed', { id: '2', version: 3 }, 'Someone changed the role “Staff”'],
  ['was deleted', { id: '9', version: 1 }, 'deleted this role'],
])('a role that %s meanwhile refuses everything, and names the role', (_, edit, message) => {
  const edits = [{ id: '1', version: 1, permissions: [] }, edit];
  expect(refusalOf(admin, edits)).toMatchObject({
    code: 'CONFLICT',
    changed: [edit.id],
    message: expect.stringContaining(message),
  });
});

test.each([
  [
    'the same role twice',
    [
      { id: '1', version: 1, permissions: [] },
      { id: '1', version: 1, name: 'X' },
    ],
  ],
  [
    'two roles with one new name',
    [
      { id: '1', version: 1, name: 'New' },
      { id: '2', version: 4, name: 'new' },
    ],
  ],
  [
    'a name that another role is just losing',
    [
      { id: '1', version: 1, name: 'Was sales' },
      { id: '2', version: 4, name: 'Sales' },
    ],
  ],
])('%s among the changes is refused', (_, edits) => {
  expect(refusalOf(admin, edits)).toMatchObject({ code: 'BAD_INPUT' });
});

test('an edit that changes nothing is left out', () => {
  const edits = [
    { id: '1', version: 1, name: 'Sales', permissions: ['VIEW_DASHBOARD'] as const },
    { id: '2', version: 4, permissions: [] },
  ];
  expect(planRoleEdits(admin, roles, edits, noGroups)).toEqual([
    { before: roles[1], after: { ...roles[1], permissions: [], version: 5 } },
  ]);
});

test('what is added stands in the order of all permissions', () => {
  expect(addedPermissions(['VIEW_TOOLS'], ['USER_MANAGEMENT', 'VIEW_TOOLS', 'VIEW_DASHBOARD'])).toEqual([
    'VIEW_DASHBOARD',
    'USER_MANAGEMENT',
  ]);
});

test.each<[string, readonly Permission[]]>([
  ['the right to edit roles', ['VIEW_DASHBOARD', 'USER_MANAGEMENT']],
  ['the application', ['VIEW_ROLE_EDITOR', 'USER_MANAGEMENT']],
])('nobody takes %s from themselves', (_, permissions) => {
  expect(ownRightRefusal(editor, { ...editor, permissions })).toMatchObject({ code: 'FORBIDDEN' });
});

test('whoever keeps the right to edit roles, or never had it, is not stopped', () => {
  expect(ownRightRefusal(editor, { ...editor, permissions: ['VIEW_DASHBOARD', 'VIEW_ROLE_EDITOR'] })).toBeNull();
  expect(ownRightRefusal(samplePeople.staff, samplePeople.norole)).toBeNull();
  expect(ownRightRefusal(admin, { ...admin, permissions: [] })).toBeNull();
});

test('a role that somebody has is not deleted, and the refusal says who has it', () => {
  const refusal = deleteRoleRefusal(roles[0], { id: '1', version: 1 }, ['Ada', 'Ben']);
  expect(refusal).toMatchObject({
    code: 'STILL_USED',
    message: '2 people have this role: Ada, Ben. Give them another role first',
  });
  const names = Array.from({ length: 13 }, (_, index) => `P${index}`);
  expect(deleteRoleRefusal(roles[0], { id: '1', version: 1 }, names)?.message).toContain('P9 and 3 more. Give');
});

test('a role that was deleted or changed meanwhile is not deleted', () => {
  expect(deleteRoleRefusal(undefined, { id: '1', version: 1 }, [])).toMatchObject({ code: 'CONFLICT' });
  expect(deleteRoleRefusal(roles[1], { id: '2', version: 3 }, [])).toMatchObject({ code: 'CONFLICT' });
  expect(deleteRoleRefusal(roles[1], { id: '2', version: 4 }, [])).toBeNull();
});

describe('roles that manage people', () => {
  const named = (name: string, ...permissions: Permission[]) => role(name, name, ['VIEW_DASHBOARD', ...permissions]);
  const hr = named('People', 'USER_MANAGEMENT', 'VIEW_SALES');
  const [plain, withTools] = [named('Staff'), named('Staff', 'VIEW_TOOLS')];
  const same = (one: Role): RoleStep => ({ before: one, after: one });
  it.each([
    [same(hr), { before: plain, after: withTools }, [{ role: 'People', given: [], lost: ['Staff'] }]],
    [same(hr), { before: withTools, after: plain }, [{ role: 'People', given: ['Staff'], lost: [] }]],
    [
      { before: hr, after: named('People', 'USER_MANAGEMENT', 'VIEW_TOOLS') },
      same(withTools),
      [{ role: 'People', given: ['Staff'], lost: [] }],
    ],
    [same(hr), same(withTools), []],
    [same(named('Lead', 'VIEW_TOOLS')), { before: plain, after: withTools }, []],
  ])('are named when a change decides which other role they can give', (manager, other, expected) => {
    expect(givingChanges([manager, other])).toEqual(expected);
  });
});

describe('a role that groups of the identity provider receive (T14)', () => {
  const mapping = { groupsOf: new Map([['2', ['helpers', 'night shift']]]), names: ['Support'] };
  const holder = { ...editor, permissions: [...editor.permissions, 'VIEW_TOOLS' as const] };
  it.each<[string, Omit<RoleEdit, 'id' | 'version'>]>([
    ['given a permission', { permissions: ['VIEW_DASHBOARD', 'VIEW_TOOLS', 'VIEW_ROLE_EDITOR'] }],
    ['emptied', { permissions: [] }],
  ])('is not %s by someone who does not hold all of it', (_what, edit) => {
    const edits = [{ id: '2', version: 4, ...edit }];
    expect(refusalOf(editor, edits, mapping)?.message).toContain('helpers, night shift');
    expect([refusalOf(holder, edits, mapping), refusalOf(admin, edits, mapping)]).toEqual([null, null]);
    expect(refusalOf(editor, edits)).toBeNull();
  });
  it('is not deleted by them either', () => {
    expect(receivedRoleRefusal(editor, roles[1]!, mapping)?.code).toBe('FORBIDDEN');
    expect([receivedRoleRefusal(holder, roles[1]!, mapping), receivedRoleRefusal(editor, roles[0]!, mapping)]).toEqual([
      null,
      null,
    ]);
  });
  it('has a name in the configuration that only an admin takes', () => {
    const edits = [{ id: '1', version: 1, name: ' SUPPORT' }];
    expect(refusalOf(editor, edits, mapping)).toMatchObject({ code: 'FORBIDDEN', field: 'name' });
    expect(newRoleRefusal(editor, [], { name: 'support', permissions: [] }, mapping)?.field).toBe('name');
    expect(newRoleRefusal(admin, [], { name: 'support', permissions: [] }, mapping)).toBeNull();
    expect(refusalOf(admin, edits, mapping)).toBeNull();
  });
});

test('a change of a role wakes no old grant that the editor does not hold', () => {
  const before = { id: '7', role: 'Guest', permissions: ['VIEW_SALES'] as const, approverIds: [] };
  const after = { ...before, permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] as const };
  expect(holderRefusal(editor, [{ before, after }])?.message).toContain('Sales');
  expect(holderRefusal(admin, [{ before, after }])).toBeNull();
  expect(holderRefusal(editor, [{ before: after, after }])).toBeNull();
});
