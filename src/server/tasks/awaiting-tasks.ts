// Which tasks wait for whose decision, as SQL conditions on `t` (tasks), for the inbox and the digests.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { awaitingStatuses } from '#core/tasks/task-status.ts';

/** Literals, to match the partial index on waiting tasks. */
export const awaits = sql.raw(
  `t.status in (${awaitingStatuses.map((status) => `'${status}'`).join(', ')}) and t.withdrawn_at is null`,
);

/**
 * The owners this person decides for: those they approve and, for an admin, everyone without an approver
 * (D15).
 */
export function ownersDecidedBy(deciderId: string, alsoUnapproved: boolean): SQL {
  const approved = sql`select person_id from effective_approvers where approver_id = ${deciderId}`;
  if (!alsoUnapproved) return approved;
  return sql`${approved} union all select id from people u where u.id <> ${deciderId} and not exists (select 1 from effective_approvers a where a.person_id = u.id)`;
}

/** The same for everyone: rows of `decider_id` and the requested columns of `t`. */
export function awaitingByDecider(columns: SQL, condition: SQL): SQL {
  return sql`
    select a.approver_id as decider_id, ${columns} from tasks t join effective_approvers a on a.person_id = t.owner_id where ${awaits} and ${condition}
    union all
    select p.id, ${columns} from tasks t join people p on p.role = ${adminRole} and p.id <> t.owner_id
    where ${awaits} and ${condition} and not exists (select 1 from effective_approvers a where a.person_id = t.owner_id)`;
}
