// Warns of a file whose rows another source has already: they would count twice.
import { countWords } from '#core/base/formats.ts';
import { type DatasetKey, fieldTitle } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { countInSources, readSources } from '../batch.service.ts';
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

export class SameRows {
  readonly #dataset: DatasetKey;
  readonly #source: string;
  /** In samples, by source. */
  readonly #found = new Map<string, number>();
  #sampled = 0;
  #batches = 0;
  /** By suspected source, since its suspicion: rows that it has, of those checked. */
  readonly #counts = new Map<string, { same: number; checked: number }>();

  constructor(dataset: DatasetKey, source: string) {
    this.#dataset = dataset;
    this.#source = source;
  }

  async look(queries: Queries, rows: readonly NumberRow[]): Promise<void> {
    if (this.#batches < most.batches) await this.#sample(queries, rows);
    const suspects = this.#suspects;
    if (suspects.length === 0) return;
    const all = rows.slice(0, most.counted);
    // The ids are the same ones, so a row with another date counts twice too.
    const counts = await countInSources(queries, this.#dataset, suspects, all, { hasSameDate: false });
    for (const source of suspects) {
      const { same, checked } = this.#counts.get(source) ?? { same: 0, checked: 0 };
      this.#counts.set(source, { same: same + (counts.get(source) ?? 0), checked: checked + all.length });
    }
  }

  async #sample(queries: Queries, rows: readonly NumberRow[]): Promise<void> {
    this.#batches += 1;
    const others = (await readSources(queries, this.#dataset)).filter((other) => other !== this.#source);
    const step = Math.max(1, Math.floor(rows.length / most.rows));
    const sample = rows.filter((_, index) => index % step === 0).slice(0, most.rows);
    this.#sampled += sample.length;
    const counts = await countInSources(queries, this.#dataset, others, sample, { hasSameDate: true });
    for (const [source, count] of counts) this.#found.set(source, (this.#found.get(source) ?? 0) + count);
  }

  get #suspects(): string[] {
    const fewestHere = Math.max(Math.min(fewest.rows, this.#sampled), this.#sampled * fewest.share);
    return [...this.#found].filter(([, count]) => count >= fewestHere).map(([source]) => source);
  }

  get warnings(): StoredWarning[] {
    return this.#suspects.map((source) => {
      const { same: count, checked } = this.#counts.get(source) ?? { same: 0, checked: 0 };
      const where = `${count === checked ? 'all' : `${countWords(count)} of`} ${countWords(checked)} rows checked`;
      return {
        ...{ field: 'external_id', column: fieldTitle(this.#dataset, 'external_id'), count, source },
        countsTwice: this.#found.get(source)! >= this.#sampled * nearlyAll,
        reason: `is already used in the source “${source}”, in ${where}. Use that source, or these rows count twice`,
      };
    });
  }
}
