import { describe, expect, it } from 'vitest';
import {
  accountControlRefusal,
  accountReachRefusal,
  adminLossWarning,
  entryWarning,
  type Holdings,
  oneWayWarning,
  roleLossWarnings,
  tasksWarning,
  usablePermissions,
} from './holdings.ts';

const holder = (id: string, more: Partial<Holdings> = {}): Holdings => ({
  id,
  role: 'Role',
  permissions: ['VIEW_DASHBOARD'],
  approverIds: [],
  approvees: [],
  isUsed: false,
  hasTasks: false,
  ...more,
});
const keeper = holder('1', { permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT'] });
const admin = holder('9', { role: 'admin' });

describe('managing an account needs everything that the account opens', () => {
  it.each<[string, Holdings]>([
    ['of an admin', admin],
    ['with a permission that the manager lacks', holder('2', { permissions: ['VIEW_DASHBOARD', 'VIEW_SALES'] })],
    ['with one that counts once a role is given', holder('2', { role: null, permissions: ['VIEW_SALES'] })],
    ['of someone who approves people', holder('2', { approvees: ['3'] })],
    ['of someone who can come to approve people', holder('2', { possibleApprovees: ['3'] })],
    ['of someone who decides the tasks of the manager', holder('2', { approvees: ['1'] })],
  ])('is refused %s', (_which, account) => {
    expect(accountControlRefusal(keeper, account)?.code).toBe('FORBIDDEN');
    expect(accountControlRefusal(admin, account)).toBeNull();
  });
  it('is refused where the account shows tasks that the manager cannot see', () => {
    const owner = holder('2', { permissions: ['VIEW_DASHBOARD', 'VIEW_TOP_5'], hasTasks: true });
    const same = { ...keeper, permissions: [...keeper.permissions, 'VIEW_TOP_5'] as const };
    for (const rule of [accountControlRefusal, accountReachRefusal]) {
      expect(rule(same, owner)?.message).toContain('tasks');
      expect(rule({ ...same, approvees: ['2'] }, owner)).toBeNull();
      // A new hire has none yet, so the link can be handed over.
      expect(rule(same, { ...owner, hasTasks: false })).toBeNull();
    }
    // Without the permission the account shows no tasks, until someone gives it back.
    const stripped = { ...owner, permissions: ['VIEW_DASHBOARD'] as const };
    expect(accountControlRefusal(same, stripped)).toBeNull();
    expect(accountReachRefusal(same, stripped)?.message).toContain('tasks');
  });
  it('is allowed of someone who holds no more, and of oneself', () => {
    expect(accountControlRefusal(keeper, holder('2'))).toBeNull();
    expect(accountControlRefusal(keeper, holder('2', { role: null, permissions: [] }))).toBeNull();
    expect(accountControlRefusal(keeper, keeper)).toBeNull();
  });
  it('reaches no account that somebody uses, whatever it opens at the moment', () => {
    const used = holder('2', { isUsed: true, role: null, permissions: [] });
    expect(accountReachRefusal(keeper, used)?.message).toContain('only an admin');
    expect(accountControlRefusal(keeper, used)).toBeNull();
    expect([accountReachRefusal(admin, used), accountReachRefusal(keeper, { ...used, isUsed: false })]).toEqual([
      null,
      null,
    ]);
  });
  it('reaches nobody’s own account, an admin’s neither', () => {
    expect(accountReachRefusal(keeper, keeper)?.message).toContain('ask an admin');
    expect(accountReachRefusal(admin, admin)?.message).toContain('ask another admin or an operator');
  });
  it('names what the manager lacks', () => {
    const account = holder('2', { permissions: ['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_TOOLS'] });
    expect(accountControlRefusal(keeper, account)?.message).toBe(
      'This person has permissions that you don’t: Sales, Tools. Ask an admin',
    );
  });
});

describe('permissions open something', () => {
  it('with a role and the application permission, and not before', () => {
    const permissions = ['VIEW_DASHBOARD', 'VIEW_SALES'] as const;
    expect(usablePermissions(holder('2', { permissions }))).toEqual(permissions);
    expect(usablePermissions(holder('2', { permissions, role: null }))).toEqual([]);
    expect(usablePermissions(holder('2', { permissions: ['VIEW_SALES'] }))).toEqual([]);
  });
});

describe('taking away what one does not hold', () => {
  it('is told to be for good, and not to who could give it back', () => {
    expect(oneWayWarning(keeper, ['VIEW_TOP_5', 'VIEW_DASHBOARD'])).toBe(
      'You can’t undo this: you don’t have S.T.A.R.T, so only an admin can give it back',
    );
    expect(oneWayWarning(keeper, ['VIEW_DASHBOARD'])).toBeNull();
    expect(oneWayWarning(admin, ['VIEW_TOP_5'])).toBeNull();
  });
  it('is told to someone who takes it from their own role, with what they can no longer give', () => {
    const hr = holder('1', { permissions: ['VIEW_DASHBOARD', 'USER_MANAGEMENT', 'VIEW_SALES'] });
    const lost = 'You’ll lose User management too. Only an admin can give it back';
    expect(roleLossWarnings(hr, ['USER_MANAGEMENT'], ['USER_MANAGEMENT'])).toEqual([lost]);
    expect(roleLossWarnings(hr, ['USER_MANAGEMENT', 'VIEW_TOOLS'], ['USER_MANAGEMENT'])).toEqual([
      lost,
      'You can’t undo this: you don’t have Tools, so only an admin can give it back',
    ]);
    expect(roleLossWarnings(hr, ['USER_MANAGEMENT'], [])).toEqual([]);
    expect(roleLossWarnings(admin, ['USER_MANAGEMENT'], ['USER_MANAGEMENT'])).toEqual([]);
  });
  it('is told to an admin who gives up being one', () => {
    expect(adminLossWarning(admin, [admin.id], 'Staff')).toContain('Only another admin');
    expect(adminLossWarning(admin, [admin.id], 'admin')).toBeNull();
    expect(adminLossWarning(admin, ['someone'], 'Staff')).toBeNull();
    expect(adminLossWarning(keeper, [keeper.id], 'Staff')).toBeNull();
  });
});

describe('a role that opens no page', () => {
  it('is warned of, whatever else it permits', () => {
    expect(entryWarning(null, ['VIEW_DASHBOARD', 'VIEW_TOP_5'])).toContain('Without a role');
    expect(entryWarning('Half', ['VIEW_TOP_5'])).toContain('This role lacks');
  });
  it('is not seen in the others', () => {
    expect(entryWarning('Staff', ['VIEW_DASHBOARD'])).toBeNull();
    expect(entryWarning('admin', [])).toBeNull();
  });
});

describe('before somebody gets the tools of S.T.A.R.T', () => {
  it('says that they have no Tasks page without keeping tasks', () => {
    expect(tasksWarning(['VIEW_DASHBOARD', 'VIEW_TOP_5_TOOLS', 'VIEW_TOP_5_GUIDELINES'])).toContain('Uses S.T.A.R.T');
    expect(tasksWarning(['VIEW_DASHBOARD', 'VIEW_TOP_5_BONUS_STRUCTURE'])).toContain('Uses S.T.A.R.T');
  });
  it('says nothing where they keep tasks or have no tools', () => {
    expect(tasksWarning(['VIEW_TOP_5_TOOLS', 'VIEW_TOP_5'])).toBeNull();
    expect(tasksWarning(['VIEW_DASHBOARD', 'VIEW_SALES', 'VIEW_TOP_5_STATS'])).toBeNull();
  });
});
