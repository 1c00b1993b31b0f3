import { describe, expect, it, test } from 'vitest';
import { samplePeople } from '../../test/house/sample-people.ts';
import {
  type AccountChange,
  type AccountFacts,
  type AccountFields,
  emptyAccount,
  permissionSources,
  planAccountChange,
  planNewAccount,
  signInRefusal,
  topFiveBound,
  topFiveSource,
} from './accounts.ts';
import { permissionKeys } from './permissions.ts';

const { admin, people: keeper } = samplePeople;
const facts: AccountFacts = {
  roles: new Map([
    ['Staff', ['VIEW_DASHBOARD']],
    ['Imported', ['VIEW_DASHBOARD', 'VIEW_TOP_5']],
  ]),
  candidates: new Map([
    ['7', { displayName: 'Cat Crew', disabled: false }],
    ['8', { displayName: 'Ben Boss', disabled: false }],
    ['9', { displayName: 'Eve Ever', disabled: false }],
    ['6', { displayName: 'Dan Gone', disabled: true }],
  ]),
};
const cat: AccountFields & { id: string } = {
  ...emptyAccount,
  id: '7',
  email: 'cat@example.test',
  firstName: 'Cat',
  lastName: 'Crew',
  role: 'Staff',
  team: 'green',
  approverIds: ['8'],
};
const boss = { ...cat, role: 'admin' };
const ask = (change: AccountChange, before = cat, viewer: typeof admin | typeof keeper = keeper) => {
  const answer = planAccountChange(viewer, before, change, facts);
  if (answer.kind === 'plan')
    return Object.fromEntries(answer.changed.map((field) => [field, answer.after[field]])) as object;
  return answer.kind === 'unchanged' ? 'unchanged' : [answer.code, answer.field ?? null];
};

describe('what is refused', () => {
  it.each<[string, AccountChange, typeof cat, typeof admin | typeof keeper, unknown]>([
    ['making an admin without being one', { role: 'admin' }, cat, keeper, ['FORBIDDEN', 'role']],
    ['taking the role of an admin', { role: 'Staff' }, boss, keeper, ['FORBIDDEN', null]],
    ['another e-mail of an admin', { email: 'mine@example.test' }, boss, keeper, ['FORBIDDEN', null]],
    ['disabling an admin', { disabled: true }, boss, keeper, ['FORBIDDEN', null]],
    ['grants of an admin', { grants: ['VIEW_TOOLS'] }, boss, keeper, ['FORBIDDEN', null]],
    ['disabling oneself', { disabled: true }, { ...cat, id: keeper.id }, keeper, ['FORBIDDEN', null]],
    ['disabling oneself as an admin', { disabled: true }, { ...boss, id: admin.id }, admin, ['FORBIDDEN', null]],
    ['a role that is not there', { role: 'Nobody' }, cat, admin, ['BAD_INPUT', 'role']],
    ['a team that is not there', { team: 'blue' }, cat, admin, ['BAD_INPUT', 'team']],
    ['a permission that is not there', { grants: ['FLY'] }, cat, admin, ['BAD_INPUT', 'permissions']],
    ['approving oneself', { approverIds: ['7'] }, cat, admin, ['BAD_INPUT', 'approverId']],
    ['an approver whose account is disabled', { approverIds: ['6'] }, cat, admin, ['BAD_INPUT', 'approverId']],
    ['an approver who is not there', { approverIds: ['10'] }, cat, admin, ['BAD_INPUT', 'approverId']],
    ['top 5 away from an admin', { topFive: false }, boss, admin, ['BAD_INPUT', 'top5']],
    [
      'top 5 away from whose role has it',
      { topFive: false },
      { ...cat, role: 'Imported' },
      keeper,
      ['BAD_INPUT', 'top5'],
    ],
  ])('%s', (_what, change, before, viewer, expected) => {
    expect(ask(change, before, viewer)).toEqual(expected);
  });
});

describe('what a change comes to', () => {
  it.each<[string, AccountChange, typeof cat, unknown]>([
    ['nothing given', {}, cat, 'unchanged'],
    ['the same again', { role: 'Staff', approverIds: ['8'], team: 'green' }, cat, 'unchanged'],
    [
      'the same approvers in another order',
      { approverIds: ['9', '8'] },
      { ...cat, approverIds: ['8', '9'] },
      'unchanged',
    ],
    ['a name and a team', { firstName: 'Kat', team: 'give' }, cat, { firstName: 'Kat', team: 'give' }],
    ['no role', { role: null }, cat, { role: null }],
    [
      'a role and a team of another time stay',
      { firstName: 'K' },
      { ...cat, role: 'Gone', team: 'blue' },
      { firstName: 'K' },
    ],
    [
      'an unknown grant of another time stays',
      { grants: ['OLD', 'VIEW_TOOLS'] },
      { ...cat, grants: ['OLD'] },
      { grants: ['OLD', 'VIEW_TOOLS'] },
    ],
    ['no approver', { approverIds: [] }, cat, { approverIds: [] }],
    ['disabling', { disabled: true }, cat, { disabled: true }],
    ['enabling', { disabled: false }, { ...cat, disabled: true }, { disabled: false }],
    ['top 5 on', { topFive: true }, cat, { grants: ['VIEW_TOP_5'] }],
    ['top 5 off', { topFive: false }, { ...cat, grants: ['VIEW_TOOLS', 'VIEW_TOP_5'] }, { grants: ['VIEW_TOOLS'] }],
    ['top 5 on again', { topFive: true }, { ...cat, grants: ['VIEW_TOP_5'] }, 'unchanged'],
    ['top 5 on where the role has it', { topFive: true }, { ...cat, role: 'Imported' }, 'unchanged'],
    ['top 5 off where it is off', { topFive: false }, cat, 'unchanged'],
    ['a role that brings top 5, and top 5 on', { role: 'Imported', topFive: true }, cat, { role: 'Imported' }],
  ])('%s', (_what, change, before, expected) => {
    expect(ask(change, before)).toEqual(expected);
  });
  it('the name, team and approvers of an admin are anybody’s to set who manages users', () => {
    expect(ask({ firstName: 'X', team: 'give', approverIds: ['9'], role: 'admin' }, boss)).toEqual({
      firstName: 'X',
      team: 'give',
      approverIds: ['9'],
    });
  });
  it('an admin makes an admin', () => {
    expect(ask({ role: 'admin' }, cat, admin)).toEqual({ role: 'admin' });
  });
  it('a new account begins empty', () => {
    const plan = planNewAccount(keeper, { email: 'n@example.test', role: 'Staff', topFive: true }, facts);
    expect(plan).toMatchObject({
      kind: 'plan',
      changed: ['email', 'role', 'grants'],
      after: { ...emptyAccount, email: 'n@example.test', role: 'Staff', grants: ['VIEW_TOP_5'] },
    });
  });
});

test('how an admin signs in is for admins only', () => {
  expect(signInRefusal(keeper, boss)?.code).toBe('FORBIDDEN');
  expect([signInRefusal(keeper, cat), signInRefusal(admin, boss)]).toEqual([null, null]);
});

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
    expect(topFiveBound('admin', 'admin')).toContain('admin');
    expect(topFiveBound('role', 'Imported')).toContain('role Imported');
    expect([topFiveBound('direct', 'Staff'), topFiveBound(null, null)]).toEqual([null, null]);
  });
});
