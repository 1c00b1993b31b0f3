// SQL of the role editor's roles and of the people who have them.
import { sql } from 'drizzle-orm';
import type { Named } from '#core/people/people.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type RoleRow = {
  readonly id: string;
  readonly name: string;
  /** As stored: may include unknown permissions. */
  readonly storedPermissions: readonly string[];
  readonly version: number;
  /** People with the role and an enabled account. */
  readonly people: number;
  readonly disabledPeople: number;
};

const columns = sql`r.id::text as id, r.name, r.permissions as "storedPermissions", r.version,
  coalesce(h.active, 0)::int as people, coalesce(h.disabled, 0)::int as "disabledPeople"`;
const from = sql`from roles r left join (
    select role, count(*) filter (where disabled_at is null) as active, count(disabled_at) as disabled from people group by role
  ) h on h.role = r.name`;

export async function readRoles(queries: Queries): Promise<RoleRow[]> {
  const { rows } = await queries.execute<RoleRow>(sql`select ${columns} ${from} order by lower(r.name)`);
  return rows;
}

/** Serializes role changes: each sees the names and versions of the previous one. */
export async function lockRoleEditing(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('roles'))`);
}

/** Nobody can be given one of the roles until the transaction ends. */
export async function lockRoles(queries: Queries, ids: readonly string[]): Promise<void> {
  await queries.execute(
    sql`select 1 from roles where id = any(${sql.param(ids)}::bigint[]) order by lower(name) for update`,
  );
}

type NewState = { readonly name: string; readonly permissions: readonly string[] };

export async function insertRole(queries: Queries, { name, permissions }: NewState, at: string): Promise<string> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into roles (name, permissions, created_at) values (${name}, ${sql.param(permissions)}::text[], ${at}::timestamptz)
    returning id::text`);
  return (rows[0] as { id: string }).id;
}

/**
 * Renames the role and its people's copy in one statement, because nobody can have a role that doesn't exist.
 */
export async function updateRole(
  queries: Queries,
  { id, name, was, permissions }: NewState & { readonly id: string; readonly was: string },
): Promise<void> {
  const update = sql`update roles set name = ${name}, permissions = ${sql.param(permissions)}::text[], version = version + 1
    where id = ${id}::bigint`;
  await queries.execute(
    name === was ? update : sql`with renamed as (${update}) update people set role = ${name} where role = ${was}`,
  );
}

export async function deleteRole(queries: Queries, id: string): Promise<void> {
  await queries.execute(sql`delete from roles where id = ${id}::bigint`);
}

export type HolderRow = Named & {
  readonly id: string;
  readonly role: string;
  readonly grants: readonly string[];
  readonly approverIds: readonly string[];
  readonly disabled: boolean;
};

/** Everyone with one of these roles, including disabled accounts, by name. */
export async function readHolders(queries: Queries, roles: readonly string[]): Promise<HolderRow[]> {
  const { rows } = await queries.execute<HolderRow>(sql`
    select p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.grants,
      p.disabled_at is not null as disabled,
      array(select a.approver_id::text from effective_approvers a where a.person_id = p.id order by a.approver_id) as "approverIds"
    from people p where p.role = any(${sql.param(roles)}::text[]) order by lower(p.last_name), lower(p.first_name), p.id`);
  return rows;
}

/** Locks everyone with one of these roles until the transaction ends, in the order of ids. */
export async function lockHolders(queries: Queries, roles: readonly string[]): Promise<void> {
  await queries.execute(
    sql`select 1 from people where role = any(${sql.param(roles)}::text[]) order by people.id for no key update`,
  );
}
