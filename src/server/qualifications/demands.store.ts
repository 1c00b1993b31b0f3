// SQL of what a role asks for and of what people have to show for it: what assigning a role asks.
import { sql } from 'drizzle-orm';
import { adminRole } from '#core/access.ts';
import type { Evidence, Requirement } from '#core/qualifications.ts';
import type { Queries } from '../db/database.ts';

/** Of the requirements `q`. A requirement without a role is one of `admin`, which is no row. */
export const ofRole = (role: string) =>
  role === adminRole ? sql`q.role_id is null` : sql`q.role_id = (select id from roles where name = ${role})`;

/** What the role asks for now, in the order in which it was added. */
export async function readDemands(queries: Queries, role: string): Promise<Requirement[]> {
  const { rows } = await queries.execute<Requirement>(sql`
    select q.id::text, q.kind, q.title, q.valid_months as "validMonths" from role_requirements q
    where ${ofRole(role)} and q.withdrawn_at is null order by q.id`);
  return rows;
}

/** What these people have to show for the requirements of the role. */
export async function readEvidenceFor(
  queries: Queries,
  role: string,
  personIds: readonly string[],
): Promise<(Evidence & { readonly personId: string })[]> {
  const { rows } = await queries.execute<Evidence & { personId: string }>(sql`
    select e.requirement_id::text as "requirementId", e.person_id::text as "personId", e.day, e.good_until as "goodUntil"
    from role_evidence e join role_requirements q on q.id = e.requirement_id
    where ${ofRole(role)} and q.withdrawn_at is null and e.withdrawn_at is null
      and e.person_id = any(${sql.param(personIds.map(String))}::bigint[])`);
  return rows;
}
