// Whose tasks count in a viewer's stats (D22, D23), as SQL conditions. In every statement `p` is the owner's
// row of people and `x` the task's row of sprint_standings.
import { type SQL, sql } from 'drizzle-orm';
import { inArea, isAdmin, type Viewer } from '#core/access/access.ts';
import { permittedScopes, type Scope, scopes } from '#core/access/brands.ts';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { actsFor } from '#server/platform/acts-for.ts';

export type StatsReach = {
  /** Every task of the person counts. */
  readonly wholePerson: SQL;
  /** Tasks of these categories count, for any owner. */
  readonly categories: readonly string[];
  /** Who can be shown: invisible people only to themselves, their approver and admins (D23). */
  readonly shown: SQL;
};

/** The viewer and the people they approve. A set, which PostgreSQL reads first where it is all there is. */
const isOwnOrApprovee = (viewer: Viewer): SQL => sql`p.id in (
  select ${viewer.id}::bigint
  union all select a.person_id from effective_approvers a where ${actsFor(inArea(viewer, 'stats'), sql`a.approver_id`)})`;

/** The categories with the names of these scopes. */
export function categoriesOf(keys: readonly Scope[]): string[] {
  return keys.flatMap((key) => scopes[key].category ?? []);
}

function shownTo(viewer: Viewer): SQL {
  if (isAdmin(viewer)) return sql`true`;
  return sql`(not p.top5_invisible or ${isOwnOrApprovee(viewer)})`;
}

/** A task is in a scope if its owner's team is that scope or its category has that name (D22). */
export function reachOfScopes(viewer: Viewer, keys: readonly Scope[]): StatsReach {
  return {
    wholePerson: sql`coalesce(p.team = any(${textArray(keys)}), false)`,
    categories: categoriesOf(keys),
    shown: shownTo(viewer),
  };
}

/**
 * Everything the viewer can see: the permitted scopes, the people they approve and themselves; for an admin
 * everyone.
 */
export function reachOf(viewer: Viewer): StatsReach {
  if (isAdmin(viewer)) return { wholePerson: sql`true`, categories: [], shown: shownTo(viewer) };
  // Without the stats permission only the viewer, as in the list of their sprints.
  if (callRefusal(viewer, callAccess.stats) !== null)
    return { wholePerson: sql`p.id = ${viewer.id}`, categories: [], shown: sql`true` };
  const own = isOwnOrApprovee(viewer);
  const keys = permittedScopes(viewer);
  if (keys.length === 0) return { wholePerson: own, categories: [], shown: sql`true` };
  const inScopes = reachOfScopes(viewer, keys);
  return { ...inScopes, wholePerson: sql`(${inScopes.wholePerson} or ${own})` };
}

/** The task counts by its category. */
export const isInCategories = ({ categories }: StatsReach): SQL => sql`x.category = any(${textArray(categories)})`;

/** The task counts: its owner is visible, and it matches by person or category. */
export function countsFor(reach: StatsReach): SQL {
  return sql`${reach.shown} and (${reach.wholePerson} or ${isInCategories(reach)})`;
}

/** A list of texts as one parameter. */
export function textArray(values: readonly string[]): SQL {
  return sql`${sql.param([...values])}::text[]`;
}
