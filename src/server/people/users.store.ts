// SQL of user management: everyone with an account, one account in detail, and writes.
import { type SQL, sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { roleMark } from '#core/access/role-changes.ts';
import type { Holidays } from '#core/base/holidays.ts';
import { searchParts } from '#core/base/search-words.ts';
import { returnWeek } from '#core/people/absences.ts';
import type { AccountFields } from '#core/people/accounts.ts';
import { erasedHost, type Named } from '#core/people/people.ts';
import type { Directory, PeopleToChoose } from '#core/people/people-lists.ts';
import { type userOrders, userStates } from '#core/people/people-search.ts';
import { canSignInSql } from '#server/platform/can-sign-in.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { unapproved } from './approver-map.store.ts';
import { approves, approvesSomeone, givenApproverIds, givenApprovers, hasTopFive } from './approvers.store.ts';

/** A person of the directory: one row of the table. */
export type DirectoryRow = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string | null;
  readonly team: string | null;
  readonly approverIds: readonly string[];
  readonly approvers: readonly (Named & { readonly disabled: boolean })[];
  readonly topFiveInvisible: boolean;
  readonly topFiveOfRole: boolean;
  readonly topFiveGranted: boolean;
  readonly disabled: boolean;
  readonly hasPassword: boolean;
  /** Until when the latest link is valid. */
  readonly linkUntil: string | null;
  readonly canSignIn: boolean;
  readonly storedPermissions: readonly string[];
  readonly approves: boolean;
  /** Null unless away today. */
  readonly awayUntil: string | null;
};

export type AccountRow = AccountFields & {
  readonly id: string;
  /** A version of everything that can be edited: another value means something changed. */
  readonly version: string;
  readonly hasPassword: boolean;
};

/** The company's day at `now`. */
type Moment = { readonly now: string; readonly today: string };
const isRunning = (today: string): SQL => sql`${today}::date between a.first_day and a.last_day`;

const directoryColumns = ({ now, today }: Moment) => sql`
  p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.team,
  p.top5_invisible as "topFiveInvisible", ${givenApproverIds} as "approverIds",
  ${givenApprovers} as approvers,
  coalesce(${topFivePermission} = any(r.permissions), false) as "topFiveOfRole",
  ${topFivePermission} = any(p.grants) as "topFiveGranted",
  p.disabled_at is not null as disabled, p.password_hash is not null as "hasPassword",
  (select l.expires_at from account_links l where l.person_id = p.id and l.expires_at > ${now}::timestamptz) as "linkUntil",
  ${sql.raw(canSignInSql('p'))} as "canSignIn", coalesce(r.permissions, '{}') || p.grants as "storedPermissions",
  (select a.last_day::text from absences a where a.person_id = p.id and ${isRunning(today)} and p.disabled_at is null) as "awayUntil",
  ${approvesSomeone}`;
const directoryTables = sql`people p left join roles r on r.name = p.role`;

const accountState = (now: string) => sql`case when p.disabled_at is not null then 'disabled'
  when p.password_hash is not null then 'active'
  when exists (select from account_links l where l.person_id = p.id and l.expires_at > ${now}::timestamptz) then 'invited'
  else 'noPassword' end`;

/** The shown name in the order of last names; without one, the address. */
const nameKey = sql`lower(coalesce(nullif(trim(p.last_name || ' ' || p.first_name), ''), p.email))`;

const orderKey: Readonly<Record<(typeof userOrders)[number] | 'name', (now: string) => SQL>> = {
  name: () => nameKey,
  email: () => sql`lower(p.email)`,
  role: () => sql`lower(p.role)`,
  team: () => sql`p.team`,
  state: (now) => sql`array_position(${textList(userStates)}, ${accountState(now)})::text`,
};

const orNothing = (column: SQL, wanted: string | undefined): SQL =>
  wanted === undefined ? sql`true` : wanted === '' ? sql`${column} is null` : sql`${column} = ${wanted}`;

const awayNowSql = ({ today }: Moment): SQL => sql`(p.disabled_at is null
  and p.id in (select a.person_id from absences a where ${isRunning(today)}))`;

/** The people whose absence has ended, and who are back on a working day of this week. Nothing of days to come. */
function backThisWeekSql({ today, holidays }: At): SQL {
  const { monday, firstDay, lastDay } = returnWeek(today, holidays);
  const back = sql`greatest(a.last_day + 1, ${monday}::date)`;
  return sql`(select a.person_id from absences a where a.last_day between ${firstDay}::date and least(${lastDay}::date, ${today}::date - 1)
    and not exists (select from absences o where o.person_id = a.person_id and ${back} between o.first_day and o.last_day))`;
}

export type DirectoryPage = {
  readonly ids: readonly string[];
  readonly permitted: number;
  readonly logged: number;
};

type At = Moment & {
  readonly holidays: Holidays;
  /** The ids of people with a requested role. */
  readonly askedFor: readonly string[];
};

const isAskedFor = ({ askedFor }: At): SQL => sql`(p.disabled_at is null and p.id = any(${idList(askedFor)}))`;

/** Nothing can be done with an erased account, so User Management lists and counts none. */
const isKept = sql`p.email not like ${`%${erasedHost}`}`;

/** Whether a person `p` passes the filters. Without a role, disabled accounts are left out unless asked for. */
function passes({ role, team, state, ...choice }: Directory, at: At): SQL {
  const filters = [
    isKept,
    orNothing(sql`p.team`, team),
    orNothing(sql`p.role`, role),
    ...(role === '' && state !== 'disabled' ? [sql`p.disabled_at is null`] : []),
    ...(state === undefined ? [] : [sql`${accountState(at.now)} = ${state}`]),
    ...(choice.withoutApprover ? [sql`p.id in ${unapproved}`] : []),
    ...(choice.roleRequested ? [isAskedFor(at)] : []),
    ...(choice.awayNow ? [awayNowSql(at)] : []),
    ...(choice.backThisWeek ? [sql`p.disabled_at is null and p.id in ${backThisWeekSql(at)}`] : []),
  ];
  return sql.join(filters, sql` and `);
}

/**
 * The ids of a page, one more than `limit` if there are more, or of everyone, and how many match on either
 * list. People without the value that orders the list come last, in both directions.
 */
export async function readDirectoryPage(
  queries: Queries,
  { limit, ...choice }: Directory,
  at: At,
): Promise<DirectoryPage> {
  const { find = '', list, sort, desc = false, after } = choice;
  const direction = desc ? sql`desc` : sql`asc`;
  const [missing, follows] = [sql`(known.key is null)`, desc ? sql`<` : sql`>`];
  const { rows } = await queries.execute<DirectoryPage>(sql`
    with known as materialized (
      select p.id, ${orderKey[sort ?? 'name'](at.now)} as key, ${nameKey} as name, ${hasTopFive} as permitted,
        ${contains(searchParts(find), "p.first_name || ' ' || p.last_name || ' ' || p.email || ' ' || coalesce(p.role, '') || ' ' || coalesce(p.team, '')")}
        and ${passes(choice, at)} as matches
      from ${directoryTables}
    ), last as materialized (select * from known where id = ${after ?? null}::bigint
    ), page as (
      select id, row_number() over (order by ${missing}, key ${direction}, name ${direction}, id ${direction}) as place
      from known where matches and ${list === undefined ? sql`true` : sql`permitted = ${list === 'permitted'}`}
        and ${
          after === undefined
            ? sql`true`
            : sql`exists (select from last where ${missing} > (last.key is null) or ${missing} = (last.key is null)
                and (coalesce(known.key, ''), known.name, known.id) ${follows} (coalesce(last.key, ''), last.name, last.id))`
        }
      order by place limit ${limit === undefined ? null : limit + 1}::int
    )
    select (select coalesce(array_agg(id::text order by place), '{}') from page) as ids,
      count(*) filter (where matches and permitted)::int as permitted,
      count(*) filter (where matches and not permitted)::int as logged from known`);
  return rows[0]!;
}

export type PeopleCounts = {
  readonly active: number;
  readonly disabled: number;
  readonly permitted: number;
  readonly invited: number;
  readonly withoutRole: number;
  readonly roleRequested: number;
  readonly unapproved: number;
  readonly awayNow: number;
  readonly backThisWeek: number;
};

export async function readPeopleCounts(queries: Queries, at: At): Promise<PeopleCounts> {
  const { rows } = await queries.execute<PeopleCounts>(sql`
    select count(*) filter (where p.disabled_at is null)::int as active, count(p.disabled_at) filter (where ${isKept})::int as disabled,
      count(*) filter (where p.disabled_at is null and ${hasTopFive})::int as permitted,
      count(*) filter (where ${accountState(at.now)} = 'invited')::int as invited,
      count(*) filter (where p.disabled_at is null and p.role is null)::int as "withoutRole",
      count(*) filter (where ${isAskedFor(at)})::int as "roleRequested",
      (select count(*)::int from ${unapproved} u) as unapproved,
      count(*) filter (where ${awayNowSql(at)})::int as "awayNow",
      count(*) filter (where p.disabled_at is null and p.id in ${backThisWeekSql(at)})::int as "backThisWeek"
    from ${directoryTables}`);
  return rows[0]!;
}

/** People to choose from, if `find` is given, enabled ones and approvers first; and these ids. */
export async function readIdsToChoose(
  queries: Queries,
  { find, disabled = false, ids = [] }: PeopleToChoose,
  { limit, firstId }: { readonly limit: number; readonly firstId: string | null },
): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    with found as materialized (
      select p.id, row_number() over (
        order by p.disabled_at is not null, (p.id is distinct from ${firstId}::bigint and not ${approves}), ${nameKey}, p.id) as place
      from people p where ${find !== undefined} and (p.disabled_at is null or ${disabled})
        and ${contains(searchParts(find ?? ''), "p.first_name || ' ' || p.last_name || ' ' || p.email")}
      order by place limit ${limit})
    select id::text from (
      select id, place from found
      union all
      select p.id, null from people p where p.id = any(${idList(ids)}) and p.id not in (select id from found)) chosen
    order by place nulls last, id`);
  return rows.map(({ id }) => id);
}

export async function readDirectoryRows(
  queries: Queries,
  ids: readonly string[],
  moment: Moment,
): Promise<DirectoryRow[]> {
  const { rows } = await queries.execute<DirectoryRow>(sql`
    select ${directoryColumns(moment)} from ${directoryTables} where p.id = any(${idList(ids)}) order by p.id`);
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

/** Those of these people who can't sign in and have no open link to set a password. */
export async function readUninvited(
  queries: Queries,
  emails: readonly string[],
  now: string,
): Promise<(Named & Pick<AccountRow, 'id' | 'role'>)[]> {
  const { rows } = await queries.execute<Named & Pick<AccountRow, 'id' | 'role'>>(sql`
    select p.id::text as id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role
    from people p
    where lower(p.email) = any(array(select lower(unnest(${textList(emails)})))) and p.disabled_at is null
      and not ${sql.raw(canSignInSql('p'))}
      and not exists (select from account_links l where l.person_id = p.id and l.expires_at > ${now}::timestamptz)
    order by p.id`);
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

export type NamedRole = {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly permissions: string[];
};

export async function readAssignableRoles(queries: Queries): Promise<NamedRole[]> {
  const { rows } = await queries.execute<NamedRole>(
    sql`select id::text as id, name, version, permissions from roles order by lower(name)`,
  );
  return rows;
}

/** Null: there is no such role. */
export async function readRoleMark(queries: Queries, name: string): Promise<string | null> {
  const { rows } = await queries.execute<Pick<NamedRole, 'id' | 'version'>>(
    sql`select id::text as id, version from roles where name = ${name}`,
  );
  return rows[0] ? roleMark(rows[0]) : null;
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

/** Also past and withdrawn ones. */
export async function hasTasks(queries: Queries, id: string): Promise<boolean> {
  const { rows } = await queries.execute<{ has: boolean }>(sql`
    select exists (select from tasks t where t.owner_id = ${id}::bigint) as has`);
  return rows[0]!.has;
}
