// Decides what a call needs: a GraphQL field or a route (D5, D38). Used by the server before anything of the
// call runs, and by the permission matrix.

import type { RefusalCode } from '../base/refusals.ts';
import { can, canUseApplication, isAdmin, type Viewer } from './access.ts';
import type { Permission } from './permissions.ts';

/**
 * - `public`: anyone.
 * - `signingIn`: a session at any level, even one that still needs a second factor. Only routes of that step
 *   use it.
 * - `signedIn`: a valid token, even without access to the application.
 * - `application`: the application permission.
 * - `admin`: an admin.
 * - a list: the application permission and at least one of these. Rules about a row (whose task, which team)
 *   are checked separately, with the row.
 */
export type CallAccess =
  | 'public'
  | 'signingIn'
  | 'signedIn'
  | 'application'
  | 'admin'
  | readonly [Permission, ...Permission[]];

/** The permission lists, by purpose. */
export const callAccess = {
  /** A person's own tasks of the week. */
  ownTasks: ['VIEW_TOP_5'],
  /** The person's own tasks and those they decide. */
  tasks: ['VIEW_TOP_5', 'VIEW_TOP_5_APPROVALS'],
  decisions: ['VIEW_TOP_5_APPROVALS'],
  stats: ['VIEW_TOP_5_STATS'],
  /** The bonus plan and one's own statement; access to amounts is checked separately. */
  bonus: ['VIEW_TOP_5_BONUS_STRUCTURE'],
  /** One's own time; access to totals is checked separately. */
  time: ['VIEW_TOP_5_TIME_TRACKER'],
  people: ['USER_MANAGEMENT'],
  roles: ['VIEW_ROLE_EDITOR'],
  /** The guidelines and the schedule, by their page's permission. */
  guidelines: ['VIEW_TOP_5_GUIDELINES'],
  schedule: ['VIEW_TOP_5_MEETING_SCHEDULE'],
  tools: ['VIEW_TOOLS'],
  /** Any page of numbers; access to the dataset and scope is checked separately. */
  numbers: [
    'VIEW_SALES',
    'VIEW_DONATIONS',
    'VIEW_AFFILIATE_STATS',
    'VIEW_CUSTOMER_SERVICE',
    'VIEW_DISTRIBUTIONS',
    'VIEW_PRODUCT_PAYMENTS',
  ],
} as const satisfies Record<string, CallAccess>;

/** Why the viewer can't make the call, or null. `viewer` is null when nobody is signed in. */
export function callRefusal(viewer: Viewer | null, access: CallAccess): RefusalCode | null {
  if (access === 'public') return null;
  if (viewer === null) return 'NOT_SIGNED_IN';
  if (access === 'signedIn' || access === 'signingIn') return null;
  if (!canUseApplication(viewer)) return 'NO_APPLICATION_PERMISSION';
  if (access === 'application') return null;
  if (access === 'admin') return isAdmin(viewer) ? null : 'FORBIDDEN';
  return access.some((permission) => can(viewer, permission)) ? null : 'FORBIDDEN';
}
