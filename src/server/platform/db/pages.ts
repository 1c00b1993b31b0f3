// A list that is read a page at a time, from the row that the page before ended with.
import { type SQL, sql } from 'drizzle-orm';

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
