// Warns of a file that would harm stored rows of the same source: its ids are numbers of rows, its mapping
// lacks fields that they have, or it brings them again under other ids, as it can bring those of another
// source. And of currencies that none have yet.
import { countWords } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf, fieldTitle, isReference } from '#core/numbers/datasets.ts';
import { otherDaysReason } from '#core/numbers/imports.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { isCanceled } from '#server/platform/db/database-failures.ts';
import { compareReplaced, countEqual, countSameContent, mainAmount, storedCurrencies } from '../batch.service.ts';
import type { NumberRow } from '../number-row.ts';
import { isIsoCode } from './currency-words.ts';
import { isNumberedWithoutDate, type NumbersMapping } from './numbers-mapping.ts';
import type { StoredWarning } from './same-rows.ts';

/** Rows of a batch for a first suspicion, and those counted after it; rows and batches compared without ids. */
const most = { sample: 50, counted: 5_000, withoutId: 20, batches: 10, units: 20 } as const;
/** Fewer are ordinary corrections or happen by chance. */
const fewest = { rows: 2, share: 0.2 } as const;

/** Rows of two sources are alike by chance more often. */
const fewestAlike = { rows: 5, share: 0.8 } as const;
/** An import of rows that count twice is asked about. */
const mostlyTwice = 0.5;

type Job = {
  readonly dataset: DatasetKey;
  readonly mapping: NumbersMapping;
  readonly zone: string;
  /** Its own rows are no stored ones. */
  readonly runId?: string | undefined;
};

export class StoredRows {
  readonly #job: Job;
  /** What tells a row from another one: its references and amount, or else its dimensions. */
  readonly #differing: readonly string[];
  readonly #lacking: readonly string[];
  readonly #compared: readonly string[];
  #isSuspect = false;
  #isOff = false;
  #batches = 0;
  readonly #replaced = { found: 0, others: 0 };
  readonly #emptied = new Map<string, number>();
  readonly #equal = { compared: 0, fresh: 0, equal: 0 };
  /** By other source, how many of the fresh rows it has. */
  readonly #twins = new Map<string, number>();
  /** Rows of each code that is no ISO 4217 one, and whether rows had it before this file. */
  readonly #units = new Map<string, { count: number; isNew: boolean }>();

  constructor(job: Job) {
    this.#job = job;
    const { dataset, mapping } = job;
    const { fields, datedBy } = datasetOf(dataset);
    const main = mainAmount(dataset);
    const isGiven = (field: string) =>
      mapping.fields[field] !== undefined ||
      (field === 'refunded' && (mapping.refunds !== undefined || mapping.negatives !== undefined));
    const given = Object.keys(fields).filter(isGiven);
    const named = given.filter((field) => isReference(field) || field === main);
    const dimensions = given.filter((field) => fields[field]!.dimension && field !== 'status');
    this.#differing = named.length > 0 ? named : dimensions;
    this.#lacking = Object.keys(fields).filter((field) => !isGiven(field));
    // Times and states change, so a row is the same one without them.
    this.#compared = given.filter((field) => {
      const { type } = fields[field]!;
      // The refunds of a file without sales are its amounts.
      const isState = field === 'status' || (field === 'refunded' && main !== null && isGiven(main));
      return field !== datedBy && !isState && type !== 'instant';
    });
  }

  /** Call it for each batch before it is written. Ends the checks if one takes too long: the import goes on. */
  async look(queries: Queries, rows: readonly NumberRow[]): Promise<void> {
    if (rows.length === 0 || this.#isOff) return;
    try {
      await this.#look(queries, rows);
    } catch (error) {
      if (!isCanceled(error)) throw error;
      this.#isOff = true;
    }
  }

  async #look(queries: Queries, rows: readonly NumberRow[]): Promise<void> {
    await this.#lookForUnits(queries, rows);
    const sample = sampleOf(rows, most.sample);
    if (this.#batches < most.batches) {
      this.#batches += 1;
      await this.#lookForEqual(queries, rows);
    }
    if (!this.#isSuspect) {
      const { others, filled } = await this.#compare(queries, sample, rows);
      this.#isSuspect = others > 0 || Object.values(filled).some((count) => count > 0);
    }
    if (!this.#isSuspect) return;
    const { found, others, filled } = await this.#compare(queries, rows.slice(0, most.counted), rows);
    this.#replaced.found += found;
    this.#replaced.others += others;
    for (const [field, count] of Object.entries(filled))
      if (count > 0) this.#emptied.set(field, (this.#emptied.get(field) ?? 0) + count);
  }

  async #lookForEqual(queries: Queries, rows: readonly NumberRow[]): Promise<void> {
    const compared = this.#rowsOfSource(sampleOf(rows, most.withoutId));
    const own = { ...compared, runId: this.#job.runId };
    const { fresh, equal } = await countEqual(queries, own, this.#compared);
    this.#equal.compared += compared.rows.length;
    this.#equal.fresh += fresh;
    this.#equal.equal += equal;
    if (fresh === 0) return;
    const counts = new Map<string, number>();
    const contents = new Map(rows.map((row) => [row, this.#contentOf(row)]));
    for (const content of contents.values()) counts.set(content, (counts.get(content) ?? 0) + 1);
    const counted = compared.rows.map((row) => ({ ...row, copies: counts.get(contents.get(row)!)! }));
    const twins = await countSameContent(queries, { ...compared, rows: counted }, this.#compared);
    for (const [source, count] of twins) this.#twins.set(source, (this.#twins.get(source) ?? 0) + count);
  }

  /** What a twin of it has too. */
  #contentOf({ values }: NumberRow): string {
    const { scope, currency, datedBy } = datasetOf(this.#job.dataset);
    return [...new Set([scope, currency, datedBy, ...this.#compared])]
      .map((field) => JSON.stringify(String(values[field ?? ''] ?? '')))
      .join();
  }

  async #lookForUnits(queries: Queries, rows: readonly NumberRow[]): Promise<void> {
    const { dataset } = this.#job;
    const { currency } = datasetOf(dataset);
    if (currency === null) return;
    const codes = rows.map(({ values }) => String(values[currency])).filter((code) => !isIsoCode(code));
    const first = [...new Set(codes)].filter((code) => !this.#units.has(code)).slice(0, most.units - this.#units.size);
    const stored = await storedCurrencies(queries, dataset, first);
    for (const code of first) this.#units.set(code, { count: 0, isNew: !stored.includes(code) });
    for (const code of codes) {
      const unit = this.#units.get(code);
      if (unit) unit.count += 1;
    }
  }

  #rowsOfSource(rows: readonly NumberRow[]) {
    const { dataset, zone, mapping } = this.#job;
    return { dataset, zone, source: mapping.source, rows };
  }

  /** A number that restarts in each file says nothing of a row, so only the days of the file's rows do. */
  #compare(queries: Queries, rows: readonly NumberRow[], daysOf: readonly NumberRow[]) {
    const differing = isNumberedWithoutDate(this.#job.mapping) ? { daysOf } : this.#differing;
    return compareReplaced(queries, this.#rowsOfSource(rows), differing, this.#lacking);
  }

  get warnings(): StoredWarning[] {
    const { dataset } = this.#job;
    const warning = (field: string, count: number, reason: string): StoredWarning => ({
      ...{ field, count, reason },
      column: fieldTitle(dataset, field),
    });
    const { found, others } = this.#replaced;
    const { compared, fresh, equal } = this.#equal;
    return [
      ...(isMuch(others, found) ? [warning('external_id', others, otherReason(others, found))] : []),
      ...(isMuch(equal, fresh)
        ? [
            {
              ...warning('external_id', equal, equalReason(equal, fresh)),
              countsTwice: equal >= compared * mostlyTwice,
            },
          ]
        : []),
      ...[...this.#twins]
        .filter(([, count]) => count >= Math.max(fewestAlike.rows, fresh * fewestAlike.share))
        .map(([source, count]) => ({
          ...warning('external_id', count, twinReason(source, count, fresh)),
          countsTwice: count >= compared * mostlyTwice,
        })),
      ...[...this.#units].flatMap(([code, { count, isNew }]) =>
        isNew ? [warning('currency', count, unitReason(code))] : [],
      ),
      ...[...this.#emptied].map(([field, count]) => warning(field, count, emptiedReason(count))),
    ];
  }
}

function sampleOf(rows: readonly NumberRow[], size: number): NumberRow[] {
  const step = Math.max(1, Math.floor(rows.length / size));
  return rows.filter((_, index) => index % step === 0).slice(0, size);
}

const isMuch = (count: number, all: number): boolean => count >= Math.max(fewest.rows, all * fewest.share);

const shareWords = (count: number, all: number): string =>
  `${count === all ? 'all' : `${countWords(count)} of`} ${countWords(all)}`;

const rowWords = (count: number): string => `${countWords(count)} ${count === 1 ? 'row' : 'rows'}`;

const otherReason = (others: number, found: number): string =>
  `${otherDaysReason} in ${shareWords(others, found)} stored rows checked, and this file would replace them. If it’s a row number that restarts in each file, choose another ID`;

const equalReason = (equal: number, fresh: number): string =>
  `has changed: ${shareWords(equal, fresh)} new rows checked are already stored with other IDs and would count twice. Use the earlier ID rule and file format, or undo the earlier import first`;

const twinReason = (source: string, twins: number, fresh: number): string =>
  `differs from the source “${source}”, which already has ${shareWords(twins, fresh)} rows checked with other IDs. They would count twice. Use that source and its ID columns`;

const unitReason = (code: string): string =>
  `has ${code}, which isn’t a currency’s code. Its amounts are shown separately from all others. If it isn’t your own unit (such as points), use a code like EUR`;

const emptiedReason = (count: number): string =>
  `isn’t in this mapping, but ${rowWords(count)} of this source ${count === 1 ? 'has' : 'have'} it. The import would empty it there`;
