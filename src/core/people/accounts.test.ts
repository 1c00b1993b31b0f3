import { describe, expect, it, test } from 'vitest';
import { samplePeople } from '../../../test/house/sample-people.ts';
import { type Permission, permissionKeys } from '../access/permissions.ts';
import { refuse } from '../base/refusals.ts';
import {
  type AccountChange,
  type AccountChanger,
  type AccountFacts,
  type AccountFields,
  emptyAccount,
  planAccountChange,
  planNewAccount,
  signInRefusal,
} from './accounts.ts';
import type { ApproverChoice } from './approvers.ts';

const admin: AccountChanger = { ...samplePeople.admin, team: null };
const keeper: AccountChanger = {
  ...samplePeople.people,
  team: null,
  permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_ROLE_EDITOR'],
};
const candidate = (id: string, displayName: string, more: readonly Permission[]): ApproverChoice => ({
  ...{ id, displayName, role: 'Role', approverIds: [], disabled: false, approves: true },
  permissions: ['VIEW_DASHBOARD', ...more],
});
const facts: AccountFacts = {
  roles: new Map([
    ['Staff', ['VIEW_DASHBOARD']],
    ['Imported', ['VIEW_DASHBOARD', 'VIEW_TOP_5']],
  ]),
  candidates: new Map(
    [
      candidate('7', 'Cat Crew', ['VIEW_TOP_5_STATS']),
      candidate('8', 'Ben Boss', ['VIEW_TOP_5_APPROVALS', 'VIEW_TOP_5_STATS']),
      candidate('9', 'Eve Ever', []),
      { ...candidate('6', 'Dan Gone', []), disabled: true },
      candidate(keeper.id, 'Kim Keep', ['VIEW_TOP_5_APPROVALS']),
    ].map((each) => [each.id, each]),
  ),
  actsFor: new Map(),
  defaultApproverId: null,
  watchedTeams: new Set(['codex']),
  control: null,
};
const statsOfCodex = ['VIEW_TOP_5_STATS', 'VIEW_TOP_5_STATS_CODEX'] as const;
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
const erased = { ...cat, email: 'former-colleague-7@erased.invalid', disabled: true };
const ask = (change: AccountChange, before = cat, viewer: AccountChanger = keeper) => {
  const answer = planAccountChange(viewer, before, change, facts);
  if (answer.kind === 'plan')
    return Object.fromEntries(answer.changed.map((field) => [field, answer.after[field]])) as object;
  return answer.kind === 'unchanged' ? 'unchanged' : [answer.code, answer.field ?? null];
};

describe('what is refused', () => {
  it.each<[string, AccountChange, typeof cat, AccountChanger, unknown]>([
    ['making an admin without being one', { role: 'admin' }, cat, keeper, ['FORBIDDEN', 'role']],
    ['taking the role of an admin', { role: 'Staff' }, boss, keeper, ['FORBIDDEN', null]],
    ['another email of an admin', { email: 'mine@example.test' }, boss, keeper, ['FORBIDDEN', null]],
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
    ['enabling an erased account', { disabled: false }, erased, admin, ['CONFLICT', null]],
    ['another email of an erased account', { email: 'x@example.test' }, erased, admin, ['CONFLICT', null]],
    ['the address of an erased account', { email: 'X@Erased.invalid' }, cat, admin, ['BAD_INPUT', 'email']],
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
      { grants: ['OLD', 'VIEW_ROLE_EDITOR'] },
      { ...cat, grants: ['OLD'] },
      { grants: ['OLD', 'VIEW_ROLE_EDITOR'] },
    ],
    ['no approver', { approverIds: [] }, cat, { approverIds: [] }],
    ['disabling', { disabled: true }, cat, { disabled: true }],
    ['enabling', { disabled: false }, { ...cat, disabled: true }, { disabled: false }],
    ['a role that gives less', { role: 'Staff' }, { ...cat, role: 'Imported' }, { role: 'Staff' }],
    ['a direct grant away that the manager lacks', { grants: [] }, { ...cat, grants: ['VIEW_SALES'] }, { grants: [] }],
    ['an approver whom an admin made one', { approverIds: ['8', '9'] }, cat, { approverIds: ['8', '9'] }],
    ['top 5 off', { topFive: false }, { ...cat, grants: ['VIEW_TOOLS', 'VIEW_TOP_5'] }, { grants: ['VIEW_TOOLS'] }],
    ['top 5 on again', { topFive: true }, { ...cat, grants: ['VIEW_TOP_5'] }, 'unchanged'],
    ['top 5 on where the role has it', { topFive: true }, { ...cat, role: 'Imported' }, 'unchanged'],
    ['top 5 off where it is off', { topFive: false }, cat, 'unchanged'],
  ])('%s', (_what, change, before, expected) => {
    expect(ask(change, before)).toEqual(expected);
  });
  it('the name of an admin is anybody’s to set who manages users', () => {
    expect(ask({ firstName: 'X', role: 'admin', team: 'green', topFive: true }, boss)).toEqual({ firstName: 'X' });
  });
  it.each<[string, AccountChange, unknown]>([
    ['top 5 on', { topFive: true }, { grants: ['VIEW_TOP_5'] }],
    ['a role that brings top 5, and top 5 on', { role: 'Imported', topFive: true }, { role: 'Imported' }],
    ['any grant', { grants: ['VIEW_SALES'] }, { grants: ['VIEW_SALES'] }],
  ])('by an admin: %s', (_what, change, expected) => {
    expect(ask(change, cat, admin)).toEqual(expected);
  });
  it('a manager gives what they hold themselves', () => {
    const topFive = { ...keeper, permissions: [...keeper.permissions, 'VIEW_TOP_5' as const] };
    expect(ask({ topFive: true }, cat, topFive)).toEqual({ grants: ['VIEW_TOP_5'] });
    expect(ask({ role: 'Imported' }, cat, topFive)).toEqual({ role: 'Imported' });
  });
  it('an admin makes an admin', () => {
    expect(ask({ role: 'admin' }, cat, admin)).toEqual({ role: 'admin' });
  });
  it('a new account begins empty', () => {
    const plan = planNewAccount(admin, { email: 'n@example.test', role: 'Staff', topFive: true }, facts);
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

describe('nobody gives what they do not hold, and nobody gains by their own change (T14)', () => {
  const self = { ...cat, id: keeper.id, email: 'kim@example.test' };
  const dormant = { ...cat, role: null, grants: ['VIEW_SALES'] };
  const watcher = { ...keeper, permissions: [...keeper.permissions, ...statsOfCodex] };
  it.each<[string, AccountChange, typeof cat, unknown]>([
    ['a grant that the manager lacks', { grants: ['VIEW_SALES'] }, cat, ['FORBIDDEN', 'permissions']],
    [
      'the same to someone without a role',
      { grants: ['VIEW_SALES'] },
      { ...cat, role: null },
      ['FORBIDDEN', 'permissions'],
    ],
    [
      'the same to a disabled account',
      { grants: ['VIEW_SALES'] },
      { ...cat, disabled: true },
      ['FORBIDDEN', 'permissions'],
    ],
    ['a role with more than the manager holds', { role: 'Imported' }, cat, ['FORBIDDEN', 'role']],
    ['a role by which old grants open something', { role: 'Staff' }, dormant, ['FORBIDDEN', 'role']],
    ['top 5', { topFive: true }, cat, ['FORBIDDEN', 'permissions']],
    ['their own role', { role: 'Staff' }, { ...self, role: null }, ['FORBIDDEN', 'role']],
    ['their own grants', { grants: [] }, { ...self, grants: ['VIEW_ROLE_EDITOR'] }, ['FORBIDDEN', 'permissions']],
    ['their own top 5', { topFive: false }, { ...self, grants: ['VIEW_TOP_5'] }, ['FORBIDDEN', 'top5']],
    ['their own team', { team: 'give' }, self, ['FORBIDDEN', 'team']],
    ['their own approvers', { approverIds: ['9'] }, self, ['FORBIDDEN', 'approverId']],
    ['making themselves an approver', { approverIds: ['8', keeper.id] }, cat, ['FORBIDDEN', 'approverIds']],
    ['the approvers of an admin', { approverIds: ['9'] }, boss, ['FORBIDDEN', null]],
    ['the team of an admin', { team: 'give' }, boss, ['FORBIDDEN', null]],
    [
      'someone as approver who would only see stats',
      { approverIds: ['7'] },
      { ...cat, id: '5' },
      ['FORBIDDEN', 'approverIds'],
    ],
  ])('%s is refused', (_what, change, before, expected) => {
    expect(ask(change, before)).toEqual(expected);
  });
  it('a new account cannot have the manager as its approver', () => {
    expect(planNewAccount(keeper, { email: 'n@example.test', approverIds: [keeper.id] }, facts)).toMatchObject({
      code: 'FORBIDDEN',
    });
  });
  it('taking all approvers away is refused where the manager is the default approver', () => {
    const byDefault = { ...facts, defaultApproverId: keeper.id };
    expect(planAccountChange(keeper, cat, { approverIds: [] }, byDefault)).toMatchObject({ code: 'FORBIDDEN' });
    expect(planAccountChange(admin, cat, { approverIds: [] }, byDefault)).toMatchObject({ kind: 'plan' });
  });
  it('another email, and enabling, need control of the account', () => {
    const control = refuse('FORBIDDEN', 'Ask an admin');
    const held = { ...facts, control };
    expect(planAccountChange(keeper, cat, { email: 'mine@example.test' }, held)).toMatchObject({ field: 'email' });
    expect(planAccountChange(keeper, { ...cat, disabled: true }, { disabled: false }, held)).toEqual(control);
    expect(planAccountChange(keeper, cat, { disabled: true }, held)).toMatchObject({ kind: 'plan' });
    expect(planAccountChange(admin, cat, { email: 'mine@example.test' }, held)).toMatchObject({ kind: 'plan' });
  });
  it.each<[string, AccountChange, typeof cat, string]>([
    ['into a team whose stats somebody may see', { team: 'codex' }, cat, 'team'],
    [
      'out of invisibility in it',
      { topFiveInvisible: false },
      { ...cat, team: 'codex', topFiveInvisible: true },
      'top5Invisible',
    ],
  ])('nobody is moved %s by a manager who cannot see their stats', (_what, change, before, field) => {
    const unwatched = { ...facts, watchedTeams: new Set(['green']) };
    for (const viewer of [watcher, keeper]) {
      expect(planAccountChange(viewer, before, change, facts)).toMatchObject({ code: 'FORBIDDEN', field });
      // The stats of a brand show tasks of its category, whatever the team of who is shown.
      const expected = field === 'team' ? { kind: 'plan' } : { code: 'FORBIDDEN' };
      expect(planAccountChange(viewer, before, change, unwatched)).toMatchObject(expected);
    }
    const approver = { ...watcher, id: '8', team: 'connect' };
    for (const viewer of [admin, approver])
      expect(planAccountChange(viewer, before, change, facts)).toMatchObject({ kind: 'plan' });
    expect(planNewAccount(watcher, { email: 'n@example.test', team: 'codex' }, facts)).toMatchObject({ kind: 'plan' });
  });
  it('a manager in a team decides neither who is in it nor whose tasks count in its result', () => {
    const member = { ...keeper, team: 'green' };
    for (const [change, before, field] of [
      [{ topFiveInvisible: true }, cat, 'top5Invisible'],
      [{ team: null }, cat, 'team'],
      [{ team: 'green' }, { ...cat, team: 'connect' }, 'team'],
    ] as const) {
      expect(planAccountChange(member, before, change, facts)).toMatchObject({ code: 'FORBIDDEN', field });
      for (const other of [
        { ...keeper, team: 'codex' },
        { ...admin, team: 'green' },
      ])
        expect(planAccountChange(other, before, change, facts)).toMatchObject({ kind: 'plan' });
    }
    expect(planNewAccount(member, { email: 'n@example.test', team: 'green' }, facts)).toMatchObject({ kind: 'plan' });
    const own = { ...cat, id: member.id, team: 'codex' };
    expect(ask({ topFiveInvisible: true }, own, member)).toEqual(['FORBIDDEN', 'top5Invisible']);
    // Everyone's result is that of a manager without a team.
    expect(ask({ topFiveInvisible: true })).toEqual(['FORBIDDEN', 'top5Invisible']);
    expect(ask({ team: 'connect' })).toEqual({ team: 'connect' });
  });
  it('a manager leaves their approver in place, and who approves that one: the next in line for their own tasks', () => {
    const approved = { ...keeper, approverIds: [cat.id] };
    const deciding = { ...cat, grants: ['VIEW_TOP_5_APPROVALS'] };
    for (const change of [{ disabled: true }, { grants: [] }, { role: null }]) {
      expect(ask(change, deciding, { ...approved, permissions: permissionKeys })).toEqual(['FORBIDDEN', null]);
      expect(ask(change, deciding, { ...keeper, permissions: permissionKeys })).toEqual(change);
    }
    expect(ask({ approverIds: ['8'] }, { ...cat, approverIds: [] }, approved)).toEqual(['FORBIDDEN', 'approverIds']);
    expect(ask({ firstName: 'Kate' }, cat, approved)).toEqual({ firstName: 'Kate' });
  });
  it('an approver is someone who approves somebody already, unless the manager decides for the person', () => {
    const first = { ...candidate('9', 'Eve Ever', ['VIEW_TOP_5_APPROVALS']), approves: false };
    const among = { ...facts, candidates: new Map(facts.candidates).set('9', first) };
    const lead = { ...keeper, id: '8', permissions: [...keeper.permissions, 'VIEW_TOP_5_APPROVALS' as const] };
    const change = { approverIds: ['8', '9'] };
    expect(planAccountChange(keeper, cat, change, among)).toMatchObject({
      code: 'FORBIDDEN',
      message: 'Eve Ever doesn’t approve anyone yet. Ask an admin to make them an approver',
    });
    expect(planNewAccount(keeper, { email: 'n@example.test', ...change }, among)).toMatchObject({ code: 'FORBIDDEN' });
    for (const viewer of [admin, lead])
      expect(planAccountChange(viewer, cat, change, among)).toMatchObject({ kind: 'plan' });
    expect(planAccountChange({ ...lead, id: '5' }, cat, change, among)).toMatchObject({ code: 'FORBIDDEN' });
  });
  it('a scope of the stats counts as given and as held only together with the stats', () => {
    const scoped = { ...keeper, permissions: [...keeper.permissions, 'VIEW_TOP_5_STATS_CODEX' as const] };
    expect(ask({ grants: ['VIEW_TOP_5_STATS_CODEX'] }, cat, scoped)).toEqual(['FORBIDDEN', 'permissions']);
    const seer = { ...keeper, permissions: [...keeper.permissions, 'VIEW_TOP_5_STATS' as const] };
    const dormantScope = { ...cat, grants: ['VIEW_TOP_5_STATS_CODEX'] };
    expect(ask({ grants: [...dormantScope.grants, 'VIEW_TOP_5_STATS'] }, dormantScope, seer)).toEqual([
      'FORBIDDEN',
      'permissions',
    ]);
    expect(ask({ grants: [...statsOfCodex] }, cat, watcher)).toEqual({ grants: [...statsOfCodex] });
  });
});
