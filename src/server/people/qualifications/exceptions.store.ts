// SQL of exceptions: roles that were given to people who lack requirements. They are read from the audit log.
import { type SQL, sql } from 'drizzle-orm';
import { roleMentions } from '#core/people/role-requests.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { shownName } from '#server/platform/db/pages.ts';

/** `a`: the newest entry that gave the person `s` a role. `s.id` is a text, as in the log. */
const lastGift = sql`lateral (
  select a.id, a.at, a.actor_id, a.after from audit_log a
  where a.subject_type = 'person' and a.subject_id = s.id and a.after ? 'role'
    and a.action <> all(${sql.param([...roleMentions])}::text[])
  order by a.id desc limit 1) a`;

/** Whether the gift `a` was an exception. What an erasure left of the log tells nothing about it. */
const isException = sql`a.after ? 'lacking' and not exists (select from audit_log c where c.subject_type = 'person'
  and c.subject_id = s.id and c.id > a.id and c.erased_in is not null and c.after is null)`;

const isRenamed = sql`exists (select from audit_log c where c.subject_type = 'requirement' and c.subject_id = q.id::text
  and c.id > a.id and c.action = 'requirementChanged' and a.after->'lacking' ? (c.before->>'title'))`;

/** Whether the person met `q` after the gift `a`, also by what was withdrawn or confirmed and replaced since. */
const isMetSince = (zone: string): SQL => sql`exists (
    select from role_evidence e where e.requirement_id = q.id and e.person_id = s.id::bigint
      and coalesce(e.withdrawn_at >= a.at, true)
      and coalesce(coalesce(e.good_until, (e.day + make_interval(months => q.valid_months))::date)
        >= (a.at at time zone ${zone})::date, true))
  or q.kind = 'guideline' and exists (
    select from guideline_confirmations c where c.person_id = s.id::bigint and c.confirmed_at >= a.at)`;

/** Whether the gift `a` was made without the requirement `q`, which the person hasn't met since. */
const isExceptedFrom = (zone: string): SQL =>
  sql`(a.after->'lacking' ? q.title or ${isRenamed}) and not (${isMetSince(zone)})`;

export type ExceptionRow = {
  readonly personId: string;
  /** Null for a command. */
  readonly by: string | null;
  readonly at: string;
  readonly reason: string;
  /** Those requirements of the condition that the person lacked and hasn't met since. */
  readonly requirementIds: readonly string[];
};

/** Why these people got their role despite missing requirements, for those who did and haven't met them since. */
export async function readExceptions(
  queries: Queries,
  personIds: readonly string[],
  { condition, zone }: { readonly condition: SQL; readonly zone: string },
): Promise<ExceptionRow[]> {
  const { rows } = await queries.execute<ExceptionRow>(sql`
    select s.id as "personId", a.at, case when b.id is not null then ${sql.raw(shownName('b'))} end as by, a.after->>'reason' as reason,
      array(select q.id::text from role_requirements q where ${condition} and q.withdrawn_at is null
        and ${isExceptedFrom(zone)}) as "requirementIds"
    from unnest(${sql.param([...personIds])}::text[]) s(id) cross join ${lastGift}
    left join people b on b.id = a.actor_id
    where ${isException}`);
  return rows;
}

/** The ids of those in `lacking` whose exception names all of their `requirements`: `isExcepted` of the core. */
export const exceptedIds = (lacking: SQL, zone: string): SQL => sql`
  select s.id::bigint as id from (${lacking}) s cross join ${lastGift}
  where ${isException} and not exists (
    select from role_requirements q where q.id = any(s.requirements) and not (${isExceptedFrom(zone)}))`;
