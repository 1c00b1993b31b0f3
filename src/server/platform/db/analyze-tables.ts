import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from './database.ts';
import type { Log } from './log.ts';

/**
 * Updates the planner's statistics after a large import, because PostgreSQL checks only once a minute. They
 * only help: a table that a vacuum has locked, or that takes too long, keeps its old ones.
 */
export async function analyzeTables(queries: Queries, tables: readonly SQL[], log?: Pick<Log, 'warn'>): Promise<void> {
  // One by one: the time limit is per statement.
  for (const table of tables) {
    await queries
      .execute(sql`analyze (skip_locked) ${table}`)
      .catch((error) => log?.warn({ err: error }, 'the statistics of a table could not be updated'));
  }
}
