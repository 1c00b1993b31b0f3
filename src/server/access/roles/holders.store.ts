// SQL of the people who have a role.
import { sql } from 'drizzle-orm';
import type { Named } from '#core/people/people.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type HolderRow = Named & {
  readonly id: string;
  readonly role: string;
  readonly grants: readonly string[];
  readonly approverIds: readonly string[];
  readonly disabled: boolean;
};

/** Everybody who has one of these roles, disabled accounts too, by name. */
export async function readHolders(queries: Queries, roles: readonly string[]): Promise<HolderRow[]> {
  const { rows } = await queries.execute<HolderRow>(sql`
    select p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.grants,
      p.disabled_at is not null as disabled,
      array(select a.approver_id::text from effective_approvers a where a.person_id = p.id order by a.approver_id) as "approverIds"
    from people p where p.role = any(${sql.param(roles)}::text[]) order by lower(p.last_name), lower(p.first_name), p.id`);
  return rows;
}

/** Holds everybody who has one of these roles until the transaction ends, always in the order of ids. */
export async function lockHolders(queries: Queries, roles: readonly string[]): Promise<void> {
  await queries.execute(
    sql`select 1 from people where role = any(${sql.param(roles)}::text[]) order by people.id for update`,
  );
}
