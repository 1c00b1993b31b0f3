// The tables whose statistics grow outdated in an import: until then the planner treats new tables as empty,
// and the first large import uses the wrong index in every batch.
import { type SQL, sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { name, rollUpTableOf, rowsTableOf } from '../dataset-columns.ts';

/** Tables updated in addition to the roll-ups. */
const besides: Partial<Record<DatasetKey, readonly SQL[]>> = {
  orders: [name('order_headers'), name('order_headers_daily')],
  donations: [name('first_gifts')],
};

/** All tables that an import of the dataset writes. */
export function writtenTables(dataset: DatasetKey): SQL[] {
  const rollUps = datasetOf(dataset).rollUps.map((rollUp) => rollUpTableOf(dataset, rollUp));
  return [rowsTableOf(dataset), ...rollUps, ...(besides[dataset] ?? [])];
}

/** From this share of new rows on, PostgreSQL's own check too calls a table's statistics outdated. */
const outdatedShare = 0.1;

/** Whether so many new rows outdate the statistics. With millions of rows, updating them takes over a second. */
export async function areOutdated(queries: Queries, dataset: DatasetKey, newRows: number): Promise<boolean> {
  const { rows } = await queries.execute<{ known: number }>(
    sql`select reltuples::float8 as known from pg_class where oid = ${dataset}::regclass`,
  );
  return newRows > rows[0]!.known * outdatedShare;
}
