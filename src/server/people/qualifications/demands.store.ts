// SQL of what a role asks for and of what people have to show for it: what assigning a role asks.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import type { Evidence, Requirement } from '#core/people/qualifications.ts';
import type { Queries } from '#server/platform/db/database.ts';

/** Of the requirements `q`. A requirement without a role is one of `admin`, which is no row. */
export const ofRole = (role: string): SQL =>
  role === adminRole ? sql`q.role_id is null` : sql`q.role_id = (select id from roles where name = ${role})`;

/** What the role asks for now, in the order in which it was added. */
export async function readDemands(queries: Queries, role: string): Promise<Requirement[]> {
  const { rows } = await queries.execute<Requirement>(sql`
    select q.id::text, q.kind, q.title, q.valid_months as "validMonths" from role_requirements q
    where ${ofRole(role)} and q.withdrawn_at is null order by q.id`);
  return rows;
}

export type EvidenceOfPerson = Evidence & { readonly personId: string };

/**
 * What these people (null: everybody) have to show for requirements, recorded by somebody or, for the guidelines, by confirming the version that
 * holds. `condition` is about the requirement `q`; days are those of the zone.
 */
export async function readEvidenceFor(
  queries: Queries,
  {
    condition,
    personIds,
    zone,
  }: { readonly condition: SQL; readonly personIds: readonly string[] | null; readonly zone: string },
): Promise<EvidenceOfPerson[]> {
  const people = personIds === null ? sql`true` : sql`person_id = any(${sql.param([...personIds])}::bigint[])`;
  const { rows } = await queries.execute<EvidenceOfPerson>(sql`
    with demanded as (select q.id, q.kind from role_requirements q where ${condition} and q.withdrawn_at is null)
    select e.requirement_id::text as "requirementId", e.person_id::text as "personId", e.day, e.good_until as "goodUntil"
      from role_evidence e join demanded d on d.id = e.requirement_id where e.withdrawn_at is null and ${people}
    union all
    select d.id::text, c.person_id::text, (c.confirmed_at at time zone ${zone})::date, null
      from current_guideline_confirmations c join demanded d on d.kind = 'guideline' where ${people}`);
  return rows;
}
