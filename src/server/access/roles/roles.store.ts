// SQL of the roles that the role editor makes, and of the people who have them.
import { sql } from 'drizzle-orm';
import type { Named } from '#core/people/people.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type RoleRow = {
  readonly id: string;
  readonly name: string;
  /** As stored: what no list knows any more may be among them. */
  readonly storedPermissions: readonly string[];
  readonly version: number;
  /** People who have it and whose accounts are not disabled. */
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

/** One change of roles after the other: each sees what the one before has made of names and versions. */
export async function lockRoleEditing(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('roles'))`);
}

/** From here on nobody is given the role until the transaction ends. */
export async function lockRole(queries: Queries, id: string): Promise<void> {
  await queries.execute(sql`select 1 from roles where id = ${id}::bigint for update`);
}

type NewState = { readonly name: string; readonly permissions: readonly string[] };

export async function insertRole(queries: Queries, { name, permissions }: NewState, at: string): Promise<string> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into roles (name, permissions, created_at) values (${name}, ${sql.param(permissions)}::text[], ${at}::timestamptz)
    returning id::text`);
  return (rows[0] as { id: string }).id;
}

/** Whoever has the role keeps it under its new name: in one statement, since nobody may have a role that is not there. */
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
