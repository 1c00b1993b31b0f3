// SQL of role requirements and their evidence, for assigning roles.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import type { Evidence, Requirement } from '#core/people/qualifications.ts';
import type { Queries } from '#server/platform/db/database.ts';

/** For requirements `q`. A requirement without a role belongs to `admin`, which is no row. */
export const requirementsOfRole = (role: string): SQL =>
  role === adminRole ? sql`q.role_id is null` : sql`q.role_id = (select id from roles where name = ${role})`;

/** The role's current requirements, in the order they were added. */
export async function readDemands(queries: Queries, role: string): Promise<Requirement[]> {
  const { rows } = await queries.execute<Requirement>(sql`
    select q.id::text, q.kind, q.title, q.valid_months as "validMonths" from role_requirements q
    where ${requirementsOfRole(role)} and q.withdrawn_at is null order by q.id`);
  return rows;
}

export type EvidenceOfPerson = Evidence & { readonly personId: string };

/**
 * The evidence of these people (null: everyone), recorded, or for the guidelines by confirming the current
 * version. `condition` is about the requirement `q`; days are in the zone.
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
