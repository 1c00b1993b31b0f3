// SQL of what accounts can do: their permissions, and the people they approve.
import { type SQL, sql } from 'drizzle-orm';
import { heldPermissions } from '#core/access/access.ts';
import { type Holdings, putBackMinutes } from '#core/access/holdings.ts';
import type { Clock } from '#server/platform/db/clock.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { isUsedSql } from './account-events.store.ts';

type Row = {
  readonly id: string;
  readonly role: string | null;
  readonly stored: readonly string[];
  readonly approverIds: string[];
  readonly approvees: string[];
  readonly possibleApprovees: string[];
  readonly isUsed: boolean;
  readonly hasTasks: boolean;
};

/** As in the view `effective_approvers`. */
const defaultApprover = sql`(
  select s.value #>> '{}' as id from settings s
  where s.key in ('defaultApprover', 'defaultApproverOfEnvironment') and s.value is not null order by s.key limit 1)`;

/** The approvers in an audit entry's list, which is empty for someone with the default approver. */
const approversIn = (list: SQL): SQL =>
  sql`jsonb_array_elements_text(case ${list} when '[]' then (select jsonb_agg(d.id) from ${defaultApprover} d) else ${list} end)`;

/** People and approvers taken from them so lately that a manager can put them back, with who did it. */
export const takenOffLately = (clock: Clock): SQL => sql`(
  select l.subject_id as person_id, taken.id as approver_id, l.actor_id as by
  from audit_log l, ${approversIn(sql`(l.before -> 'approverIds')`)} taken(id)
  where l.action = 'approversChanged' and l.at >= ${clock.now().subtract({ minutes: putBackMinutes }).toString()}::timestamptz
    and not exists (select from ${approversIn(sql`(l.after -> 'approverIds')`)} kept(id) where kept.id = taken.id))`;

/** These people's permissions, including disabled accounts. */
export async function readHoldings(
  queries: Queries,
  clock: Clock,
  ids: readonly string[],
): Promise<Map<string, Holdings>> {
  const { rows } = await queries.execute<Row>(sql`
    with possible as materialized (
      select t.person_id, t.approver_id from ${takenOffLately(clock)} t where t.approver_id = any(${sql.param([...ids])}::text[])
      union all select q.id::text, d.id from ${defaultApprover} d join people q on q.id::text <> d.id
        where d.id = any(${sql.param([...ids])}::text[]))
    select p.id::text, p.role, coalesce(r.permissions, '{}') || p.grants as stored,
      array(select a.approver_id::text from effective_approvers a where a.person_id = p.id) as "approverIds",
      array(select a.person_id::text from effective_approvers a where a.approver_id = p.id) as approvees,
      array(select a.person_id::text from absences w join effective_approvers a on a.approver_id = w.person_id
        where w.delegate_id = p.id and w.last_day >= current_date - 1 and a.person_id <> p.id
        union select m.person_id from possible m where m.approver_id = p.id::text) as "possibleApprovees",
      ${isUsedSql} as "isUsed", exists (select from tasks t where t.owner_id = p.id) as "hasTasks"
    from people p left join roles r on r.name = p.role where p.id = any(${sql.param([...ids])}::bigint[])`);
  return new Map(
    rows.map(({ stored, ...row }) => [row.id, { ...row, permissions: heldPermissions(row.role, stored) }] as const),
  );
}
