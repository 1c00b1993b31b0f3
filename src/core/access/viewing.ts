// Decides who can view the product as someone else, what they see, and what stays hidden. Used by the server
// on every such request, and by the web for its banner, pages and navigation.

import { type Refusal, refuse } from '../base/refusals.ts';
import { adminRole, can, canReadProduct, isAdmin, refusalAt, type Viewer } from './access.ts';
import { callAccess, callRefusal } from './call-access.ts';
import { type Permission, readPermission } from './permissions.ts';
import { isRestricted, type Path } from './routes.ts';

/** Identifies the request's viewing. The session's token says whose it must be. */
export const viewingHeader = 'x-viewing';

/**
 * Whose page sends the request: tabs share the session's cookie, and another one may have signed in as
 * someone else.
 */
export const personHeader = 'x-person';

/** Viewing ends after this time, like a session (spec 9). */
export const viewingMinutes = 60;

export type ViewingSubject = 'person' | 'role';

/**
 * Why this person can't view as this subject, or null: admins can view as people and roles, role editors only
 * as roles.
 */
export function viewingRefusal(viewer: Viewer, subject: ViewingSubject): Refusal | null {
  if (subject === 'person') return isAdmin(viewer) ? null : refuse('FORBIDDEN', 'Only admins can view as a person');
  const code = callRefusal(viewer, callAccess.roles);
  return code === null ? null : refuse(code);
}

/** No person has this id, so viewing as a role finds nobody's data. */
export const nobody = '0';

/** Someone with only the role, and approved, so everything the role opens is open. */
export function somebodyWith(role: string, storedPermissions: readonly string[]): Viewer {
  // `admin` isn't a role of the role editor; a row with its name would pass every check.
  if (role === adminRole) throw new Error('The admin role can’t be viewed');
  const permissions = [...new Set(storedPermissions.map(readPermission))].filter((permission) => permission !== null);
  return { id: nobody, role, permissions, approverIds: [nobody] };
}

/**
 * What can be read while viewing: the subject's permissions, and for non-admins only those they have
 * themselves. Navigation and redirects follow the subject; data follows this.
 */
export function readableBy<Seen extends Viewer>(impersonator: Viewer, seen: Seen): Seen {
  if (isAdmin(impersonator)) return seen;
  // Viewing never makes anyone an admin.
  const role = seen.role === adminRole ? null : seen.role;
  return { ...seen, role, permissions: seen.permissions.filter((permission) => can(impersonator, permission)) };
}

/**
 * Whether a page that opens for the subject must stay empty, because the viewer can't read it or its numbers.
 */
export function isWithheld(seen: Viewer, readable: readonly Permission[], path: Path, product: string | null): boolean {
  if (isAdmin(seen) || refusalAt(seen, path, product) !== null) return false;
  const looked = { ...seen, permissions: readable };
  if (refusalAt(looked, path, product) !== null) return true;
  const reads = (viewer: Viewer) => !isRestricted(path) || product === null || canReadProduct(viewer, path, product);
  return reads(seen) && !reads(looked);
}
