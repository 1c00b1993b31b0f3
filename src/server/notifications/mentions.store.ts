// People to mention: found by name, or by the ids in a note.
import { sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { withoutAccents } from '#core/base/search-words.ts';
import { withoutAccentsSql } from '#server/platform/db/columns.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type PersonRow = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: string | null;
  team: string | null;
  stored: string[];
};

const columns = sql.raw(`p.id::text, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, p.team,
  coalesce(r.permissions, '{}') || p.grants as stored`);
const tables = sql.raw('people p left join roles r on r.name = p.role');

export async function peopleById(queries: Queries, ids: readonly string[]): Promise<PersonRow[]> {
  const { rows } = await queries.execute<PersonRow>(
    sql`select ${columns} from ${tables} where p.id = any(${sql.param([...ids])}::bigint[]) and p.disabled_at is null order by p.id`,
  );
  return rows;
}

/** Whose notification of this key is about this note too. */
export async function toldBy(queries: Queries, key: string, noteId: string): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(
    sql`select person_id::text as id from notices where key = ${key} and (facts->'noteIds') ? ${noteId}::text`,
  );
  return rows.map(({ id }) => id);
}

export type NameSearch = {
  readonly name: string;
  /** Who is listed first: the task's owner and those who decide it. */
  readonly first: readonly string[];
  /** Who looks. Null: they can be found too. */
  readonly not: string | null;
  readonly limit: number;
};

const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Only people the search by name could find: an id must not reveal more than a name. */
export async function listedPeopleById(
  queries: Queries,
  ids: readonly string[],
  { first, not }: Pick<NameSearch, 'first' | 'not'>,
): Promise<PersonRow[]> {
  const { rows } = await queries.execute<PersonRow>(sql`
    select ${columns} from ${tables}
    where p.id = any(${sql.param([...ids])}::bigint[]) and ${listed({ first, not })} order by p.id`);
  return rows;
}

const isNear = (first: readonly string[]) => sql`p.id = any(${sql.param([...first])}::bigint[])`;

/** Who can be chosen: people with a name, because otherwise their email would be shown. */
const listed = ({
  first,
  not,
}: Pick<NameSearch, 'first' | 'not'>) => sql`p.disabled_at is null and p.id is distinct from ${not}::bigint
  and (not p.top5_invisible or ${isNear(first)}) and p.first_name || p.last_name <> ''`;

/** People whose first, last or full name starts like this; unlisted ones only if they belong to the task. */
export async function peopleByName(queries: Queries, { name, first, not, limit }: NameSearch): Promise<PersonRow[]> {
  const begins = `${literal(withoutAccents(name))}%`;
  const [firstName, lastName] = ['p.first_name', 'p.last_name'].map((column) => sql.raw(withoutAccentsSql(column)));
  const near = isNear(first);
  const { rows } = await queries.execute<PersonRow>(sql`
    select ${columns} from ${tables}
    where ${listed({ first, not })}
      and (${firstName} like ${begins} or ${lastName} like ${begins} or ${firstName} || ' ' || ${lastName} like ${begins})
    order by ${near} desc, p.role is not distinct from ${adminRole} desc, p.first_name, p.last_name, p.id limit ${limit}`);
  return rows;
}
