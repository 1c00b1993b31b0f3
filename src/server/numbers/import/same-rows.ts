// Warns of a file whose rows are stored in another source already. The chosen source may have some of them too:
// those count twice now, and the others would after the import.
import { countWords } from '#core/base/formats.ts';
import { type DatasetKey, fieldTitle } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { countInSources, readSources, storedIds } from '../batch.service.ts';
import type { NumberRow } from '../number-row.ts';

/** Rows of a batch that are looked up for a first suspicion, batches without one, and rows counted after it. */
const most = { rows: 50, batches: 10, counted: 5_000 } as const;
/** Fewer can have the same id and date by chance. */
const fewest = { rows: 3, share: 0.05 } as const;
/** This share of rows with the same id and date are the same rows: an import of them is asked about. */
const nearlyAll = 0.8;

/** `source`: the one that has the rows. `countsTwice`: an import is asked about. */
export type StoredWarning = {
  readonly field: string;
  readonly column: string;
  readonly reason: string;
  readonly count: number;
  readonly source?: string;
  readonly countsTwice?: boolean;
};

/** By other source: how many of the sampled rows it has, and of all rows since it had enough of a sample. */
type Found = Map<string, { sampled: number; same: number; checked: number }>;

export class SameRows {
  readonly #dataset: DatasetKey;
  readonly #source: string;
  /** `fresh`: rows that the chosen source lacks. `known`: those that it has with the same date. */
  readonly #fresh: Found = new Map();
  readonly #known: Found = new Map();
  readonly #sampled = { fresh: 0, known: 0 };
  #batches = 0;

  constructor(dataset: DatasetKey, source: string) {
    this.#dataset = dataset;
    this.#source = source;
  }

  async look(queries: Queries, rows: readonly NumberRow[]): Promise<void> {
    if (this.#batches < most.batches) await this.#sample(queries, rows);
    const suspects = [...new Set([...this.#suspects(this.#fresh), ...this.#suspects(this.#known)])];
    if (suspects.length === 0) return;
    for (const { found, part } of await this.#parts(queries, rows.slice(0, most.counted))) {
      // New rows have the other source's ids, so one with another date counts twice too. Two sources that both
      // number their rows have the same ids, but other dates.
      const hasSameDate = found === this.#known;
      const counts = await countInSources(queries, this.#dataset, suspects, part, { hasSameDate });
      for (const source of suspects) {
        const { sampled, same, checked } = found.get(source) ?? none;
        found.set(source, { sampled, same: same + (counts.get(source) ?? 0), checked: checked + part.length });
      }
    }
  }

  async #sample(queries: Queries, rows: readonly NumberRow[]): Promise<void> {
    this.#batches += 1;
    const others = (await readSources(queries, this.#dataset)).filter((other) => other !== this.#source);
    if (others.length === 0) return;
    const step = Math.max(1, Math.floor(rows.length / most.rows));
    const sample = rows.filter((_, index) => index % step === 0).slice(0, most.rows);
    for (const { found, part } of await this.#parts(queries, sample)) {
      this.#sampled[found === this.#fresh ? 'fresh' : 'known'] += part.length;
      const counts = await countInSources(queries, this.#dataset, others, part, { hasSameDate: true });
      for (const [source, count] of counts) {
        const before = found.get(source) ?? none;
        found.set(source, { ...before, sampled: before.sampled + count });
      }
    }
  }

  /** The rows that the chosen source lacks, and those that it has with the same date. */
  async #parts(queries: Queries, rows: readonly NumberRow[]) {
    const ids = await storedIds(queries, this.#dataset, this.#source, rows);
    return [
      { found: this.#fresh, part: rows.filter(({ externalId }) => !ids.has(externalId)) },
      { found: this.#known, part: rows.filter(({ externalId }) => ids.has(externalId)) },
    ];
  }

  #isMuch(count: number): boolean {
    const all = this.#sampled.fresh + this.#sampled.known;
    return count >= Math.max(Math.min(fewest.rows, all), all * fewest.share);
  }

  #suspects(found: Found): string[] {
    return [...found].filter(([, { sampled }]) => this.#isMuch(sampled)).map(([source]) => source);
  }

  /** More rows are in the chosen source than the other adds. With the other, they would count twice. */
  #isOwn(other: string): boolean {
    return this.#sampled.known >= (this.#fresh.get(other) ?? none).sampled;
  }

  get warnings(): StoredWarning[] {
    const { fresh, known } = this.#sampled;
    const field = 'external_id';
    const column = fieldTitle(this.#dataset, field);
    const willCountTwice = this.#suspects(this.#fresh).map((source): StoredWarning => {
      const { same: count, checked, sampled } = this.#fresh.get(source)!;
      const isOwn = this.#isOwn(source);
      const remedy = isOwn
        ? `They would count twice. Undo the import of “${source}” first`
        : 'Use that source, or these rows will count twice';
      return {
        ...{ field, column, count, countsTwice: sampled >= fresh * nearlyAll, ...(!isOwn && { source }) },
        reason: `already exists in the source “${source}” for ${shareOf(count, checked)}${isOwn ? ' that aren’t in this source' : ''}. ${remedy}`,
      };
    });
    // Two sources that number their rows can have some of them by chance.
    const doubled = this.#suspects(this.#known).filter(
      (source) => this.#isOwn(source) && this.#known.get(source)!.sampled >= known * nearlyAll,
    );
    const countTwice = doubled.map((source): StoredWarning => {
      const { same: count, checked } = this.#known.get(source)!;
      const sources = `“${this.#source}” and “${source}”`;
      return {
        ...{ field, column, count },
        reason: `is in both sources ${sources} for ${shareOf(count, checked)}, so these rows count twice. Undo the import of the wrong source`,
      };
    });
    return [...willCountTwice, ...countTwice];
  }
}

const none = { sampled: 0, same: 0, checked: 0 } as const;

const shareOf = (count: number, checked: number): string =>
  `${count === checked ? 'all' : `${countWords(count)} of`} ${countWords(checked)} rows checked`;
