// SQL of the identity provider's groups and their roles.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

export type GroupBinding = {
  readonly group: string;
  readonly configuredName: string;
  readonly roleId: string | null;
  /** The role's current name. Null: it was deleted. */
  readonly role: string | null;
};

export async function readBindings(queries: Queries): Promise<GroupBinding[]> {
  const { rows } = await queries.execute<GroupBinding>(sql`
    select g.group_name as "group", g.configured_name as "configuredName", g.role_id::text as "roleId", r.name as role
    from group_roles g left join roles r on r.id = g.role_id order by g.group_name`);
  return rows;
}

/** Binds the group to the role with this name. Undefined if it doesn't exist; then nothing changes. */
export async function bindGroup(
  queries: Queries,
  { group, role, at }: { group: string; role: string; at: string },
): Promise<string | undefined> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into group_roles (group_name, configured_name, role_id, bound_at)
    select ${group}, r.name, r.id, ${at}::timestamptz from roles r where r.name = ${role} for key share of r
    on conflict (group_name) do update
      set configured_name = excluded.configured_name, role_id = excluded.role_id, bound_at = excluded.bound_at
    returning role_id::text as id`);
  return rows[0]?.id;
}

/** Forgets groups that the configuration no longer names; one that returns is bound again. */
export async function deleteOtherBindings(queries: Queries, groups: readonly string[]): Promise<void> {
  await queries.execute(sql`delete from group_roles where group_name <> all(${sql.param([...groups])}::text[])`);
}

/** The last role from groups is stored by name: it follows a rename, and goes with the role. */
export async function renameGroupRole(queries: Queries, was: string, name: string | null): Promise<void> {
  await queries.execute(sql`update identities set of_groups = ${name} where of_groups = ${was}`);
}
