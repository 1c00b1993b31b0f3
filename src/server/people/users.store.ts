// SQL of user management: everyone with an account, one account in detail, and writes.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import type { AccountFields } from '#core/people/accounts.ts';
import type { Named } from '#core/people/people.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { approvesSomeone, givenApproverIds } from './approvers.store.ts';

/** A person of the directory: one row of the table. */
export type DirectoryRow = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string | null;
  readonly team: string | null;
  readonly approverIds: readonly string[];
  readonly topFiveInvisible: boolean;
  readonly topFiveOfRole: boolean;
  readonly topFiveGranted: boolean;
  readonly disabled: boolean;
  readonly hasPassword: boolean;
  /** Until when the latest link is valid. */
  readonly linkUntil: string | null;
};

export type AccountRow = AccountFields & {
  readonly id: string;
  /** A version of everything that can be edited: another value means something changed. */
  readonly version: string;
  readonly hasPassword: boolean;
};

const directoryColumns = (now: string) => sql`
  p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.team,
  p.top5_invisible as "topFiveInvisible", ${givenApproverIds} as "approverIds",
  coalesce(${topFivePermission} = any(r.permissions), false) as "topFiveOfRole",
  ${topFivePermission} = any(p.grants) as "topFiveGranted",
  p.disabled_at is not null as disabled, p.password_hash is not null as "hasPassword",
  (select l.expires_at from account_links l where l.person_id = p.id and l.expires_at > ${now}::timestamptz) as "linkUntil"`;
const directoryTables = sql`people p left join roles r on r.name = p.role`;

/** The next people by id, including disabled ones. */
export async function readDirectory(
  queries: Queries,
  { after, limit, now }: { after: string; limit: number; now: string },
): Promise<DirectoryRow[]> {
  const { rows } = await queries.execute<DirectoryRow>(sql`
    select ${directoryColumns(now)} from ${directoryTables} where p.id > ${after}::bigint order by p.id limit ${limit}`);
  return rows;
}

export async function readDirectoryRows(
  queries: Queries,
  ids: readonly string[],
  now: string,
): Promise<DirectoryRow[]> {
  const { rows } = await queries.execute<DirectoryRow>(sql`
    select ${directoryColumns(now)} from ${directoryTables} where p.id = any(${idList(ids)}) order by p.id`);
  return rows;
}

const accountColumns = sql`
  p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.team, p.grants,
  p.top5_invisible as "topFiveInvisible", ${givenApproverIds} as "approverIds", p.disabled_at is not null as disabled,
  p.password_hash is not null as "hasPassword",
  md5(row(p.email, p.first_name, p.last_name, p.role, p.team, p.grants, p.top5_invisible, p.disabled_at is null,
    ${givenApproverIds})::text) as version`;

export async function readAccounts(queries: Queries, ids: readonly string[]): Promise<AccountRow[]> {
  const { rows } = await queries.execute<AccountRow>(
    sql`select ${accountColumns} from people p where p.id = any(${idList(ids)}) order by p.id`,
  );
  return rows;
}

/** The account, locked until the transaction ends; several are locked in the order of ids. */
export async function lockAccount(queries: Queries, id: string): Promise<AccountRow | undefined> {
  await queries.execute(sql`select from people where id = ${id}::bigint for update`);
  return (await readAccounts(queries, [id]))[0];
}

export async function readAccountsByEmail(queries: Queries, emails: readonly string[]): Promise<AccountRow[]> {
  const { rows } = await queries.execute<AccountRow>(sql`
    select ${accountColumns} from people p where lower(p.email) = any(array(select lower(unnest(${textList(emails)}))))`);
  return rows;
}

/** The roles with their permissions as stored, locked until the transaction ends. */
export async function readRoles(
  queries: Queries,
  names: readonly string[] | 'all',
  hold = false,
): Promise<Map<string, readonly string[]>> {
  const which = names === 'all' ? sql`` : sql`where name = any(${textList(names)})`;
  const { rows } = await queries.execute<{ name: string; permissions: string[] }>(
    sql`select name, permissions from roles ${which} order by lower(name) ${hold ? sql`for share` : sql``}`,
  );
  return new Map(rows.map(({ name, permissions }) => [name, permissions]));
}

export type CandidateRow = Named & {
  readonly id: string;
  readonly role: string | null;
  readonly disabled: boolean;
  readonly approves: boolean;
  readonly storedPermissions: readonly string[];
};

/** The existing ones of these people. */
export async function readCandidates(queries: Queries, ids: readonly string[]): Promise<CandidateRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await queries.execute<CandidateRow>(sql`
    select p.id::text, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role,
      p.disabled_at is not null as disabled, coalesce(r.permissions, '{}') || p.grants as "storedPermissions",
      ${approvesSomeone}
    from ${directoryTables} where p.id = any(${idList(ids)})`);
  return rows;
}

/** Those of these permissions that anyone but an admin has, also in a disabled account. */
export async function readGranted(queries: Queries, permissions: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await queries.execute<{ permission: string }>(sql`
    select wanted as permission from unnest(${textList(permissions)}) wanted
    where exists (select from roles r join people p on p.role = r.name where wanted = any(r.permissions))
      or exists (select from people p where p.role is distinct from ${adminRole} and wanted = any(p.grants))`);
  return new Set(rows.map(({ permission }) => permission));
}

/** Returns the id; undefined if the email is taken. */
export async function insertAccount(queries: Queries, fields: AccountFields, at: string): Promise<string | undefined> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into people (email, first_name, last_name, role, team, grants, top5_invisible, created_at)
    values (${fields.email}, ${fields.firstName}, ${fields.lastName}, ${fields.role}, ${fields.team},
      ${textList(fields.grants)}, ${fields.topFiveInvisible}, ${at}::timestamptz)
    on conflict (lower(email)) do nothing returning id::text`);
  return rows[0]?.id;
}

/** Writes everything but the approvers, which `setApprovers` changes. */
export async function saveAccount(queries: Queries, id: string, fields: AccountFields, at: string): Promise<void> {
  await queries.execute(sql`
    update people set email = ${fields.email}, first_name = ${fields.firstName}, last_name = ${fields.lastName},
      role = ${fields.role}, team = ${fields.team}, grants = ${textList(fields.grants)},
      top5_invisible = ${fields.topFiveInvisible},
      disabled_at = case when ${fields.disabled} then coalesce(disabled_at, ${at}::timestamptz) end
    where id = ${id}::bigint`);
}

export async function readEmailHolder(queries: Queries, email: string): Promise<AccountRow | undefined> {
  return (await readAccountsByEmail(queries, [email]))[0];
}

const idList = (ids: readonly string[]): SQL => sql`${sql.param([...ids])}::bigint[]`;
const textList = (texts: readonly string[]): SQL => sql`${sql.param([...texts])}::text[]`;
