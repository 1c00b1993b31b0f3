// Decides what a caller must hold for a call of the API: a field of GraphQL or a route (D5, D38).
// Asked by the server before anything of the call runs, and by the permission matrix.

import type { RefusalCode } from '../base/refusals.ts';
import { can, canUseApplication, isAdmin, type Viewer } from './access.ts';
import type { Permission } from './permissions.ts';

/**
 * - `public`: nobody needs to be known.
 * - `signingIn`: a session at any level, also one that still needs a second factor. Only routes of that step have it.
 * - `signedIn`: a valid token, even without permission for the application.
 * - `application`: the application permission.
 * - `admin`: an admin.
 * - a list: the application permission and at least one of these.
 * A rule about the row itself (whose task, which team) stands with the row and is asked besides.
 */
export type CallAccess =
  | 'public'
  | 'signingIn'
  | 'signedIn'
  | 'application'
  | 'admin'
  | readonly [Permission, ...Permission[]];

/** The lists, by what the call is for. */
export const callAccess = {
  /** One's own tasks of the week. */
  ownTasks: ['VIEW_TOP_5'],
  /** Tasks that are one's own or one's to decide. */
  tasks: ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'],
  decisions: ['VIEW_TOP_5_APPROVALS'],
  stats: ['VIEW_TOP_5_STATS'],
  /** The plan of the bonus and one's own statement; whose amounts one sees is asked besides. */
  bonus: ['VIEW_TOP_5_BONUS_STRUCTURE'],
  /** One's own time; whose sums one sees is asked besides. */
  time: ['VIEW_TOP_5_TIME_TRACKER'],
  people: ['USER_MANAGEMENT'],
  roles: ['VIEW_ROLE_EDITOR'],
  /** The guidelines and the schedule, by the permission of their page. */
  guidelines: ['VIEW_TOP_5_GUIDELINES'],
  schedule: ['VIEW_TOP_5_MEETING_SCHEDULE'],
  tools: ['VIEW_TOOLS'],
  /** Some page of numbers; which dataset and scope the person may read is asked besides. */
  numbers: [
    'VIEW_SALES',
    'VIEW_DONATIONS',
    'VIEW_AFFILIATE_STATS',
    'VIEW_CUSTOMER_SERVICE',
    'VIEW_DISTRIBUTIONS',
    'VIEW_PRODUCT_PAYMENTS',
  ],
} as const satisfies Record<string, CallAccess>;

/** Why the viewer may not make the call, or null. `viewer` is null when nobody is signed in. */
export function callRefusal(viewer: Viewer | null, access: CallAccess): RefusalCode | null {
  if (access === 'public') return null;
  if (viewer === null) return 'NOT_SIGNED_IN';
  if (access === 'signedIn' || access === 'signingIn') return null;
  if (!canUseApplication(viewer)) return 'NO_APPLICATION_PERMISSION';
  if (access === 'application') return null;
  if (access === 'admin') return isAdmin(viewer) ? null : 'FORBIDDEN';
  return access.some((permission) => can(viewer, permission)) ? null : 'FORBIDDEN';
}
