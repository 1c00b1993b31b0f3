// The tables whose statistics grow outdated in an import: until then the planner treats new tables as empty,
// and the first large import uses the wrong index in every batch.
import type { SQL } from 'drizzle-orm';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
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
