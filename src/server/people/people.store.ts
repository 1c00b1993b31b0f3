// SQL of people, their roles and their approvers.
import { type SQL, sql } from 'drizzle-orm';
import { isAdmin, type Viewer } from '#core/access/access.ts';
import { searchParts } from '#core/base/search-words.ts';
import type { PersonToExport } from '#core/people/people-import.ts';
import type { DecidedPeople } from '#core/people/people-lists.ts';
import type { UserList } from '#core/people/people-search.ts';
import { type ActingPerson, actsFor } from '#server/platform/acts-for.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { byPersonName, isAfterPerson } from '#server/platform/db/pages.ts';
import { awaits, deciders, givenApprovers, hasTopFive, idList, needsApproverWithout } from './approvers.store.ts';

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
  readonly disabled: boolean;
};

const columns = sql`
  p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.team,
  p.top5_invisible as "topFiveInvisible", p.disabled_at is not null as disabled, coalesce(r.permissions, '{}') || p.grants as "storedPermissions",
  array(select a.approver_id::text from effective_approvers a where a.person_id = p.id order by a.approver_id) as "approverIds"`;

const from = sql`from people p left join roles r on r.name = p.role`;

/** A page of the enabled accounts by name, on one of the lists of spec 3 or on both. */
export async function readPeople(
  queries: Queries,
  { list, after, limit }: { readonly list?: UserList; readonly after?: string | undefined; readonly limit: number },
): Promise<PersonRow[]> {
  const { rows } = await queries.execute<PersonRow>(sql`
    select ${columns} ${from} where p.disabled_at is null and ${isAfterPerson(after)}
      and ${list === undefined ? sql`true` : sql`${hasTopFive} = ${list === 'permitted'}`}
    order by ${byPersonName} limit ${limit}`);
  return rows;
}

type Choice = Omit<DecidedPeople, 'limit'> & { readonly limit: number };

/**
 * A page of the people whose tasks the viewer decides. For an admin, disabled accounts come only by a search
 * or an id; for everyone, people without S.T.A.R.T only by an id.
 */
export async function readDecidedPeople(
  queries: Queries,
  viewer: Viewer,
  { find = '', ids, after, limit }: Choice,
): Promise<PersonRow[]> {
  const isWanted = find === '' && ids === undefined ? sql`p.disabled_at is null` : sql`true`;
  const { rows } = await queries.execute<PersonRow>(sql`
    select ${columns} ${from} where p.id <> ${viewer.id}::bigint and ${isAfterPerson(after)}
      and ${isAdmin(viewer) ? isWanted : isApprovedBy(viewer)}
      and ${ids === undefined ? hasTopFive : sql`p.id = any(${idList(ids)})`}
      and ${contains(searchParts(find), "p.first_name || ' ' || p.last_name || ' (' || p.email || ') ' || coalesce(p.team, '')")}
    order by ${byPersonName} limit ${limit}`);
  return rows;
}

const isApprovedBy = (approver: ActingPerson): SQL =>
  sql`p.id in (select a.person_id from effective_approvers a where ${actsFor(approver, sql`a.approver_id`)})`;

type ApprovedRow = Pick<PersonRow, 'id' | 'email' | 'firstName' | 'lastName'> & {
  /** Whether they need an approver, and nobody besides these can decide for them. */
  readonly isLeft: boolean;
};

/** The people that these decide for; of the disabled ones, those with tasks to decide. */
export async function readApprovedBy(
  queries: Queries,
  approverIds: readonly string[],
  except: readonly string[] = [],
): Promise<ApprovedRow[]> {
  const theirs = idList(approverIds);
  const { rows } = await queries.execute<ApprovedRow>(sql`
    select p.id::text, p.email, p.first_name as "firstName", p.last_name as "lastName",
      (p.disabled_at is not null or ${needsApproverWithout(approverIds)}) and not exists (
        select from effective_approvers a
        where a.person_id = p.id and a.approver_id <> all(${theirs}) and a.approver_id in (${deciders})) as "isLeft"
    ${from}
    where p.id in (select a.person_id from effective_approvers a where a.approver_id = any(${theirs}))
      and p.id <> all(${idList(except)})
      and (p.disabled_at is null or exists (select from tasks t where t.owner_id = p.id and ${awaits}))
    order by ${byPersonName}`);
  return rows;
}

/** The people among these who have an account in use and S.T.A.R.T. */
export async function readWithTopFive(queries: Queries, ids: readonly string[]): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(
    sql`select p.id::text as id ${from} where p.id = any(${idList(ids)}) and p.disabled_at is null and ${hasTopFive}`,
  );
  return rows.map(({ id }) => id);
}

/** These people in this order, for the file that the import reads. */
export async function readPeopleToExport(queries: Queries, ids: readonly string[]): Promise<PersonToExport[]> {
  const { rows } = await queries.execute<Omit<PersonToExport, 'approvers'> & { approvers: { email: string }[] }>(sql`
    select p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.team,
      ${hasTopFive} as "usesTopFive", ${givenApprovers} as approvers
    from unnest(${idList(ids)}) with ordinality as wanted(id, place) join people p on p.id = wanted.id
      left join roles r on r.name = p.role
    order by wanted.place`);
  return rows.map((row) => ({ ...row, approvers: row.approvers.map(({ email }) => email) }));
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
): Promise<string | undefined> {
  await queries.execute(sql`lock table people in share row exclusive mode`);
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into people (email, first_name, last_name, role, password_hash, created_at)
    select ${email}, '', '', ${role}, ${passwordHash}, ${at}::timestamptz where not exists (select from people)
    returning id::text`);
  return rows[0]?.id;
}
