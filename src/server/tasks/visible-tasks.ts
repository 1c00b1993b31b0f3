// The tasks that a viewer can see, as an SQL condition on `t` (tasks). The core decides, asked with one owner
// of each kind; the condition only finds an owner's kind (D38).
import { type SQL, sql } from 'drizzle-orm';
import { isAdmin, type Viewer } from '#core/access/access.ts';
import { canSeeTasksOf, isDecider } from '#core/tasks/task.ts';
import { actsFor } from '#server/platform/acts-for.ts';
import { type HandOverDue, isHandedOverTo } from './hand-over.ts';

// No person has this id.
const nobody = '0';

/** `due`: also tasks that were handed over to the viewer. */
export function isVisibleTo(viewer: Viewer, due: HandOverDue | null = null): SQL {
  const own = isOwnVisible(viewer);
  const anybodys = canSeeTasksOf(viewer, { id: nobody, approverIds: [] });
  const approvees = canSeeTasksOf(viewer, { id: nobody, approverIds: [viewer.id] });
  if (own && anybodys) return sql`true`;
  const kinds: SQL[] = [];
  if (own) kinds.push(sql`t.owner_id = ${viewer.id}`);
  if (anybodys) kinds.push(sql`t.owner_id <> ${viewer.id}`);
  else if (approvees)
    kinds.push(
      sql`(t.owner_id <> ${viewer.id} and exists (select 1 from effective_approvers a where a.person_id = t.owner_id and ${actsFor(viewer, sql`a.approver_id`)}))`,
    );
  if (approvees && due) kinds.push(isHandedOverTo(viewer, due));
  return kinds.length === 0 ? sql`false` : sql`(${sql.join(kinds, sql` or `)})`;
}

/** The ids of the people whose tasks a viewer sees who doesn't see everyone's; null: everyone's. */
export function visibleOwners(viewer: Viewer): SQL | null {
  if (canSeeTasksOf(viewer, { id: nobody, approverIds: [] })) return null;
  const kinds = [sql`select ${viewer.id}::bigint as id where ${isOwnVisible(viewer)}`];
  if (canSeeTasksOf(viewer, { id: nobody, approverIds: [viewer.id] }))
    kinds.push(
      sql`select a.person_id from effective_approvers a where a.person_id <> ${viewer.id} and ${actsFor(viewer, sql`a.approver_id`)}`,
    );
  return sql.join(kinds, sql` union `);
}

/** Whether the viewer keeps tasks. */
export function isOwnVisible(viewer: Viewer): boolean {
  return canSeeTasksOf(viewer, { id: viewer.id, approverIds: [] });
}

/** Whether the viewer decides the tasks of the people they approve. */
export function decidesForOthers(viewer: Viewer): boolean {
  return isDecider(viewer, { id: nobody, approverIds: [viewer.id] });
}

/**
 * Whether the viewer decides for this person, never for themselves. `personId` is a column. The core decides
 * (`isDecider`).
 */
export function isDecidedBy(viewer: Viewer, personId: SQL): SQL {
  if (isAdmin(viewer)) return sql`${personId} <> ${viewer.id}`;
  if (!decidesForOthers(viewer)) return sql`false`;
  return sql`(${personId} <> ${viewer.id} and exists (
    select 1 from effective_approvers a where a.person_id = ${personId} and ${actsFor(viewer, sql`a.approver_id`)}))`;
}
