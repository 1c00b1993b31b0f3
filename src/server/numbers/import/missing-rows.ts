// Warns of stored rows between a file's first and last day that the file lacks. Where values make the id, a
// corrected one makes a new row, and the wrong row still counts. A row that the source deleted counts too.
import { dayInZone, daySpanWithYear } from '#core/base/day-words.ts';
import { capital, countWords, listWords } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf, hasHours } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { isCanceled } from '#server/platform/db/database-failures.ts';
import { reasonColumn } from '#server/platform/imports/correctable-rows.ts';
import type { SourceRow } from '#server/platform/imports/source-row.ts';
import {
  type DayOfRows,
  type RowOnDay,
  type RunOfRows,
  readDaysBetween,
  readRowsOnDays,
  readRunsOfRows,
  runsWithRows,
} from '../batch.service.ts';
import type { NumberRow } from '../number-row.ts';
import { hasIdOfValues, type NumbersMapping } from './numbers-mapping.ts';
import type { StoredWarning } from './same-rows.ts';

/** Days of a file, quarters of an hour whose day is known, days of one statement, compared rows, named runs. */
const most = { days: 4_000, kept: 10_000, daysAtOnce: 50, rows: 200_000, runs: 3, milliseconds: 5_000 } as const;
/** Rows of the file that show which imports had rows of it. */
const mostKnown = 1_000;
/** An import is asked about if nearly all stored rows of its days would stay beside nearly as many new ones. */
const nearlyAll = { rows: 3, share: 0.8 } as const;

/** With ids of the source: nearly all rows are stored, and few stored ones are missing. */
const exportedAgain = { known: 0.8, missing: 0.2 } as const;

/** Whether one of its imported rows has an id, how many rows are refused or left out, and how many are new. */
type WholeFile = { readonly has: (id: string) => boolean; readonly others: number; readonly inserted?: number };

/** `isSaved`: its rows are stored by the time that the warning is read. */
type Job = {
  readonly dataset: DatasetKey;
  readonly mapping: NumbersMapping;
  readonly zone: string;
  readonly isSaved: boolean;
};

export class MissingRows {
  readonly #job: Job;
  readonly #days = new Map<string, DayOfRows & { rows: number }>();
  readonly #dayOf = new Map<string, string>();
  /** Some missing rows can be refused or left out. No more than the new rows can be corrected ones. */
  #mostCorrected: number | null = null;
  #first = '';
  #last = '';
  #isOff = false;
  /** A corrected row keeps its id, so only deleted rows are missing. */
  readonly #isIdOfSource: boolean;
  #missing: RowOnDay[] = [];
  #runs: RunOfRows[] = [];
  #isCut = false;
  #daysRead = 0;
  #countsTwice = false;

  constructor(job: Job) {
    this.#job = job;
    this.#isIdOfSource = !hasIdOfValues(job.mapping);
  }

  /** The file has only some rows on purpose, such as corrected ones. */
  turnOff(): void {
    this.#isOff = true;
  }

  add({ values }: Pick<NumberRow, 'values'>): void {
    if (this.#isOff) return;
    const { scope, currency, datedBy } = datasetOf(this.#job.dataset);
    const at = String(values[datedBy]);
    const [ofScope, ofCurrency] = [scope, currency].map((field) => (field === null ? null : String(values[field])));
    const day = this.#dayAt(at);
    const one = { scope: ofScope!, currency: ofCurrency!, day };
    const found = this.#days.get(keyOf(one)) ?? { ...one, rows: 0 };
    found.rows += 1;
    this.#days.set(keyOf(one), found);
    if (this.#first === '' || at < this.#first) this.#first = at;
    if (at > this.#last) this.#last = at;
    if (this.#days.size > most.days) this.turnOff();
  }

  /** All instants of a quarter of an hour are on one day in every zone. */
  #dayAt(at: string): string {
    if (!hasHours(datasetOf(this.#job.dataset))) return at;
    const quarter = `${at.slice(0, 13)} ${Math.floor(Number(at.slice(14, 16)) / 15)}`;
    const known = this.#dayOf.get(quarter);
    if (known !== undefined) return known;
    const day = dayInZone(at, this.#job.zone);
    if (this.#dayOf.size >= most.kept) this.#dayOf.clear();
    this.#dayOf.set(quarter, day);
    return day;
  }

  /** Call it after the last row. A check that takes too long says nothing. */
  async look(queries: Queries, file: WholeFile): Promise<void> {
    if (this.#isOff || this.#days.size === 0) return;
    try {
      await this.#look(queries, file);
    } catch (error) {
      if (!isCanceled(error)) throw error;
      this.#missing = [];
    }
  }

  async #look(queries: Queries, { has, others, inserted = 0 }: WholeFile): Promise<void> {
    const days = [...this.#days.values()];
    const all = days.reduce((sum, { rows }) => sum + rows, 0);
    // Refused and left-out rows are stored or not: their ids aren't known.
    if (this.#isIdOfSource && (others > 0 || inserted > all * (1 - exportedAgain.known))) return;
    const end = performance.now() + most.milliseconds;
    const stored = await this.#readDays(queries, days, end);
    const known = stored.filter(({ id }) => has(id));
    const inFile = days.slice(0, this.#daysRead).reduce((sum, { rows }) => sum + rows, 0);
    const ofDays = stored.filter(({ id }) => !has(id));
    const missing = ofDays.length;
    // A file of a few changes, or of other rows of these days.
    const fresh = inFile - known.length;
    if (this.#isIdOfSource) return this.#lookForDeleted(queries, known, ofDays, inFile);
    const isOfOthers = missing > inFile + others;
    const between = isOfOthers ? [] : await this.#lookBetween(queries, known, { has, fresh, end });
    if (others > 0) this.#mostCorrected = fresh;
    this.#missing = isOfOthers || this.#mostCorrected === 0 ? [] : [...ofDays, ...between];
    if (this.#missing.length === 0) return;
    this.#countsTwice =
      missing >= Math.max(nearlyAll.rows, stored.length * nearlyAll.share) && fresh >= inFile * nearlyAll.share;
    await this.#readRuns(queries);
  }

  async #readRuns(queries: Queries): Promise<void> {
    const runs = new Set(this.#missing.flatMap(({ runId }) => runId ?? []));
    this.#runs = await readRunsOfRows(queries, [...runs].slice(0, most.runs + 1));
  }

  /** A file of a few changes lacks most rows, and one of several lacks those of the others. */
  async #lookForDeleted(
    queries: Queries,
    known: readonly RowOnDay[],
    missing: readonly RowOnDay[],
    inFile: number,
  ): Promise<void> {
    if (known.length < inFile * exportedAgain.known) return;
    const ofFile = await this.#ofSameImports(queries, known, missing);
    if (ofFile.length === 0 || ofFile.length > known.length * exportedAgain.missing) return;
    this.#missing = ofFile;
    await this.#readRuns(queries);
  }

  /** The source's rows on these days; fewer if it takes too long. */
  async #readDays(queries: Queries, days: readonly DayOfRows[], end: number): Promise<RowOnDay[]> {
    const { dataset, mapping } = this.#job;
    const found: RowOnDay[] = [];
    for (let start = 0; start < days.length; start += most.daysAtOnce) {
      const part = days.slice(start, start + most.daysAtOnce);
      const span = { first: this.#first, last: this.#last };
      found.push(...(await readRowsOnDays(queries, { dataset, source: mapping.source, ...span }, part)));
      this.#daysRead = start + part.length;
      const isLast = this.#daysRead === days.length;
      if (isLast || (found.length <= most.rows && performance.now() <= end)) continue;
      this.#isCut = true;
      break;
    }
    return found;
  }

  /**
   * Rows between the file's days, or in another currency. Only those of imports that had rows of the file
   * too: others can be of another file, such as one of each currency or campaign.
   */
  async #lookBetween(
    queries: Queries,
    known: readonly RowOnDay[],
    { has, fresh, end }: Pick<WholeFile, 'has'> & Record<'fresh' | 'end', number>,
  ): Promise<RowOnDay[]> {
    if (known.length === 0 || this.#isCut) return [];
    const own = [...this.#days.values()];
    const scopes = [...new Set(own.map(({ scope }) => scope))];
    const currencies = new Set(own.map(({ currency }) => currency));
    const [first, last] = [this.#first, this.#last].map((at) => this.#dayAt(at));
    const span = { dataset: this.#job.dataset, first: first!, last: last! };
    const all = await readDaysBetween(queries, { ...span, scopes, limit: most.days + own.length });
    const others = all.filter((day) => !this.#days.has(keyOf(day))).slice(0, most.days);
    const found = (await this.#readDays(queries, others, end)).filter(({ id }) => !has(id));
    const ofFile = await this.#ofSameImports(queries, known, found);
    // A corrected currency makes a new row.
    const ofOthers = ofFile.filter(({ currency }) => !currencies.has(currency)).length;
    const missing = ofOthers > fresh ? ofFile.filter(({ currency }) => currencies.has(currency)) : ofFile;
    return missing.length > known.length + fresh ? [] : missing;
  }

  /** Those of imports that had rows of the file too. */
  async #ofSameImports(queries: Queries, known: readonly RowOnDay[], found: readonly RowOnDay[]): Promise<RowOnDay[]> {
    if (found.length === 0) return [];
    const runs = new Set(known.map(({ runId }) => runId));
    const unknown = [...new Set(found.flatMap(({ runId }) => (runId === null || runs.has(runId) ? [] : runId)))];
    const again = await runsWithRows(
      queries,
      unknown,
      known.slice(0, mostKnown).map(({ row }) => row),
    );
    return found.filter(({ runId }) => runs.has(runId) || again.includes(String(runId)));
  }

  get warnings(): StoredWarning[] {
    if (this.#missing.length === 0) return [];
    const days = this.#missing.map(({ day }) => day).toSorted();
    const count = Math.min(this.#missing.length, this.#mostCorrected ?? Number.POSITIVE_INFINITY);
    const [rows, isnt, counts, it] =
      count === 1 ? ['row', 'isn’t', 'counts', 'it'] : ['rows', 'aren’t', 'count', 'them'];
    const found = `${countWords(count)} ${rows} of this source on ${daySpanWithYear(days[0]!, days.at(-1)!)}`;
    const atLeast = this.#isCut ? 'at least ' : '';
    const deleted = `If ${count === 1 ? 'it was' : 'they were'} deleted`;
    const reason =
      this.#mostCorrected === null
        ? `${capital(atLeast)}${found} ${isnt} in this file but still ${counts}. ${this.#isIdOfSource ? deleted : `If this file corrects ${it}`}, ${this.#remedy}`
        : `This file may correct ${atLeast}${found}, which still ${counts}. If so, ${this.#remedy}`;
    return [{ field: 'external_id', column: '', reason, count, countsTwice: this.#countsTwice }];
  }

  get #remedy(): string {
    const undoable = this.#runs.filter(({ firstDay }) => firstDay !== null);
    if (undoable.length === 0 || undoable.length < this.#runs.length)
      return 'both versions count: the earlier import can no longer be undone';
    const of =
      undoable.length > most.runs
        ? 'the imports that added them'
        : `the import of ${listWords(undoable.map(({ fileName }) => fileName))}`;
    const [first, last] = [this.#first, this.#last].map((at) => this.#dayAt(at));
    const hasOtherDays = undoable.some(({ firstDay, lastDay }) => firstDay! < first! || lastDay! > last!);
    const others = hasOtherDays ? '. That also removes its rows for other days' : '';
    return this.#job.isSaved
      ? `undo this import, then ${of}, then import this file again${others}`
      : `undo ${of}, then import this file${others}`;
  }
}

const keyOf = ({ scope, currency, day }: DayOfRows): string => JSON.stringify([scope, currency, day]);

/** `others`: rows that are refused or left out. */
export type SampleOfRows = {
  readonly rows: readonly NumberRow[];
  readonly others: number;
  readonly isWhole: boolean;
  /** It has only some rows on purpose. */
  readonly isCorrection: boolean;
};

/** `all`: the read ones and those that aren't imported. */
export const sampleOfRows = (
  rows: readonly NumberRow[],
  all: readonly Pick<SourceRow, 'row'>[],
  isWhole: boolean,
): SampleOfRows => ({
  ...{ rows, others: all.length - rows.length, isWhole },
  isCorrection: all.some(({ row }) => row && Object.hasOwn(row, reasonColumn)),
});

/** The same of a file's start. It says nothing of rows that may come later in the file. */
export async function missingInSample(
  queries: Queries,
  job: Omit<Job, 'isSaved'>,
  { rows, others, isWhole, isCorrection }: SampleOfRows,
): Promise<readonly StoredWarning[]> {
  if (isCorrection || (!isWhole && !hasIdOfValues(job.mapping))) return [];
  const found = new MissingRows({ ...job, isSaved: false });
  for (const row of isWhole ? rows : beforeTheLast(job.dataset, rows)) found.add(row);
  const ids = new Set(rows.map(({ externalId }) => externalId));
  await found.look(queries, { has: (id) => ids.has(id), others });
  return found.warnings;
}

/** In a sorted file, those of the last time can come later too. */
function beforeTheLast(dataset: DatasetKey, rows: readonly NumberRow[]): readonly NumberRow[] {
  const { datedBy } = datasetOf(dataset);
  const times = rows.map(({ values }) => String(values[datedBy]));
  const isSorted = [times, times.toReversed()].some((all) =>
    all.every((at, index) => index === 0 || all[index - 1]! <= at),
  );
  return isSorted ? rows.filter(({ values }) => String(values[datedBy]) !== times.at(-1)) : [];
}
