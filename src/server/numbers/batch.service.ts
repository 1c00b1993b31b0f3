// Imports any number of rows for other areas, in batches of an efficient size.
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { applyBatch, type BatchSource, beginRemoval, dropEmpty } from './batch.store.ts';
import type { HashText, Reference } from './erased-person.ts';
import { eraseKeptStep, eraseStep } from './erasure.store.ts';
import { forgetRuns, readRunsOfSource } from './import-log.store.ts';
import type { NumberRow } from './number-row.ts';
import { deleteOldStep, removeStep } from './source-removal.store.ts';
import { undoStep } from './undo.store.ts';

export { applyBatch, type BatchApplied, lockDataset, zoneWarning } from './batch.store.ts';
export { countPerson, type RowsOfPerson } from './erasure.store.ts';
export {
  forgetRuns,
  hasLaterChanges,
  laterRun,
  mainAmount,
  previewUndo,
  readRunsBefore,
  silentSince,
  type UndoPreview,
  wholeOrderMark,
} from './import-log.store.ts';
export {
  compareReplaced,
  countEqual,
  countInSources,
  countSameContent,
  type DayOfRows,
  type RowOnDay,
  type RunOfRows,
  readDaysBetween,
  readRowsOnDays,
  readRunsOfRows,
  runsWithRows,
  storedCurrencies,
  storedIds,
} from './same-rows.store.ts';
export { countOld, countSource, hasRows, type OldRows, readSources, type SourceRows } from './source-removal.store.ts';

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
  await beginRemoval(queries, dataset, zone, signal);
  const counts = { removed: 0, restored: 0 };
  for (let after: string | null = '0'; after !== null; ) {
    await beforeStep(counts);
    const { removed, restored, lastId } = await undoStep(queries, dataset, { runId, zone, after });
    counts.removed += removed;
    counts.restored += restored;
    after = lastId;
  }
  await dropEmpty(queries, dataset);
  await forgetRuns(queries, [runId]);
  return counts;
}

/** The rows to remove, and what is needed to count their days. */
export type SourceOfRows = { readonly dataset: DatasetKey; readonly source: string; readonly zone: string };

/**
 * Removes all rows of the source, in the caller's transaction. Its imports can't be undone after that.
 * `beforeStep` runs before every few thousand rows with the count so far; it throws to stop.
 */
export async function removeRowsOfSource(
  queries: Queries,
  { dataset, source, zone }: SourceOfRows,
  beforeStep: (removed: number) => void,
  signal?: AbortSignal,
): Promise<number> {
  await beginRemoval(queries, dataset, zone, signal);
  let count = 0;
  await forgetRuns(queries, await readRunsOfSource(queries, dataset, source), () => beforeStep(count));
  for (let after: string | null = ''; after !== null; ) {
    beforeStep(count);
    const { removed, last }: { removed: number; last: string | null } = await removeStep(
      queries,
      dataset,
      source,
      after,
    );
    count += removed;
    after = last;
  }
  await dropEmpty(queries, dataset);
  return count;
}

export type ErasedCounts = {
  readonly rows: number;
  /** Earlier states of rows that an undo would restore. */
  readonly kept: number;
  /** Hashes by which later imports recognize the rows. */
  readonly marks: readonly string[];
};

/**
 * Erases a customer or donor from rows and undo data, in the caller's transaction. Amounts
 * stay. `beforeStep` runs before every few thousand rows with the count so far; it throws to stop.
 */
export async function erasePerson(
  queries: Queries,
  { zone, ...person }: Reference & { readonly zone: string },
  hash: HashText,
  beforeStep: (erased: number) => void,
  signal?: AbortSignal,
): Promise<ErasedCounts> {
  await beginRemoval(queries, person.dataset, zone, signal);
  const counts = { rows: 0, kept: 0 };
  const marks = new Set<string>();
  const orders = new Set<string>();
  beforeStep(0);
  for (
    let step = await eraseStep(queries, person, hash);
    step !== null;
    step = await eraseStep(queries, person, hash)
  ) {
    counts.rows += step.rows;
    for (const mark of step.marks) marks.add(hash(mark));
    for (const order of step.orders) orders.add(order);
    beforeStep(counts.rows);
  }
  await dropEmpty(queries, person.dataset);
  for (let place = { run: '0', id: '0' } as Parameters<typeof eraseKeptStep>[4] | null; place !== null; ) {
    const { erased, next } = await eraseKeptStep(queries, person, [...orders], hash, place);
    counts.kept += erased;
    place = next;
    beforeStep(counts.rows);
  }
  return { ...counts, marks: [...marks] };
}

/** Deletes a few thousand rows from before a day in the caller's transaction; 0 if there are none left. */
export async function deleteOldRows(
  queries: Queries,
  { dataset, before, zone }: { readonly dataset: DatasetKey; readonly before: string; readonly zone: string },
  signal?: AbortSignal,
): Promise<number> {
  await beginRemoval(queries, dataset, zone, signal);
  return deleteOldStep(queries, dataset, before);
}
