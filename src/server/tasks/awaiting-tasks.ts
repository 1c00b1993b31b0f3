// Which tasks wait for whose decision, as SQL conditions on `t` (tasks), for the inbox and the digests.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { overdueHours } from '#core/tasks/sprint.ts';
import { awaitingStatuses } from '#core/tasks/task-status.ts';
import type { Delegation } from '#server/people/absences.service.ts';
import { type ActingPerson, actsFor } from '#server/platform/acts-for.ts';
import { literals } from '#server/platform/db/literals.ts';

/** Literals, to match the partial index on waiting tasks. */
export const awaits = sql`t.status in (${literals(awaitingStatuses)}) and t.withdrawn_at is null`;

/** Whether task `t` has waited since then or longer for a decision. Until its sprint starts, it can wait. */
export const hasWaitedSince = (at: string): SQL => sql`(t.status_at <= ${at}::timestamptz
  and t.sprint_id in (select id from sprints where start_at <= ${at}::timestamptz))`;

/** Since when it does, if it waits. */
export const waitsSince = 'greatest(t.status_at, (select start_at from sprints where id = t.sprint_id))';

/** Whether task `t` of sprint `s` has waited too long: `isOverdue` of the core, as a condition. */
export const isOverdueAt = (now: string): SQL => sql`(s.start_at <= ${now}::timestamptz and (
  (t.status_at < s.end_at and s.end_at <= ${now}::timestamptz)
  or greatest(t.status_at, s.start_at) < ${now}::timestamptz - make_interval(hours => ${overdueHours}::int)))`;

/** Whether sprint `s` hasn’t started, so its tasks can wait. */
export const isLaterAt = (now: string): SQL => sql`s.start_at > ${now}::timestamptz`;

/**
 * The owners this person decides for: their own people, those of approvers whose delegate they are and, for
 * an admin, everyone without an approver (D15, D40).
 */
export function ownersDecidedBy(decider: ActingPerson, alsoUnapproved: boolean): SQL {
  const approved = sql`select person_id from effective_approvers where ${actsFor(decider, sql`approver_id`)} and person_id <> ${decider.id}`;
  if (!alsoUnapproved) return approved;
  return sql`${approved} union all select id from people u where u.id <> ${decider.id} and not exists (select 1 from effective_approvers a where a.person_id = u.id)`;
}

/** The same for everyone: rows of `decider_id` and the requested columns of `t`. */
export function awaitingByDecider(columns: SQL, condition: SQL, delegations: readonly Delegation[]): SQL {
  const ids = (key: 'approverId' | 'delegateId') => sql.param(delegations.map((one) => one[key]));
  const standIns = sql`
    select s.delegate_id as decider_id, ${columns} from tasks t join (
      select distinct a.person_id, d.delegate_id from effective_approvers a
        join unnest(${ids('approverId')}::bigint[], ${ids('delegateId')}::bigint[]) as d (approver_id, delegate_id) using (approver_id)
      where a.person_id <> d.delegate_id and not exists (
        select 1 from effective_approvers o where o.person_id = a.person_id and o.approver_id = d.delegate_id)
    ) s on s.person_id = t.owner_id where ${awaits} and ${condition}
    union all`;
  return sql`${delegations.length > 0 ? standIns : sql``}
    select a.approver_id as decider_id, ${columns} from tasks t join effective_approvers a on a.person_id = t.owner_id where ${awaits} and ${condition}
    union all
    select p.id, ${columns} from tasks t join people p on p.role = ${adminRole} and p.id <> t.owner_id
    where ${awaits} and ${condition} and not exists (select 1 from effective_approvers a where a.person_id = t.owner_id)`;
}
