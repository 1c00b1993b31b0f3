// SQL of searching the audit log: newest first, from a position on.
import { type SQL, sql } from 'drizzle-orm';
import { auditPeopleFields, auditPeopleSettings, auditSearchedEntries } from '#core/admin/audit-log.ts';
import { searchParts } from '#core/base/search-words.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type AuditLogRow = {
  readonly id: string;
  readonly at: string;
  readonly actorId: string | null;
  readonly actor: Named | null;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** The subject's current name, or the last one that the entry records. */
  readonly subjectName: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly requestId: string | null;
  readonly address: string | null;
  readonly erased: boolean;
  /** The position in the chain; null if not sealed yet. */
  readonly position: string | null;
  readonly hash: string | null;
};
/** `next`: where the next page begins, null after the last one. */
export type AuditRows = { readonly rows: AuditLogRow[]; readonly next: string | null };
type Named = { readonly firstName: string; readonly lastName: string; readonly email: string };

export type AuditSearch = {
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly from?: string | undefined;
  /** The first instant after the range. */
  readonly until?: string | undefined;
  readonly search?: string | undefined;
};

/** All but the text, which no index finds. */
function conditionsOf({ actorId, action, subjectType, subjectId, from, until }: AuditSearch): SQL[] {
  const conditions: SQL[] = [];
  if (actorId !== undefined) conditions.push(sql`a.actor_id = ${actorId}::bigint`);
  if (action !== undefined) conditions.push(sql`a.action = ${action}`);
  if (subjectType !== undefined) conditions.push(sql`a.subject_type = ${subjectType}`);
  if (subjectId !== undefined) conditions.push(sql`a.subject_id = ${subjectId}`);
  if (from !== undefined) conditions.push(sql`a.at >= ${from}::timestamptz`);
  if (until !== undefined) conditions.push(sql`a.at < ${until}::timestamptz`);
  return conditions;
}

const isId = sql.raw(`a.subject_id ~ '^[1-9][0-9]{0,17}$'`);
const taskTitle = sql`case when a.subject_type = 'task' and ${isId} then (select t.title from tasks t where t.id = a.subject_id::bigint) end`;

const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The ids of the people whose name or address has the text. */
async function findPeople(queries: Queries, text: string): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    select id::text from people where ${contains(searchParts(text), "first_name || ' ' || last_name || ' ' || email")}`);
  return rows.map(({ id }) => id);
}

const valuesOf = (fields: readonly string[]): string =>
  `$.keyvalue() ? (${fields.map((field) => `@.key == "${field}"`).join(' || ')}).value[*]`;
/** Each of these people is looked for in each entry. A text that more of them share means nobody. */
const mostNamed = 50;

/** Whether the values before or after hold the id of one of these people. */
function namesOneOf(personIds: readonly string[]): SQL {
  if (personIds.length === 0 || personIds.length > mostNamed) return sql`false`;
  const path = sql`case when a.subject_type = 'setting' and a.subject_id = any(${sql.param([...auditPeopleSettings])}::text[])
    then ${valuesOf(['value'])}::jsonpath else ${valuesOf(auditPeopleFields)}::jsonpath end`;
  const holds = (values: SQL) =>
    sql`jsonb_path_query_array(${values}, ${path}, '{}', true) ?| ${sql.param([...personIds])}::text[]`;
  return sql`(${holds(sql`a.before`)} or ${holds(sql`a.after`)})`;
}

/** Few people, cards and roles are looked up once per search, a task's title once per entry. */
function hasText(text: string, personIds: readonly string[]): SQL {
  const like = patternOf(text);
  const isFound = (id: SQL) => sql`${id} = any(${sql.param([...personIds])}::text[])`;
  return sql`(concat_ws(' ', a.action, a.subject_id, a.request_id, a.address, a.before::text, a.after::text) ilike ${like}
    or ${isFound(sql`a.actor_id::text`)}
    or a.subject_type = 'person' and ${isFound(sql`a.subject_id`)}
    or ${namesOneOf(personIds)}
    or (a.subject_type, a.subject_id) in (select 'toolCard', c.id::text from tool_cards c where c.title ilike ${like}
      union all select 'role', r.id::text from roles r where r.name ilike ${like})
    or ${taskTitle} ilike ${like})`;
}

/** Bytes of changed values per page; a page with longer ones ends earlier. */
const pageBytes = 2_000_000;

type Floor = { readonly next: string; readonly at: string };

/** Where a search for a text ends on this page: after `entries` that meet the other conditions. */
async function floorOf(queries: Queries, conditions: readonly SQL[], entries: number): Promise<Floor | null> {
  const where = conditions.length > 0 ? sql`where ${sql.join([...conditions], sql` and `)}` : sql``;
  const { rows } = await queries.execute<Floor>(sql`
    select (a.id + 1)::text as next, a.at from audit_log a ${where} order by a.id desc offset ${entries} limit 1`);
  return rows[0] ?? null;
}

type Reading = { readonly after: string | null; readonly limit: number; readonly searched?: number };

/** A page of at most `limit` rows. A search for a text goes through `searched` entries. */
export async function readAuditRows(
  queries: Queries,
  search: AuditSearch,
  { after, limit, searched = auditSearchedEntries }: Reading,
): Promise<AuditRows> {
  const conditions = conditionsOf(search);
  if (after !== null) conditions.push(sql`a.id < ${after}::bigint`);
  const floor = search.search ? await floorOf(queries, conditions, searched) : null;
  // The time lets the index of times find the part too. Entries of one moment aren't in the order of their ids.
  if (floor)
    conditions.push(sql`a.id >= ${floor.next}::bigint and a.at >= ${floor.at}::timestamptz - interval '1 hour'`);
  if (search.search) conditions.push(hasText(search.search, await findPeople(queries, search.search)));
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const { rows: found } = await queries.execute<AuditLogRow & { found: number }>(sql`
    select a.found, a.id::text, a.at, a.actor_id::text as "actorId",
      case when p.id is not null
        then json_build_object('firstName', p.first_name, 'lastName', p.last_name, 'email', p.email) end as actor,
      a.action, a.subject_type as "subjectType", a.subject_id as "subjectId",
      coalesce(case when a.subject_type = 'person' and ${isId} then
          (select coalesce(nullif(trim(s.first_name || ' ' || s.last_name), ''), s.email) from people s where s.id = a.subject_id::bigint)
        when a.subject_type = 'task' then ${taskTitle}
        when a.subject_type = 'toolCard' and ${isId} then (select c.title from tool_cards c where c.id = a.subject_id::bigint)
        when a.subject_type = 'role' and ${isId} then (select r.name from roles r where r.id = a.subject_id::bigint)
        end, case when a.subject_type <> 'person' then
          coalesce(a.after->>'name', a.after->>'title', a.before->>'name', a.before->>'title') end) as "subjectName",
      a.before, a.after, a.request_id as "requestId", a.address, a.erased_in is not null as erased,
      c.position::text, encode(c.hash, 'hex') as hash
    from (
      select p.*, sum(p.bytes) over (order by p.id desc rows unbounded preceding) - p.bytes as bytes_before, count(*) over ()::int as found from (
        select a.*, coalesce(octet_length(a.before::text), 0) + coalesce(octet_length(a.after::text), 0) as bytes
        from audit_log a ${where} order by a.id desc limit ${limit + 1}) p
    ) a
    left join people p on p.id = a.actor_id
    left join audit_chain c on c.audit_id = a.id
    where a.bytes_before <= ${pageBytes} order by a.id desc limit ${limit}`);
  const rows = found.map(({ found: _, ...row }) => row);
  const isFull = (found[0]?.found ?? 0) > rows.length;
  return { rows, next: isFull ? (rows.at(-1)?.id ?? null) : (floor?.next ?? null) };
}

/** The people that changed values name by their ids. */
export async function readNamed(
  queries: Queries,
  ids: readonly string[],
): Promise<(Named & { readonly id: string })[]> {
  if (ids.length === 0) return [];
  const { rows } = await queries.execute<Named & { id: string }>(sql`
    select id::text, first_name as "firstName", last_name as "lastName", email from people
    where id = any(${sql.param([...ids])}::bigint[])`);
  return rows;
}

/** The existing kinds, each found with an index skip instead of a full scan. */
async function kindsOf(queries: Queries, column: 'action' | 'subject_type'): Promise<string[]> {
  const name = sql.raw(column);
  const { rows } = await queries.execute<{ kind: string }>(sql`
    with recursive kinds as (
      (select ${name} as kind from audit_log order by ${name} limit 1)
      union all
      select (select a.${name} from audit_log a where a.${name} > kinds.kind order by a.${name} limit 1)
      from kinds where kinds.kind is not null
    ) select kind from kinds where kind is not null`);
  return rows.map(({ kind }) => kind);
}

export async function readAuditKinds(
  queries: Queries,
): Promise<{ readonly actions: string[]; readonly subjectTypes: string[] }> {
  const [actions, subjectTypes] = await Promise.all([kindsOf(queries, 'action'), kindsOf(queries, 'subject_type')]);
  return { actions, subjectTypes };
}
