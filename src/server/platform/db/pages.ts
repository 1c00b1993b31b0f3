// A list that is read a page at a time, from the row that the page before ended with.
import { type SQL, sql } from 'drizzle-orm';
import { withoutAccentsSql } from './columns.ts';

/** A page of rows that were read with one more than `limit`, and what the next page begins after. */
export function pageOf<Row extends { readonly id: string }>(
  found: readonly Row[],
  limit: number,
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

const placeOf = (alias: 'p' | 'a') => sql.raw(`lower(${alias}.last_name), lower(${alias}.first_name), ${alias}.id`);

/** The order of the person `p`. */
export const byPersonName: SQL = placeOf('p');

/** Whether the person `p` comes after the one that a page ended with; without one, all do. */
export const isAfterPerson = (id: string | undefined): SQL =>
  id === undefined
    ? sql`true`
    : sql`(${byPersonName}) > (select ${placeOf('a')} from people a where a.id = ${id}::bigint)`;

/** What `displayName` of the core shows of a row of people. Raw SQL. */
export const shownName = (alias: string): string =>
  `coalesce(nullif(btrim(${alias}.first_name || ' ' || ${alias}.last_name), ''), split_part(${alias}.email, '@', 1))`;

/** The same in the order of last names. Raw SQL. */
export const nameByLast = (alias: string): string =>
  `coalesce(nullif(btrim(${alias}.last_name || ' ' || ${alias}.first_name), ''), split_part(${alias}.email, '@', 1))`;

/** An order in which accents and capitals don't matter. */
export const folded = (text: string): SQL => sql.raw(withoutAccentsSql(text));

/** The people `p` by the key, and then by name. People without the key come last, in both directions. */
export const byKey = (key: SQL | null, desc = false): SQL =>
  key === null ? byPersonName : sql`(${key}) is null, ${key} ${desc ? sql`desc` : sql``}, ${byPersonName}`;
