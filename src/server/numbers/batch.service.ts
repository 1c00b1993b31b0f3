// Imports any number of rows for other areas, in batches of an efficient size.
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { applyBatch, type BatchSource, beginBatch, dropEmpty } from './batch.store.ts';
import { forgetRun } from './import-log.store.ts';
import type { NumberRow } from './number-row.ts';
import { undoStep } from './undo.store.ts';

export { applyBatch, type BatchApplied, ZoneChanged } from './batch.store.ts';
export { hasLaterChanges, laterRun, mainAmount, previewUndo, type UndoPreview } from './import-log.store.ts';

const batchRows = 8_000;

/** All or nothing, in the caller's transaction. */
export async function applyRows(
  queries: Queries,
  dataset: DatasetKey,
  rows: readonly NumberRow[],
  source: BatchSource,
): Promise<void> {
  for (let start = 0; start < rows.length; start += batchRows)
    await applyBatch(queries, dataset, rows.slice(start, start + batchRows), source);
}

export type UndoCounts = { readonly removed: number; readonly restored: number };

/**
 * Undoes everything the import run changed, in the caller's transaction. `beforeStep` runs before every few
 * thousand rows with the counts so far, first with the dataset locked and nothing undone; it throws to stop.
 */
export async function undoRun(
  queries: Queries,
  dataset: DatasetKey,
  runId: string,
  zone: string,
  beforeStep: (counts: UndoCounts) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<UndoCounts> {
  await beginBatch(queries, dataset, zone, signal);
  const counts = { removed: 0, restored: 0 };
  for (let after: string | null = '0'; after !== null; ) {
    await beforeStep(counts);
    const { removed, restored, lastId } = await undoStep(queries, dataset, { runId, zone, after });
    counts.removed += removed;
    counts.restored += restored;
    after = lastId;
  }
  await dropEmpty(queries, dataset);
  await forgetRun(queries, runId);
  return counts;
}
