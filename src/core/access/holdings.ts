// Decides whether one person holds everything that another holds, and so whether they may manage that account (T14).
// Asked by the server and the pages wherever somebody could get into an account, or hand on what it opens.

import { type Refusal, refuse } from '../base/refusals.ts';
import { can, canUseApplication, isAdmin, type Viewer } from './access.ts';
import {
  applicationPermission,
  type Permission,
  permissionKeys,
  permissions,
  topFivePermission,
} from './permissions.ts';

/** What an account opens: its permissions, and the people it approves. */
export type Holdings = Viewer & {
  readonly approvees: readonly string[];
  /** Its owner has a password, a passkey or a company sign-in. */
  readonly isUsed: boolean;
};

/** What to know before an account gets this role: it would open no page. Null: it opens some. */
export function entryWarning(role: string | null, held: readonly Permission[]): string | null {
  if (canUseApplication({ id: '', role, permissions: held, approverIds: [] })) return null;
  return role === null
    ? 'Without a role this person can sign in, but every page refuses them'
    : `This role lacks “${permissions[applicationPermission].title}”, so every page refuses this person`;
}

/** What to know before somebody gets the tools of S.T.A.R.T without keeping tasks. Null: they have both or neither. */
export function tasksWarning(held: readonly Permission[]): string | null {
  const hasTools = held.some((permission) => permission.startsWith(`${topFivePermission}_TOOLS`));
  if (!hasTools || held.includes(topFivePermission)) return null;
  return 'This role opens the tools of S.T.A.R.T. Turn on “Uses S.T.A.R.T” to open Tasks too';
}

/** The permissions that open something now. Without a role and the application permission, none does. */
export function usablePermissions(viewer: Viewer): readonly Permission[] {
  return canUseApplication(viewer) ? viewer.permissions : [];
}

function notHeldBy(viewer: Viewer, list: readonly Permission[]): Permission[] {
  return list.filter((permission) => !can(viewer, permission));
}

const titlesOf = (list: readonly Permission[]): string =>
  list.map((permission) => permissions[permission].title).join(', ');

/** Nobody gives a permission that they do not hold; an admin holds them all (T14). Null: the viewer may give these. */
export function givingRefusal(viewer: Viewer, given: readonly Permission[], field = 'permissions'): Refusal | null {
  const missing = notHeldBy(viewer, given);
  if (missing.length === 0) return null;
  const words = `You can't give permissions that you don't have: ${titlesOf(missing)}. Ask an admin`;
  return refuse('FORBIDDEN', words, { field });
}

/** What to know before these are taken away: the viewer couldn't give them back. Null: they could. */
export function oneWayWarning(viewer: Viewer, taken: readonly Permission[]): string | null {
  const missing = notHeldBy(viewer, taken);
  if (missing.length === 0) return null;
  return `You can't undo this: you don't have ${titlesOf(missing)}, so only an admin can give it back`;
}

/** The titles of those that the viewer doesn't hold, the first three by name, or null. */
export function lackedTitles(viewer: Viewer, list: readonly Permission[]): string | null {
  const missing = notHeldBy(viewer, list);
  if (missing.length === 0) return null;
  const more = missing.length - 3;
  return `${titlesOf(missing.slice(0, 3))}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Nobody but an admin changes what they hold themselves, or who sees and decides their tasks. Null: not one's own. */
export function ownAccessRefusal(viewer: Viewer, personId: string): Refusal | null {
  if (isAdmin(viewer) || viewer.id !== personId) return null;
  return refuse('FORBIDDEN', "You can't change your own role, permissions, team or approvers. Ask an admin");
}

/** The permissions that a change gives a person: new ones, and old ones that open something only from now on. */
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
 * May this person see the account's sign-in link, or change its email? Null means yes. Either lets them sign in as its owner,
 * so it's for accounts that nobody uses yet: what a used one opens could be taken away first, and given back by an admin later.
 */
export function accountReachRefusal(manager: Holdings, account: Holdings): Refusal | null {
  if (isAdmin(manager) || manager.id === account.id) return null;
  if (account.isUsed && !isAdmin(account))
    return refuse('FORBIDDEN', 'This person already uses the account. Ask an admin to change how they sign in');
  return accountControlRefusal(manager, account);
}

/** May this person enable that person's account? Null means yes. They must hold everything that the account opens. */
export function accountControlRefusal(manager: Holdings, account: Holdings): Refusal | null {
  if (isAdmin(manager) || manager.id === account.id) return null;
  if (isAdmin(account)) return refuse('FORBIDDEN', "Only an admin can manage an admin's account");
  const missing = notHeldBy(manager, account.permissions);
  if (missing.length > 0)
    return refuse('FORBIDDEN', `This person has permissions that you don't: ${titlesOf(missing)}. Ask an admin`);
  const approvesMore = account.approvees.some((id) => !manager.approvees.includes(id));
  const ownTasks = can(account, topFivePermission) && !manager.approvees.includes(account.id);
  if (approvesMore || ownTasks)
    return refuse('FORBIDDEN', "This account shows tasks that you can't see. Ask an admin to manage it");
  return null;
}
