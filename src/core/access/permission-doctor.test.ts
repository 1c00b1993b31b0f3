import { describe, expect, it } from 'vitest';
import { findingKindKeys, findings, type Patient, type StoredRole } from './permission-doctor.ts';
import { permissionKeys } from './permissions.ts';

const everything: StoredRole = { name: 'Everything', permissions: permissionKeys };
const patient = (id: string, more: Partial<Patient> = {}): Patient => ({
  ...{ id, name: `Person ${id}`, role: 'Everything', grants: [], approverIds: ['9'], disabled: false },
  ...more,
});
const admin = patient('9', { role: 'admin', approverIds: ['1'] });
const found = (roles: readonly StoredRole[], people: readonly Patient[]) =>
  findings(roles, people).map(({ kind, about, detail }) => [kind, about.key, detail]);

describe('the permission doctor', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(findings([everything], [admin, patient('1')])).toEqual([]);
  });
  it.each([
    [
      'a permission that no role has',
      [{ name: 'R', permissions: permissionKeys.filter((key) => key !== 'READ_BGP') }],
      [admin, patient('1', { role: 'R' })],
      ['permissionWithoutRole', 'READ_BGP', 'Only admins have it'],
    ],
    [
      'the only admin who has no approver, as nobody decides on their own tasks',
      [everything],
      [patient('9', { role: 'admin', approverIds: [] }), patient('1'), patient('8', { role: 'admin', disabled: true })],
      ['onlyAdminWithoutApprover', '9', 'Role admin'],
    ],
    [
      'a role that nobody has',
      [everything, { name: 'Empty', permissions: ['VIEW_TOOLS'] }],
      [admin, patient('1')],
      ['roleWithoutPeople', 'Empty', '1 permission'],
    ],
    [
      'a role that only disabled people have',
      [everything, { name: 'Old', permissions: [] }],
      [admin, patient('1'), patient('2', { role: 'Old', disabled: true })],
      ['roleWithoutPeople', 'Old', '0 permissions, and 1 disabled account has it'],
    ],
    [
      'somebody without a role',
      [everything],
      [admin, patient('1'), patient('2', { role: null })],
      ['personWithoutRole', '2', 'No direct permissions'],
    ],
    [
      'grants that have no effect without a role',
      [everything],
      [admin, patient('1'), patient('2', { role: null, grants: ['VIEW_TOP_5'] })],
      ['personWithoutRole', '2', '1 direct permission, no effect without a role'],
    ],
    [
      'somebody who keeps tasks without an approver',
      [everything],
      [admin, patient('1', { approverIds: [] })],
      ['personWithoutApprover', '1', 'Role Everything'],
    ],
    [
      'an approver who is disabled',
      [everything],
      [admin, patient('1', { approverIds: ['2'] }), patient('2', { disabled: true })],
      ['approverDisabled', '2', 'Approves 1 person'],
    ],
    [
      'an approver who may not approve',
      [everything, { name: 'Staff', permissions: ['VIEW_DASHBOARD'] }],
      [admin, patient('1', { approverIds: ['2'] }), patient('2', { role: 'Staff' })],
      ['approverWithoutPermission', '2', 'Approves 1 person'],
    ],
    [
      'an approver who may not open the application',
      [everything, { name: 'Decides', permissions: ['VIEW_TOP_5_APPROVALS', 'VIEW_TOP_5'] }],
      [admin, patient('1', { approverIds: ['2'] }), patient('2', { role: 'Decides' })],
      ['approverWithoutPermission', '2', 'Approves 1 person'],
    ],
    [
      'an approver without a role',
      [everything],
      [admin, patient('1', { approverIds: ['2'] }), patient('2', { role: null, grants: ['VIEW_TOP_5_APPROVALS'] })],
      ['approverWithoutPermission', '2', 'Approves 1 person'],
    ],
    [
      'a role that opens nothing without Dashboard',
      [everything, { name: 'Seller', permissions: ['VIEW_SALES', 'VIEW_GREEN_SALES', 'READ_GREEN'] }],
      [admin, patient('1', { role: 'Seller' }), patient('2', { role: 'Seller', grants: ['VIEW_DASHBOARD'] })],
      ['roleWithoutDashboard', 'Seller', '1 person'],
    ],
    [
      'tabs without permission to read their numbers',
      [
        everything,
        { name: 'Seller', permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_CONNECT_SALES', 'VIEW_BGP_SALES'] },
      ],
      [admin, patient('1', { role: 'Seller' })],
      ['tabWithoutNumbers', 'Seller', 'Connect and Arcade'],
    ],
    [
      'a permission that does not exist',
      [{ name: 'Everything', permissions: [...permissionKeys, 'VIEW_MOON', '__proto__'] }],
      [admin, patient('1')],
      ['unknownPermission', 'Everything', '__proto__'],
    ],
    [
      'the misspelt key of the specification (D9)',
      [{ name: 'Everything', permissions: [...permissionKeys, 'IEW_WHO_LIVES_DONATIONS'] }],
      [admin, patient('1')],
      ['misspeltPermission', 'Everything', 'IEW_WHO_LIVES_DONATIONS, treated as VIEW_WHO_LIVES_DONATIONS'],
    ],
    [
      'a wrong name among the grants',
      [everything],
      [admin, patient('1', { grants: ['view_tools'] })],
      ['unknownPermission', '1', 'view_tools'],
    ],
  ] as const)('finds %s', (_case, roles, people, wanted) => {
    expect(found(roles, people)).toContainEqual(wanted);
  });
  it('finds nothing in a permission that people are given directly, as user management gives tasks', () => {
    const role = { name: 'Everything', permissions: permissionKeys.filter((key) => key !== 'VIEW_TOP_5') };
    expect(found([role], [admin, patient('1', { grants: ['VIEW_TOP_5'] })])).toEqual([]);
  });
  it('finds nothing in an admin without an approver where another admin decides', () => {
    const [one, other] = ['8', '9'].map((id) => patient(id, { role: 'admin', approverIds: [] })) as [Patient, Patient];
    expect(found([everything], [one, other, patient('1')])).toEqual([]);
  });
  it('takes the misspelt key for the permission that is meant', () => {
    const role = {
      name: 'Everything',
      permissions: permissionKeys.map((key) => (key === 'VIEW_WHO_LIVES_DONATIONS' ? 'IEW_WHO_LIVES_DONATIONS' : key)),
    };
    expect(found([role], [admin, patient('1')]).map(([kind]) => kind)).toEqual(['misspeltPermission']);
  });
  it('has nothing to say of admins, of disabled people who approve nobody, and of who keeps no tasks', () => {
    const staff = { name: 'Staff', permissions: ['VIEW_DASHBOARD'] };
    const people = [
      admin,
      patient('1'),
      patient('2', { role: 'Staff', approverIds: [] }),
      patient('3', { role: null, disabled: true }),
    ];
    expect(found([everything, staff], people)).toEqual([]);
  });
  it('tells the most pressing first', () => {
    const kinds = findings(
      [{ name: 'Empty', permissions: ['VIEW_MOON'] }],
      [admin, patient('1', { role: null, approverIds: ['2'] }), patient('2', { disabled: true })],
    ).map(({ kind }) => kind);
    expect(kinds).toEqual([...kinds].sort((a, b) => findingKindKeys.indexOf(a) - findingKindKeys.indexOf(b)));
    expect(kinds[0]).toBe('approverDisabled');
  });
});
