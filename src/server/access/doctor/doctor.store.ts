// SQL of the permission doctor: roles and people as stored, including unknown permissions.
import { sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import type { Patient, StoredRole } from '#core/access/permission-doctor.ts';
import { searchParts } from '#core/base/search-words.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { shownName } from '#server/platform/db/pages.ts';

export async function readRoles(queries: Queries): Promise<StoredRole[]> {
  const { rows } = await queries.execute<StoredRole>(sql`select name, permissions from roles order by lower(name)`);
  return rows;
}

const name = sql.raw(shownName('p'));
const columns = sql`p.id::text, ${name} as name, p.role, p.grants, p.disabled_at is not null as disabled,
  array(select a.approver_id::text from effective_approvers a where a.person_id = p.id order by a.approver_id) as "approverIds"`;

/** Everyone, by name. */
export async function readPatients(queries: Queries): Promise<Patient[]> {
  const { rows } = await queries.execute<Patient>(
    sql`select ${columns} from people p order by lower(p.last_name), lower(p.first_name), p.id`,
  );
  return rows;
}

export async function readPatient(queries: Queries, id: string): Promise<Patient | undefined> {
  const { rows } = await queries.execute<Patient>(
    sql`select ${columns} from people p where p.id = ${id}::bigint and p.disabled_at is null`,
  );
  return rows[0];
}

export type FoundPerson = { readonly id: string; readonly name: string; readonly role: string | null };

export type Wanted = { readonly search?: string | undefined; readonly id?: string | undefined };

/** The first few people with this name, admins last, because nothing is closed to them. */
export async function findPeople(queries: Queries, { search = '', id }: Wanted, most: number): Promise<FoundPerson[]> {
  const { rows } = await queries.execute<FoundPerson>(sql`
    select p.id::text, ${name} as name, p.role from people p
    where p.disabled_at is null and ${contains(searchParts(search), "p.first_name || ' ' || p.last_name || ' ' || p.email")}
      ${id === undefined ? sql`` : sql`and p.id = ${id}::bigint`}
    order by p.role is not distinct from ${adminRole}, lower(p.last_name), lower(p.first_name), p.id limit ${most}`);
  return rows;
}
