// Imports a dataset's rows in batches. Every batch is one transaction, and every row is recognized by its
// source and id, so an interrupted import can be run again with the same result.
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { SkippedLine } from '#server/platform/imports/csv-rows.ts';
import type { FaultReport } from '#server/platform/imports/fault-report.ts';
import { type Fault, ImportError } from '#server/platform/imports/import-error.ts';
import { KeyTable } from '#server/platform/imports/key-table.ts';
import type { Row } from '#server/platform/imports/mapping-rules.ts';
import { openRows, type RowSource } from '#server/platform/imports/row-source.ts';
import type { SourceRow } from '#server/platform/imports/source-row.ts';
import { applyBatch, type BatchApplied, hasLaterChanges, ZoneChanged } from '../batch.service.ts';
import type { NumberRow } from '../number-row.ts';
import { type LeftOut, NumberRowReader, sameId } from './number-row-reader.ts';
import { type NumbersMapping, neededColumns } from './numbers-mapping.ts';
import { analyzeTables } from './table-statistics.store.ts';

export type NumbersImport = {
  readonly database: Database;
  readonly dataset: DatasetKey;
  readonly rows: AsyncIterable<SourceRow>;
  /** Lines above the header. */
  readonly above?: readonly SkippedLine[];
  readonly mapping: NumbersMapping;
  readonly report: FaultReport;
  /** The company's time zone. */
  readonly zone: string;
  /** Reads and compares everything without writing. */
  readonly isDryRun: boolean;
  /** The rows' run, to be undone. */
  readonly runId?: string;
  /** Called after every row, always with the same counts object, which can be read anytime. */
  readonly onProgress?: (counts: NumbersImported) => void;
  /** Ends the import before the next row; earlier rows stay. */
  readonly signal?: AbortSignal;
};

/** `rows` were read; those of the first three counts are in the database. */
export type NumbersImported = BatchApplied & {
  readonly rows: number;
  readonly refused: number;
  /** On purpose, by a rule of the mapping, or as totals at the end. */
  readonly leftOut: number;
};

/** A signal's reason when the import was stopped without an error. */
export class ImportStopped extends ImportError {}

/** Large enough to be fast, small enough for memory and one statement. */
const batchLimits = { rows: 2_500, characters: 4_000_000 };

/** Opens the file with the mapping's format, and refuses a file the mapping isn't for. */
export async function openNumbersFile(
  file: string,
  mapping: NumbersMapping,
  name = file,
  open: typeof openRows = openRows,
): Promise<RowSource> {
  const { encoding, delimiter, quote } = mapping;
  const wanted = neededColumns(mapping);
  const source = await open(file, { encoding, delimiter, quote, jsonNumbers: 'texts', name, wanted });
  if (source.columns === null) return { ...source, rows: likeFirstRow(name, source.rows, mapping) };
  try {
    mustHaveColumns(name, source.columns, mapping);
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Rows that name their columns may leave some out; a first row without any is from another file. */
async function* likeFirstRow(
  name: string,
  rows: AsyncIterable<SourceRow>,
  mapping: NumbersMapping,
): AsyncGenerator<SourceRow> {
  let isFirst = true;
  for await (const next of rows) {
    if (isFirst && next.row !== null) mustHaveSome(name, next.row, mapping);
    isFirst = false;
    yield next;
  }
}

function mustHaveSome(name: string, row: Row, mapping: NumbersMapping): void {
  const needed = neededColumns(mapping);
  const isThere = (column: string) => Object.hasOwn(row, column) || Object.hasOwn(row, column.split('.', 1)[0]!);
  if (needed.length > 0 && !needed.some(isThere))
    throw new ImportError(
      `${name} doesn’t match the mapping: its first row has none of ${named(needed)}. It has ${named(Object.keys(row))}`,
    );
}

const namesShown = 12;

function mustHaveColumns(file: string, columns: readonly string[], mapping: NumbersMapping): void {
  const needed = neededColumns(mapping);
  const missing = needed.filter((column) => !columns.includes(column));
  if (missing.length > 0)
    throw new ImportError(
      `${file} doesn’t match the mapping: it has no column ${named(missing)}. Its header is ${named(columns)}`,
    );
  const twice = needed.filter((column) => columns.indexOf(column) !== columns.lastIndexOf(column));
  if (twice.length > 0) throw new ImportError(`${file} has the column ${named(twice)} twice. Remove or rename one`);
}

function named(columns: readonly string[]): string {
  const shown = columns.slice(0, namesShown).map((column) => JSON.stringify(column.slice(0, 60)));
  return columns.length > namesShown ? `${shown.join(', ')} and ${columns.length - namesShown} more` : shown.join(', ');
}

export async function importNumbers(job: NumbersImport): Promise<NumbersImported> {
  const run = new Run(job);
  for (const { line, text } of job.above ?? []) job.report.skip(line, 'is above the header', text);
  try {
    for await (const row of job.rows) {
      job.signal?.throwIfAborted();
      await run.take(row);
    }
  } catch (error) {
    // A truncated file or a stop: earlier rows stay.
    if (error instanceof ImportError) await run.finish();
    throw error instanceof ZoneChanged ? new ImportError(error.message) : error;
  }
  return run.finish();
}

class DryRun extends Error {}

class Run {
  readonly #job: NumbersImport;
  readonly #reader: NumberRowReader;
  readonly #lineOfId = new KeyTable();
  readonly #counts = { rows: 0, inserted: 0, updated: 0, unchanged: 0, refused: 0, leftOut: 0 };
  /** The number of new rows after which the tables are analyzed again. */
  #analyzeAt = batchLimits.rows;
  #batch: NumberRow[] = [];
  #characters = 0;
  /** The previous batch is written while the next one is read. */
  #applying: Promise<void> = Promise.resolve();

  constructor(job: NumbersImport) {
    this.#job = job;
    this.#reader = new NumberRowReader(job.dataset, job.mapping, job.zone);
  }

  async take({ line, text, row, fault, aside }: SourceRow): Promise<void> {
    this.#counts.rows += 1;
    if (aside !== undefined) {
      this.#counts.leftOut += 1;
      return this.#job.report.skip(line, aside, text);
    }
    const read = row ? this.#read(row, line) : [{ column: '', reason: fault ?? 'cannot be read' }];
    if ('leftOut' in read) {
      this.#counts.leftOut += 1;
      this.#job.report.leaveOut(line, read.leftOut, row!);
    } else if ('externalId' in read) {
      this.#batch.push(read);
      for (const warning of this.#reader.warnings) this.#job.report.warn(line, warning, row!);
      this.#characters += text.length;
      if (this.#batch.length >= batchLimits.rows || this.#characters >= batchLimits.characters) await this.#send();
    } else {
      this.#counts.refused += 1;
      await this.#job.report.add(line, text, read, row, row ? this.#reader.numbers : []);
    }
    this.#job.onProgress?.(this.#counts);
  }

  #read(row: Row, line: number): NumberRow | readonly Fault[] | LeftOut {
    const read = this.#reader.read(row);
    if (!('externalId' in read)) return read;
    // Two rows with the same id would replace each other at every import, so no run would ever be unchanged.
    const earlier = this.#lineOfId.keepFirst(read.externalId, line);
    if (earlier === 0) return read;
    return [sameId(read.externalId, earlier)];
  }

  async #send(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    await this.#applying;
    this.#applying = batch.length === 0 ? Promise.resolve() : this.#apply(batch);
    // It is awaited with the next batch; until then a failure is unhandled.
    this.#applying.catch(() => {});
  }

  async #apply(batch: readonly NumberRow[]): Promise<void> {
    const { database, dataset, mapping, zone, isDryRun, runId, signal } = this.#job;
    let applied: BatchApplied | undefined;
    const work = database.transaction(async (queries) => {
      const run = { ...(runId && { runId }), ...(signal && { signal }) };
      applied = await applyBatch(queries, dataset, batch, { zone, source: mapping.source, ...run });
      if (isDryRun) throw new DryRun();
      // This one paused so long that it seemed to have ended.
      if (runId && (await hasLaterChanges(queries, runId)))
        throw new ImportError('A later import of the same source has begun. Import the file again');
    });
    await work.catch((error) => {
      if (!(error instanceof DryRun)) throw error;
    });
    // Counted after the commit.
    for (const key of Object.keys(applied!) as (keyof BatchApplied)[]) this.#counts[key] += applied![key];
    if (isDryRun || this.#counts.inserted < this.#analyzeAt) return;
    this.#analyzeAt = this.#counts.inserted * 2;
    await analyzeTables(database.drizzle, dataset);
  }

  async finish(): Promise<NumbersImported> {
    await this.#send();
    await this.#applying;
    return this.#counts;
  }
}
