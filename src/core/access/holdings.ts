// Decides whether one person has everything another account has, and so whether they can manage it (T14).
// Used wherever someone could get into an account, or pass on its access.

import { type Refusal, refuse } from '../base/refusals.ts';
import { adminRole, can, canUseApplication, isAdmin, type Viewer } from './access.ts';
import { scopePermissions } from './brands.ts';
import { callAccess, callRefusal } from './call-access.ts';
import {
  applicationPermission,
  type Permission,
  permissionKeys,
  permissions,
  topFivePermission,
} from './permissions.ts';
import { routes } from './routes.ts';

/** What an account gives access to: its permissions, and the people it approves. */
export type Holdings = Viewer & {
  readonly approvees: readonly string[];
  /**
   * People it may approve later: those of absent approvers who named it as delegate, now or later (D40),
   * those it approved until lately (`putBackMinutes`), and everyone if it is the default approver.
   */
  readonly possibleApprovees?: readonly string[];
  /** Its owner has a password, a passkey or a company sign-in. */
  readonly isUsed: boolean;
  readonly hasTasks: boolean;
};

/** How long a manager can put back approvers that they took away. */
export const putBackMinutes = 60;

/** A warning before an account gets a role that opens no page; null if it opens some. */
export function entryWarning(role: string | null, held: readonly Permission[]): string | null {
  if (canUseApplication({ id: '', role, permissions: held, approverIds: [] })) return null;
  return role === null
    ? 'Without a role, this person can sign in but can open only My account'
    : `This role lacks “${permissions[applicationPermission].title}”, so this person can open only My account`;
}

/** The permissions that open S.T.A.R.T's tools, which need no tasks. */
const toolPermissions = Object.entries(routes).flatMap(([path, { guard }]) =>
  path.startsWith('/top-5/tools/') && 'permission' in guard ? [guard.permission] : [],
);

/** A warning before someone gets S.T.A.R.T's tools without tasks; null if they have both or neither. */
export function tasksWarning(held: readonly Permission[]): string | null {
  if (!toolPermissions.some((tool) => held.includes(tool)) || held.includes(topFivePermission)) return null;
  return 'This role opens the S.T.A.R.T tools but not Tasks. To add Tasks, turn on “Uses S.T.A.R.T”';
}

/**
 * The permissions that are effective now. Without a role and the application permission, none is, and no
 * scope of the stats without the stats.
 */
export function usablePermissions(viewer: Viewer): readonly Permission[] {
  return canUseApplication(viewer) ? viewer.permissions.filter((permission) => opens(viewer, permission)) : [];
}

const [stats] = callAccess.stats;
const opens = (viewer: Viewer, permission: Permission): boolean =>
  can(viewer, permission) && (!scopePermissions.includes(permission) || can(viewer, stats));

function notHeldBy(viewer: Viewer, list: readonly Permission[]): Permission[] {
  return list.filter((permission) => !opens(viewer, permission));
}

const titlesOf = (list: readonly Permission[]): string =>
  list.map((permission) => permissions[permission].title).join(', ');

/** Refuses giving permissions that the viewer doesn't have; an admin has all (T14). Null if allowed. */
export function givingRefusal(viewer: Viewer, given: readonly Permission[], field = 'permissions'): Refusal | null {
  const missing = notHeldBy(viewer, given);
  if (missing.length === 0) return null;
  const words = `You can’t give permissions that you don’t have: ${titlesOf(missing)}. Ask an admin`;
  return refuse('FORBIDDEN', words, { field });
}

/** A warning before removing permissions the viewer couldn't give back; null if they could. */
export function oneWayWarning(viewer: Viewer, taken: readonly Permission[]): string | null {
  const missing = notHeldBy(viewer, taken);
  if (missing.length === 0) return null;
  return `You can’t undo this: you don’t have ${titlesOf(missing)}, so only an admin can give ${pronoun(missing)} back`;
}

const pronoun = (list: readonly Permission[]): string => (list.length === 1 ? 'it' : 'them');

/**
 * The warnings before roles lose permissions: of those the viewer loses, and of those they couldn't give back
 * then. `own`: what the viewer's role loses.
 */
export function roleLossWarnings(viewer: Viewer, taken: readonly Permission[], own: readonly Permission[]): string[] {
  if (isAdmin(viewer)) return [];
  const lost = own.filter((permission) => viewer.permissions.includes(permission));
  const after = { ...viewer, permissions: viewer.permissions.filter((permission) => !lost.includes(permission)) };
  const others = taken.filter((permission) => !lost.includes(permission));
  return [
    lost.length > 0 ? `You’ll lose ${titlesOf(lost)} too. Only an admin can give ${pronoun(lost)} back` : null,
    oneWayWarning(after, others),
  ].filter((warning) => warning !== null);
}

/** A warning before an admin gives themselves another role; null for anyone else. */
export function adminLossWarning(viewer: Viewer, personIds: readonly string[], role: string | null): string | null {
  if (!isAdmin(viewer) || !personIds.includes(viewer.id) || role === adminRole) return null;
  return 'You’ll no longer be an admin. Only another admin can undo this';
}

/**
 * Only admins can change their own permissions, or who sees and decides their tasks. Null if it isn't the
 * viewer.
 */
export function ownAccessRefusal(viewer: Viewer, personId: string): Refusal | null {
  if (isAdmin(viewer) || viewer.id !== personId) return null;
  return refuse(
    'FORBIDDEN',
    'You can’t change your own role, permissions, team, approvers or visibility. Ask an admin',
  );
}

/** Whether a change keeps someone from deciding on tasks. `before` and `after` are null for a disabled account. */
export function stopsDeciding(before: Viewer | null, after: Viewer | null): boolean {
  const decides = (person: Viewer | null) => person !== null && callRefusal(person, callAccess.decisions) === null;
  return decides(before) && !decides(after);
}

/** Whether a change ends someone's S.T.A.R.T, so nobody has to decide on their tasks. */
export const leavesTopFive = (before: Viewer, after: Viewer): boolean =>
  can(before, topFivePermission) && !can(after, topFivePermission);

/** Only admins keep their own approver from deciding. `before` and `after` are null for a disabled account. */
export function ownApproverRefusal(viewer: Viewer, id: string, before: Viewer | null, after: Viewer | null) {
  if (isAdmin(viewer) || !viewer.approverIds.includes(id)) return null;
  if (!stopsDeciding(before, after)) return null;
  return refuse('FORBIDDEN', 'This would stop your approver from deciding on your tasks. Ask an admin');
}

/** Who is compared: nothing else matters for what permissions open. */
export type Access = Pick<Viewer, 'role' | 'permissions'>;

/** The permissions that a change makes effective, and those that it ends. */
export function usableChanges(before: Access, after: Access) {
  const usable = (access: Access) => usablePermissions({ ...access, id: '', approverIds: [] });
  const [had, has] = [usable(before), usable(after)];
  return {
    gained: has.filter((permission) => !had.includes(permission)),
    lost: had.filter((permission) => !has.includes(permission)),
  };
}

/** The permissions a change gives a person: new ones, and existing ones that become effective. */
export function gainedPermissions(before: Viewer | null, after: Viewer): Permission[] {
  const had = before?.permissions ?? [];
  const used = before === null ? [] : usablePermissions(before);
  const usable = usablePermissions(after);
  return permissionKeys.filter(
    (permission) =>
      (after.permissions.includes(permission) && !had.includes(permission)) ||
      (usable.includes(permission) && !used.includes(permission)),
  );
}

/**
 * Why this person can't see the account's sign-in link or change its email, or null. Either lets them sign in
 * as its owner, so it is only allowed for unused accounts without tasks that they can't see: permissions
 * could be removed first, and given back later.
 */
export function accountReachRefusal(manager: Holdings, account: Holdings): Refusal | null {
  if (manager.id === account.id) return ownReachRefusal(manager);
  if (isAdmin(manager)) return null;
  if (account.isUsed && !isAdmin(account))
    return refuse('FORBIDDEN', 'This person already uses the account, so only an admin can change how they sign in');
  return hasUnseenTasks(manager, account) && !isAdmin(account)
    ? tasksRefusal()
    : accountControlRefusal(manager, account);
}

/** A thief with a copied session could keep the account: a new password requires the current one (T44). */
export function ownReachRefusal(viewer: Viewer): Refusal {
  const words = isAdmin(viewer)
    ? 'Change your password in My account. For another email address, ask another admin or an operator'
    : 'Change your password in My account. For another email address, ask an admin';
  return refuse('FORBIDDEN', words);
}

const hasUnseenTasks = (manager: Holdings, { id, hasTasks }: Holdings): boolean =>
  hasTasks && !manager.approvees.includes(id);
const tasksRefusal = (): Refusal =>
  refuse('FORBIDDEN', 'This account shows tasks that you can’t see. Ask an admin to manage it');

/** Why this person can't enable that account, or null. They need all of its permissions. */
export function accountControlRefusal(manager: Holdings, account: Holdings): Refusal | null {
  if (isAdmin(manager) || manager.id === account.id) return null;
  if (isAdmin(account)) return refuse('FORBIDDEN', 'Only an admin can manage an admin’s account');
  const missing = notHeldBy(manager, account.permissions);
  if (missing.length > 0)
    return refuse('FORBIDDEN', `This person has permissions that you don’t: ${titlesOf(missing)}. Ask an admin`);
  // The manager's own delegations don't count: they end, but the account that they open stays.
  const shown = [...account.approvees, ...(account.possibleApprovees ?? [])];
  const approvesMore = shown.some((id) => !manager.approvees.includes(id));
  const ownTasks = can(account, topFivePermission) && hasUnseenTasks(manager, account);
  return approvesMore || ownTasks ? tasksRefusal() : null;
}
