// Decides who may look at the product as somebody else, what they see of it, and what stays closed to them meanwhile.
// Asked by the server on every request of such a look, and by the web for its banner, pages and navigation.

import { type Refusal, refuse } from '../base/refusals.ts';
import { adminRole, can, canReadProduct, isAdmin, refusalAt, type Viewer } from './access.ts';
import { callAccess, callRefusal } from './call-access.ts';
import { type Permission, readPermission } from './permissions.ts';
import { isRestricted, type Path } from './routes.ts';

/** Names the look that a request belongs to. The session's own token says whose look it must be. */
export const viewingHeader = 'x-viewing';

/** A look ends by itself after so long: as long as a session (spec 9). */
export const viewingMinutes = 60;

export type ViewingSubject = 'person' | 'role';

/** Why this person may not look as such a subject, or null: as a person only an admin, as a role also who edits roles. */
export function viewingRefusal(viewer: Viewer, subject: ViewingSubject): Refusal | null {
  if (subject === 'person') return isAdmin(viewer) ? null : refuse('FORBIDDEN', 'Only admins can view as a person');
  const code = callRefusal(viewer, callAccess.roles);
  return code === null ? null : refuse(code);
}

/** No person has this id: whoever looks as a role finds nothing that belongs to anybody. */
const nobody = '0';

/** Somebody with the role and nothing of their own; approved, so that what the role opens is open. */
export function somebodyWith(role: string, storedPermissions: readonly string[]): Viewer {
  // `admin` is no role of the role editor; a row with its name would pass every check.
  if (role === adminRole) throw new Error('The admin role can’t be viewed');
  const permissions = [...new Set(storedPermissions.map(readPermission))].filter((permission) => permission !== null);
  return { id: nobody, role, permissions, approverIds: [nobody] };
}

/**
 * What a look may read: what the subject may, and for who is no admin nothing that is closed to themselves. The navigation and the
 * redirects follow the subject; the numbers and rows follow this.
 */
export function readableBy<Seen extends Viewer>(impersonator: Viewer, seen: Seen): Seen {
  if (isAdmin(impersonator)) return seen;
  // Never an admin through somebody else's eyes.
  const role = seen.role === adminRole ? null : seen.role;
  return { ...seen, role, permissions: seen.permissions.filter((permission) => can(impersonator, permission)) };
}

/** Whether a page that opens for the subject has to stay empty, because who looks may not read it: the page itself or its numbers. */
export function isWithheld(seen: Viewer, readable: readonly Permission[], path: Path, product: string | null): boolean {
  if (isAdmin(seen) || refusalAt(seen, path, product) !== null) return false;
  const looked = { ...seen, permissions: readable };
  if (refusalAt(looked, path, product) !== null) return true;
  const reads = (viewer: Viewer) => !isRestricted(path) || product === null || canReadProduct(viewer, path, product);
  return reads(seen) && !reads(looked);
}
