// For whoever gives a role to a person: the role stays as it is until that is done.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

/**
 * Keeps the role from being renamed or deleted until the transaction ends. False when there is none of this name.
 * Lock the person first: a rename locks the people of the role before the role, too.
 */
export async function holdRole(queries: Queries, name: string): Promise<boolean> {
  const { rows } = await queries.execute(sql`select 1 from roles where name = ${name} for key share`);
  return rows.length > 0;
}
