import { type SQL, sql } from 'drizzle-orm';

/** The core's own names, such as statuses, as a list in SQL: a partial index needs them as literals. */
export const literals = (names: readonly string[]): SQL => sql.raw(names.map((name) => `'${name}'`).join(', '));
