// SQL of people, their roles and their approvers.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

export type PersonRow = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string | null;
  readonly team: string | null;
  /** From the role and the direct grants, as stored. */
  readonly storedPermissions: readonly string[];
  readonly approverIds: readonly string[];
  readonly topFiveInvisible: boolean;
};

const columns = sql`
  p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.team,
  p.top5_invisible as "topFiveInvisible", coalesce(r.permissions, '{}') || p.grants as "storedPermissions",
  array(select a.approver_id::text from effective_approvers a where a.person_id = p.id order by a.approver_id) as "approverIds"`;

const from = sql`from people p left join roles r on r.name = p.role`;
const byName = sql`order by lower(p.last_name), lower(p.first_name), p.id`;

/** Everyone with an enabled account, by name. */
export async function readPeople(queries: Queries): Promise<PersonRow[]> {
  const { rows } = await queries.execute<PersonRow>(
    sql`select ${columns} ${from} where p.disabled_at is null ${byName}`,
  );
  return rows;
}

/** The people this person approves, including disabled ones with tasks to decide. */
export async function readApprovedBy(queries: Queries, approverId: string): Promise<PersonRow[]> {
  const { rows } = await queries.execute<PersonRow>(
    sql`select ${columns} ${from} where p.id in (select a.person_id from effective_approvers a where a.approver_id = ${approverId}::bigint) ${byName}`,
  );
  return rows;
}

export async function readPerson(queries: Queries, id: string): Promise<PersonRow | undefined> {
  const { rows } = await queries.execute<PersonRow>(sql`select ${columns} ${from} where p.id = ${id}::bigint`);
  return rows[0];
}

export async function readApprovers(queries: Queries): Promise<{ approverId: string; userIds: string[] }[]> {
  const { rows } = await queries.execute<{ approverId: string; userIds: string[] }>(sql`
    select a.approver_id::text as "approverId", array_agg(a.person_id::text order by a.person_id) as "userIds"
    from effective_approvers a group by a.approver_id order by a.approver_id`);
  return rows;
}

export async function readIsActive(queries: Queries, id: string): Promise<boolean> {
  const { rows } = await queries.execute(sql`select from people where id = ${id}::bigint and disabled_at is null`);
  return rows.length > 0;
}

/** Adds the person if there are none at all, even when several servers try at once. */
export async function readHasPeople(queries: Queries): Promise<boolean> {
  const { rows } = await queries.execute<{ found: boolean }>(sql`select exists (select from people) as found`);
  return rows[0]!.found;
}

export async function readHasRole(queries: Queries, email: string, role: string): Promise<boolean> {
  const { rows } = await queries.execute<{ found: boolean }>(
    sql`select exists (select from people where lower(email) = lower(${email}) and role = ${role}) as found`,
  );
  return rows[0]!.found;
}

export async function insertFirstPerson(
  queries: Queries,
  { email, passwordHash, role, at }: { email: string; passwordHash: string; role: string; at: string },
): Promise<void> {
  await queries.execute(sql`lock table people in share row exclusive mode`);
  await queries.execute(sql`
    insert into people (email, first_name, last_name, role, password_hash, created_at)
    select ${email}, '', '', ${role}, ${passwordHash}, ${at}::timestamptz where not exists (select from people)`);
}
