// Takes any number of rows in, for other areas: in batches that the store is quick with.
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { applyBatch, type BatchSource } from './batch.store.ts';
import type { NumberRow } from './number-row.ts';

export { applyBatch, type BatchApplied, ZoneChanged } from './batch.store.ts';

const batchRows = 8_000;

/** All or nothing, within the caller's transaction. */
export async function applyRows(
  queries: Queries,
  dataset: DatasetKey,
  rows: readonly NumberRow[],
  source: BatchSource,
): Promise<void> {
  for (let start = 0; start < rows.length; start += batchRows)
    await applyBatch(queries, dataset, rows.slice(start, start + batchRows), source);
}
