// Who can receive a request or a question, with their permissions. Disabled accounts get none.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type PersonRow = { id: string; role: string | null; stored: string[]; approverIds: string[] };

async function peopleWhere(queries: Queries, condition: SQL): Promise<PersonRow[]> {
  const { rows } = await queries.execute<PersonRow>(sql`
    select p.id::text, p.role, coalesce(r.permissions, '{}') || p.grants as stored,
      array(select a.approver_id::text from effective_approvers a where a.person_id = p.id) as "approverIds"
    from people p left join roles r on r.name = p.role
    where p.disabled_at is null and ${condition} order by p.id`);
  return rows;
}

/** The approvers, and admins, who answer if no approver can. */
export function possibleAnswerers(queries: Queries, approverIds: readonly string[]): Promise<PersonRow[]> {
  return peopleWhere(queries, sql`(p.id = any(${sql.param([...approverIds])}::bigint[]) or p.role = ${adminRole})`);
}

export function admins(queries: Queries): Promise<PersonRow[]> {
  return peopleWhere(queries, sql`p.role = ${adminRole}`);
}

export async function personById(queries: Queries, id: string): Promise<PersonRow | undefined> {
  const [row] = await peopleWhere(queries, sql`p.id = ${id}`);
  return row;
}
