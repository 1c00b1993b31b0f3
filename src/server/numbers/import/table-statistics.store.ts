// Keeps the planner's statistics of growing tables up to date. PostgreSQL checks once a minute; until then it
// treats new tables as empty, and the first large import uses the wrong index in every batch.
import { type SQL, sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { list, name, rollUpTableOf, rowsTableOf } from '../dataset-columns.ts';

/** Tables updated in addition to the roll-ups. */
const besides: Partial<Record<DatasetKey, readonly SQL[]>> = {
  orders: [name('order_headers'), name('order_headers_daily')],
  donations: [name('first_gifts')],
};

export async function analyzeTables(queries: Queries, dataset: DatasetKey): Promise<void> {
  const rollUps = datasetOf(dataset).rollUps.map((rollUp) => rollUpTableOf(dataset, rollUp));
  await queries.execute(sql`analyze ${list([rowsTableOf(dataset), ...rollUps, ...(besides[dataset] ?? [])])}`);
}
