// Imports a dataset's rows in batches. Every batch is one transaction, and every row is recognized by its
// source and id, so an interrupted import can be run again with the same result.
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { refuse } from '#core/base/refusals.ts';
import { type DatasetKey, fieldTitle } from '#core/numbers/datasets.ts';
import { personWord } from '#core/numbers/imports.ts';
import { analyzeTables } from '#server/platform/db/analyze-tables.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { Log } from '#server/platform/db/log.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import {
  isRepeatedId,
  type KeptIdentity,
  reasonColumn,
  repeatedId,
} from '#server/platform/imports/correctable-rows.ts';
import type { FaultReport } from '#server/platform/imports/fault-report.ts';
import { type Fault, ImportError } from '#server/platform/imports/import-error.ts';
import { KeyTable } from '#server/platform/imports/key-table.ts';
import type { EvaluatedRow, Row } from '#server/platform/imports/mapping-rules.ts';
import type { SkippedLine, SourceRow } from '#server/platform/imports/source-row.ts';
import { applyBatch, type BatchApplied, hasLaterChanges, lockDataset } from '../batch.service.ts';
import type { NumberRow } from '../number-row.ts';
import { erasedAmong, withoutPeople } from './erasures.store.ts';
import { FileDoubts } from './file-doubts.ts';
import type { FileTotals } from './file-totals.ts';
import { headerDoubts, LaterHeaders } from './header-doubts.ts';
import { hadFile } from './import-runs.store.ts';
import { MissingRows } from './missing-rows.ts';
import { type LeftOut, NumberRowReader } from './number-row-reader.ts';
import { hasNumberedId, type NumbersMapping } from './numbers-mapping.ts';
import { OrderShares } from './order-shares.ts';
import { copiesReason, ValueDoubts } from './preview-doubts.ts';
import { SameRows } from './same-rows.ts';
import { StoredRows } from './stored-rows.ts';
import { areOutdated, writtenTables } from './table-statistics.store.ts';

export type NumbersImport = {
  readonly database: Database;
  readonly dataset: DatasetKey;
  readonly rows: AsyncIterable<SourceRow>;
  /** Lines above the header. */
  readonly above?: readonly SkippedLine[];
  readonly mapping: NumbersMapping;
  readonly report: FaultReport;
  /** Adds up the rows that fit. */
  readonly totals?: FileTotals;
  /** The company's time zone. */
  readonly zone: string;
  /** To find out whether the same file was imported before, so its rows are expected to be there. */
  readonly fileHash?: Buffer | null;
  readonly isKnownFile?: boolean;
  /** Reads and compares everything without writing. */
  readonly isDryRun: boolean;
  /** What to add to import rows that would count twice, which is refused. Without it, they get a warning. */
  readonly twiceRemedy?: string | undefined;
  /** The rows' run, to be undone. */
  readonly runId?: string;
  /** Called after every row, always with the same counts object, which can be read anytime. */
  readonly onProgress?: (counts: NumbersImported) => void;
  /** Ends the import before the next row; earlier rows stay. */
  readonly signal?: AbortSignal;
  readonly log?: Pick<Log, 'warn'>;
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

/** After so many rows, the database's answers are read, or the previous batch would wait for the next. */
const rowsPerTurn = 50;

export async function importNumbers(job: NumbersImport): Promise<NumbersImported> {
  const { database, dataset, mapping, fileHash: hash } = job;
  const isKnown = hash ? await hadFile(database.drizzle, { dataset, source: mapping.source, hash }) : false;
  const run = new Run({ ...job, isKnownFile: job.isKnownFile ?? isKnown });
  for (const { line, text } of job.above ?? []) job.report.skip(line, 'is above the header', text);
  try {
    let read = 0;
    for await (const row of job.rows) {
      job.signal?.throwIfAborted();
      await run.take(row);
      read += 1;
      if (read % rowsPerTurn === 0) await setImmediate();
    }
  } catch (error) {
    // A truncated file or a stop: earlier rows stay.
    if (error instanceof ImportError) await run.finish({ isWhole: false });
    throw error;
  }
  return run.finish({ isWhole: true });
}

class DryRun extends Error {}

/** Fewer can be alike by chance: nobody would be there to import a nightly file again. */
const fewestTwice = 5;

type BatchRow = { readonly line: number; readonly text: string; readonly row: NumberRow };

type RefusedRow = {
  readonly line: number;
  readonly text: string;
  readonly faults: readonly Fault[];
  readonly row: Row | null;
  readonly identity: KeptIdentity;
  /** Null if it couldn't be split into columns. */
  readonly readable: NumberRow | null;
};

const numberedReason =
  'matches a row of an earlier import, so it counts as that row. If it’s a different row, put both in one file, because numbering restarts in each file';

/** The id that a refused row keeps; of one that has none, an id of its line and content. */
const refusedId = (line: number, text: string, readable: NumberRow | null): string =>
  readable?.externalId || `line-${line}-${hash('sha256', text).slice(0, 32)}`;

const erasedPerson = (dataset: DatasetKey): Fault => ({
  column: '',
  reason: `The ${personWord(dataset)} was erased: imported without reference and labels`,
});

class Run {
  readonly #job: NumbersImport;
  readonly #reader: NumberRowReader;
  readonly #doubts: FileDoubts;
  readonly #values: ValueDoubts;
  readonly #shares: OrderShares<BatchRow>;
  readonly #sameRows: SameRows;
  readonly #storedRows: StoredRows;
  readonly #missingRows: MissingRows;
  #ofHeader: ReturnType<typeof headerDoubts> = [];
  readonly #laterHeaders = new LaterHeaders();
  readonly #lineOfId = new KeyTable();
  /** Where ids are numbered, to count rows that equal an earlier one: other ids refuse those. */
  readonly #contents: KeyTable | null;
  #copies = 0;
  #firstCopy = 0;
  readonly #counts = { rows: 0, inserted: 0, updated: 0, unchanged: 0, refused: 0, leftOut: 0 };
  /** The number of new rows after which the statistics may be outdated again. */
  #analyzeAt = batchLimits.rows;
  #batch: BatchRow[] = [];
  /** Reported with the batch: those of people who were erased go without their content. */
  #refused: RefusedRow[] = [];
  #characters = 0;
  /** The previous batch is written while the next one is read. */
  #applying: Promise<void> = Promise.resolve();

  constructor(job: NumbersImport) {
    this.#job = job;
    this.#reader = new NumberRowReader(job.dataset, job.mapping, job.zone);
    this.#doubts = new FileDoubts(job.dataset, job.mapping);
    this.#values = new ValueDoubts(job.mapping);
    this.#shares = new OrderShares(job.mapping);
    this.#sameRows = new SameRows(job.dataset, job.mapping.source);
    this.#storedRows = new StoredRows(job);
    this.#missingRows = new MissingRows({ ...job, isSaved: !job.isDryRun });
    this.#contents = hasNumberedId(job.mapping) ? new KeyTable() : null;
  }

  async take({ line, text, row, fault, aside, evaluated }: SourceRow): Promise<void> {
    this.#counts.rows += 1;
    const { mapping, zone } = this.#job;
    if (this.#counts.rows === 1 && row) this.#ofHeader = headerDoubts(mapping, zone, Object.keys(row));
    if (aside !== undefined) {
      this.#counts.leftOut += 1;
      return this.#job.report.skip(line, aside, text);
    }
    // A file of corrected rows has only those.
    if (row && Object.hasOwn(row, reasonColumn)) this.#missingRows.turnOff();
    const read = row ? this.#read(row, line, text, evaluated) : [{ column: '', reason: fault ?? 'can’t be read' }];
    if ('leftOut' in read) {
      this.#counts.leftOut += 1;
      this.#job.report.leaveOut(line, read.leftOut, row!);
    } else if ('externalId' in read) {
      this.#doubts.take(line, row!);
      this.#values.add(row!, read);
      for (const warning of this.#reader.warnings) this.#job.report.warn(line, warning, row!);
      for (const ended of this.#shares.take({ line, text, row: read })) await this.#keep(ended);
    } else {
      this.#counts.refused += 1;
      const { numbers, readable } = row ? this.#reader : { numbers: [], readable: null };
      const id = hasNumberedId(this.#job.mapping) && !read.some(isRepeatedId) ? refusedId(line, text, readable) : null;
      this.#refused.push({ line, text, faults: read, row, identity: { numbers, id }, readable });
      await this.#sendIfFull(text);
    }
    this.#job.onProgress?.(this.#counts);
  }

  async #keep(kept: BatchRow): Promise<void> {
    this.#batch.push(kept);
    this.#missingRows.add(kept.row);
    this.#job.totals?.add(kept.row);
    await this.#sendIfFull(kept.text);
  }

  async #sendIfFull(text: string): Promise<void> {
    this.#characters += text.length;
    const rows = Math.max(this.#batch.length, this.#refused.length);
    if (rows >= batchLimits.rows || this.#characters >= batchLimits.characters) await this.#send();
  }

  #read(row: Row, line: number, text: string, evaluated?: EvaluatedRow): NumberRow | readonly Fault[] | LeftOut {
    const read = this.#laterHeaders.check(line, row, this.#reader.read(row, evaluated));
    if (!('externalId' in read)) return read;
    // Two rows with the same id would replace each other at every import, so no run would ever be unchanged.
    const content = crc32(text);
    const earlier = this.#lineOfId.keepFirst(read.externalId, line, content);
    if (earlier !== null) {
      const title = fieldTitle(this.#job.dataset, 'external_id');
      return [repeatedId(title, read.externalId, earlier.value, earlier.tag === content)];
    }
    if (this.#contents && this.#contents.count(text) > 1) {
      this.#copies += 1;
      this.#firstCopy ||= line;
    }
    return read;
  }

  async #send(): Promise<void> {
    const batch = this.#batch;
    const refused = this.#refused;
    this.#batch = [];
    this.#refused = [];
    this.#characters = 0;
    await this.#applying;
    this.#applying = this.#apply(batch, refused);
    // It is awaited with the next batch; until then a failure is unhandled.
    this.#applying.catch(() => {});
  }

  async #apply(batch: readonly BatchRow[], refused: readonly RefusedRow[]): Promise<void> {
    try {
      if (batch.length > 0) await this.#write(batch);
    } finally {
      if (refused.length > 0) await this.#report(refused);
    }
  }

  async #report(refused: readonly RefusedRow[]): Promise<void> {
    const { database, dataset, mapping, report } = this.#job;
    const erased = await erasedAmong(database.drizzle, mapping, refused);
    const why = `The ${personWord(dataset)} was erased, so the row isn’t in the report`;
    for (const one of refused) {
      const { line, text, faults, row, identity } = one;
      if (erased.has(one)) report.addWithoutContent(line, faults, why);
      else await report.add(line, text, faults, row, identity);
    }
  }

  async #write(batch: readonly BatchRow[]): Promise<void> {
    const { database, dataset, mapping, zone, isDryRun, runId, signal, report, log } = this.#job;
    let applied: BatchApplied | undefined;
    let erasedLines: readonly number[] = [];
    const given = batch.map(({ row }) => row);
    await this.#sameRows.look(database.drizzle, given);
    await this.#storedRows.look(database.drizzle, given);
    this.#mustCountOnce();
    const work = database.transaction(async (queries) => {
      const run = { ...(runId && { runId }), ...(signal && { signal }) };
      // An erasure holds the lock, so its list is complete.
      await lockDataset(queries, dataset, signal);
      const known = await withoutPeople(queries, mapping, batch);
      erasedLines = known.erasedLines;
      applied = await applyBatch(queries, dataset, known.rows, { zone, source: mapping.source, ...run });
      if (isDryRun) throw new DryRun();
      // This one paused so long that it seemed to have ended.
      if (runId && (await hasLaterChanges(queries, runId)))
        throw new ImportError('A later import of the same source has begun. Import the file again');
    });
    await work.catch((error) => {
      if (!(error instanceof DryRun)) throw error;
    });
    // Counted after the commit.
    for (const line of erasedLines) report.warn(line, erasedPerson(dataset), {});
    for (const key of Object.keys(applied!) as (keyof BatchApplied)[]) this.#counts[key] += applied![key];
    if (isDryRun || this.#counts.inserted < this.#analyzeAt) return;
    this.#analyzeAt = this.#counts.inserted * 2;
    if (await areOutdated(database.drizzle, dataset, this.#counts.inserted))
      await analyzeTables(database.drizzle, writtenTables(dataset), log);
  }

  /** Refuses only before anything is written: later, an import of half a file would be left. */
  #mustCountOnce(): void {
    const { isDryRun, twiceRemedy } = this.#job;
    const { inserted, updated, unchanged } = this.#counts;
    if (isDryRun || twiceRemedy === undefined || inserted + updated + unchanged > 0) return;
    const stored = [...this.#sameRows.warnings, ...this.#storedRows.warnings];
    const twice = stored.find(({ countsTwice, count }) => countsTwice && count >= fewestTwice);
    if (!twice) return;
    const words = `Nothing was imported: ${twice.column} ${twice.reason}. ${twiceRemedy}`;
    throw new RefusalError(refuse('SAME_FILE', words));
  }

  /**
   * A row of another file with the same values and number can be another one. A newer export repeats most of
   * them unchanged.
   */
  #numberedWarnings() {
    const { mapping, dataset, isKnownFile } = this.#job;
    const column = fieldTitle(dataset, 'external_id');
    const copies =
      this.#copies > 0
        ? [{ column, reason: copiesReason(this.#copies), count: this.#copies, line: this.#firstCopy }]
        : [];
    const { rows, inserted, updated, unchanged } = this.#counts;
    const count = updated + unchanged;
    const isNewerExport = count > rows / 2 && unchanged >= updated && inserted > 0;
    if (count === 0 || isNewerExport || isKnownFile || !hasNumberedId(mapping)) return copies;
    return [...copies, { column, reason: numberedReason, count }];
  }

  async finish({ isWhole }: { readonly isWhole: boolean }): Promise<NumbersImported> {
    for (const ended of this.#shares.end()) await this.#keep(ended);
    await this.#send();
    await this.#applying;
    const { refused, leftOut, inserted } = this.#counts;
    const file = { has: (id: string) => this.#lineOfId.has(id), others: refused + leftOut, inserted };
    if (isWhole) await this.#missingRows.look(this.#job.database.drizzle, file);
    const { ofFields, blankLater, others } = this.#doubts;
    for (const doubt of [...ofFields, ...blankLater, ...others]) this.#job.report.warnOf(doubt);
    const values = this.#values.warnings(this.#counts.inserted > 0);
    const stored = [this.#sameRows, this.#storedRows, this.#missingRows].flatMap(({ warnings }) => warnings);
    const ofHeader = this.#ofHeader.map((doubt) => ({ ...doubt, count: 1 }));
    for (const warning of [...ofHeader, ...values, ...stored, ...this.#numberedWarnings()])
      this.#job.report.warnOf({ line: 0, ...warning, value: null });
    return this.#counts;
  }
}
