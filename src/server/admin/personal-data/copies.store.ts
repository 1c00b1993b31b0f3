// SQL of copies of a person's name and email in other texts: notifications, notes, JSON. Searches every text
// column of every table, including future ones.
import { type SQL, sql } from 'drizzle-orm';
import { mentionsKey } from '#core/notifications/notices.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type Copied = { readonly name: string | null; readonly email: string };

type Column = { readonly column: string; readonly type: 'text' | 'text[]' | 'jsonb' };

/** The account itself is renamed by id; the audit log is sealed and has its own erasure. */
const notLookedThrough = ['people', 'audit_log', 'audit_chain'];

/** Every table's text columns. */
async function tablesWithTexts(queries: Queries): Promise<Map<string, Column[]>> {
  const { rows } = await queries.execute<Column & { table: string }>(sql`
    select c.relname as table, a.attname as column, case a.atttypid
      when 'text[]'::regtype then 'text[]' when 'jsonb'::regtype then 'jsonb' else 'text' end as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'text[]'::regtype, 'jsonb'::regtype)
      and c.relname <> all(${sql.param(notLookedThrough)}::text[])
    order by 1, 2`);
  return Map.groupBy(rows, ({ table }) => table);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|\-/]/g, '\\$&');
/** A line break in JSON: its letter belongs to no word. */
const lineBreak = '(?<=\\\\[bfnrt])';
/** Whole words only, so Ann Lee isn't found in Ann Leeds. */
const patternOf = (text: string, inJson: boolean): string =>
  `(?:(?<!\\w)${inJson ? `|${lineBreak}` : ''})${escaped(text)}(?!\\w)`;
/** Whole addresses only: smith@co.com is in j.smith@co.com and in smith@co.com.au. */
const patternOfEmail = (email: string, inJson: boolean): string =>
  `(?:(?<!\\w)(?<!\\w[.+'-])${inJson ? `|${lineBreak}|(?<=\\\\[bfnrt][.+'-])` : ''})${escaped(email)}(?!\\w)(?![.-]\\w)`;

/** What a text column can hold, and the pattern that finds it as a whole. */
type Searched = { readonly text: string; readonly pattern: string };
type Replacement = Searched & { readonly by: string; readonly flags: 'g' | 'gi' };

function replacementsOf({ name, email }: Copied, replacement: Copied, inJson: boolean): Replacement[] {
  const written = (text: string) => (inJson ? JSON.stringify(text).slice(1, -1) : text);
  return [
    {
      ...{ text: written(email), pattern: patternOfEmail(written(email), inJson) },
      ...{ by: replacement.email, flags: 'gi' as const },
    },
    ...(name && replacement.name
      ? [
          {
            ...{ text: written(name), pattern: patternOf(written(name), inJson) },
            ...{ by: replacement.name, flags: 'g' as const },
          },
        ]
      : []),
  ];
}

/** Whether the column has one of the texts. */
function holds({ column, type }: Column, copied: Copied): SQL {
  const text = sql`${sql.identifier(column)}::text`;
  // Arrays and JSON have their own quotes.
  const matches = replacementsOf(copied, copied, type !== 'text').map(({ pattern, flags }) =>
    flags === 'gi' ? sql`${text} ~* ${pattern}` : sql`${text} ~ ${pattern}`,
  );
  return sql`(${sql.join(matches, sql` or `)})`;
}

/**
 * Whether a row may have one of the texts, without their ends as words. Ten times faster than the patterns,
 * which then look at few rows: `case` and `offset` keep PostgreSQL from asking them first.
 */
function mayHold(columns: readonly Column[], { name, email }: Copied): SQL {
  const texts = sql.join(
    columns.map(({ column }) => sql`${sql.identifier(column)}::text`),
    sql`, `,
  );
  const row = sql`concat_ws(E'\\n', ${texts})`;
  const written = (text: string) => [...new Set([text, JSON.stringify(text).slice(1, -1)])];
  const found = [
    ...written(email).map((text) => sql`strpos(lower(${row}), lower(${text})) > 0`),
    ...(name ? written(name).map((text) => sql`strpos(${row}, ${text}) > 0`) : []),
  ];
  return sql`(${sql.join(found, sql` or `)})`;
}

function replaced({ column, type }: Column, copied: Copied, replacement: Copied): SQL {
  const all = (text: SQL) =>
    replacementsOf(copied, replacement, type === 'jsonb').reduce(
      (inner, { pattern, by, flags }) => sql`regexp_replace(${inner}, ${pattern}, ${by}, ${flags})`,
      text,
    );
  const name = sql.identifier(column);
  if (type === 'jsonb') return sql`${all(sql`${name}::text`)}::jsonb`;
  if (type === 'text') return all(sql`${name}`);
  return sql`array(select ${all(sql`o.item`)} from unnest(${name}) with ordinality o (item, place) order by o.place)`;
}

/** Occurrences of the name or address, with the surrounding text. */
export async function readCopies(queries: Queries, copied: Copied): Promise<{ place: string; text: string }[]> {
  const found: { place: string; text: string }[] = [];
  for (const [table, columns] of await tablesWithTexts(queries)) {
    const looked = columns.map(
      (column) =>
        sql`(${`${table}.${column.column}`}, ${sql.identifier(column.column)}::text, ${holds(column, copied)})`,
    );
    const { rows } = await queries.execute<{ place: string; text: string }>(sql`
      select c.place, c.text from (select * from ${sql.identifier(table)} where ${mayHold(columns, copied)} offset 0) found,
        lateral (values ${sql.join(looked, sql`, `)}) c (place, text, holds) where c.holds`);
    found.push(...rows);
  }
  return found;
}

export async function replaceCopies(queries: Queries, copied: Copied, replacement: Copied): Promise<void> {
  for (const [table, columns] of await tablesWithTexts(queries)) {
    const sets = columns.map(
      (column) =>
        sql`${sql.identifier(column.column)} = case when ${holds(column, copied)} then ${replaced(column, copied, replacement)} else ${sql.identifier(column.column)} end`,
    );
    const any = sql.join(
      columns.map((column) => holds(column, copied)),
      sql` or `,
    );
    await queries.execute(sql`update ${sql.identifier(table)} set ${sql.join(sets, sql`, `)}
      where case when ${mayHold(columns, copied)} then ${any} else false end`);
  }
}

/** For the JSON of the audit log. */
export const searchedInJson = (copied: Copied): Searched[] =>
  replacementsOf(copied, copied, true).map(({ text, pattern }) => ({ text, pattern }));

/** Notifications to others about the person: their name, and the start of what they wrote. */
export async function scrubNotices(queries: Queries, id: string, name: string): Promise<void> {
  await queries.execute(sql`
    update notices n set facts = n.facts || jsonb_build_object('by', ${name}::text)
      || case when n.facts ? 'text' then jsonb_build_object('text', '…') else '{}' end
      || case when n.facts ? 'change' then jsonb_build_object('change', null) else '{}' end
    where (n.kind = 'mentioned' and n.key like ${mentionsKey('%', id)})
      or (n.kind = 'mentioned' and exists (select from task_notes t where 'note:' || t.id = n.key and t.author_id = ${id}::bigint))
      or (n.kind = 'noted' and exists (
        select from task_notes t where t.id = (n.facts -> 'noteIds' ->> -1)::bigint and t.author_id = ${id}::bigint))
      or (n.kind = 'assigned' and exists (select from tasks t where t.id = n.task_id and t.created_by = ${id}::bigint))
      or (n.kind = 'decided' and exists (
        select from task_history h where 'task:' || h.task_id || ':' || h.version = n.key and h.actor_id = ${id}::bigint))
      or (n.kind = 'answered' and exists (select from bonus_messages m where 'answered:' || m.id = n.key and m.author_id = ${id}::bigint))
      or (n.kind = 'asked' and n.facts ->> 'personId' = ${id})`);
  await queries.execute(sql`
    update notices n set facts = n.facts
      || case when n.facts ->> 'byId' = ${id} then jsonb_build_object('by', ${name}::text) else '{}' end
      || case when n.facts ->> 'personId' = ${id} then jsonb_build_object('person', ${name}::text) else '{}' end
      || case when n.facts ->> 'delegateId' = ${id} then jsonb_build_object('delegate', ${name}::text) else '{}' end
      || case when n.facts ? 'note' then jsonb_build_object('note', '') else '{}' end
      || case when n.kind = 'recap' then jsonb_build_object('text', '') else '{}' end
    where n.kind in ('roleAsked', 'roleAnswered', 'approvee', 'delegate', 'recap', 'absence', 'meeting')
      and ${id} in (n.facts ->> 'byId', n.facts ->> 'personId', n.facts ->> 'delegateId')`);
}

/** Names of roles, teams, categories and products: an account can be called like a part of one. */
export const companyTerms: readonly (readonly [table: string, column: string])[] = [
  ['roles', 'name'],
  ['people', 'team'],
  ['tasks', 'category'],
  ['group_roles', 'group_name'],
  ['tool_cards', 'group_name'],
  ['orders_by_title', 'title'],
];

/** Whether the name in a text may mean someone else, or something of the company. */
export async function isAmbiguousName(queries: Queries, id: string, name: string): Promise<boolean> {
  // The pattern after the faster search, as above.
  const terms = companyTerms.map(
    ([table, column]) => sql`exists (select from ${sql.identifier(table)}
      where case when strpos(${sql.identifier(column)}, ${name}) > 0 then ${sql.identifier(column)} ~ ${patternOf(name, false)} else false end)`,
  );
  const { rows } = await queries.execute<{ ambiguous: boolean }>(sql`
    select exists (select from people where id <> ${id}::bigint and first_name || ' ' || last_name = ${name})
      or ${sql.join(terms, sql` or `)} as ambiguous`);
  return rows[0]!.ambiguous;
}
