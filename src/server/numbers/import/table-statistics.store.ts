// Keeps what the planner knows of a dataset's tables near the truth while they grow. PostgreSQL itself looks once a minute;
// until then it takes a table that was empty for empty, and the first large import reads the wrong index for every batch.
import { type SQL, sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { list, name, rollUpTableOf, rowsTableOf } from '../dataset-columns.ts';

/** What is kept beside the roll-ups. */
const besides: Partial<Record<DatasetKey, readonly SQL[]>> = {
  orders: [name('order_headers'), name('order_headers_daily')],
  donations: [name('first_gifts')],
};

export async function analyzeTables(queries: Queries, dataset: DatasetKey): Promise<void> {
  const rollUps = datasetOf(dataset).rollUps.map((rollUp) => rollUpTableOf(dataset, rollUp));
  await queries.execute(sql`analyze ${list([rowsTableOf(dataset), ...rollUps, ...(besides[dataset] ?? [])])}`);
}
