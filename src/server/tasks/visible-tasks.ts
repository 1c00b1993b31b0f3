// The tasks that a viewer can see, as an SQL condition on `t` (tasks). The core decides, asked with one owner
// of each kind; the condition only finds an owner's kind (D38).
import { type SQL, sql } from 'drizzle-orm';
import { isAdmin, type Viewer } from '#core/access/access.ts';
import { canSeeTasksOf, isDecider } from '#core/tasks/task.ts';

// No person has this id.
const nobody = '0';

export function isVisibleTo(viewer: Viewer): SQL {
  const own = isOwnVisible(viewer);
  const anybodys = canSeeTasksOf(viewer, { id: nobody, approverIds: [] });
  const approvees = canSeeTasksOf(viewer, { id: nobody, approverIds: [viewer.id] });
  if (own && anybodys) return sql`true`;
  const kinds: SQL[] = [];
  if (own) kinds.push(sql`t.owner_id = ${viewer.id}`);
  if (anybodys) kinds.push(sql`t.owner_id <> ${viewer.id}`);
  else if (approvees)
    kinds.push(
      sql`exists (select 1 from effective_approvers a where a.person_id = t.owner_id and a.approver_id = ${viewer.id})`,
    );
  return kinds.length === 0 ? sql`false` : sql`(${sql.join(kinds, sql` or `)})`;
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
  return sql`exists (select 1 from effective_approvers a where a.person_id = ${personId} and a.approver_id = ${viewer.id})`;
}
