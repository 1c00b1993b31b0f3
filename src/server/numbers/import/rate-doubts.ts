// Finds rates that are read as amounts: their sum would be far too small.
import { fieldTitle, isOftenRate } from '#core/numbers/datasets.ts';
import type { Row } from '#server/platform/imports/mapping-rules.ts';
import { mainAmount } from '../batch.service.ts';
import type { NumberRow } from '../number-row.ts';
import { type CountedDoubt, givenAmounts } from './mapping-doubts.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** Fewer rows say too little. */
const fewestRows = 3;
const one = 10_000n;

/** Add the rows of a file, or its first ones. */
export class RateDoubts {
  readonly #dataset: NumbersMapping['dataset'];
  readonly #main: string;
  #rates: { readonly field: string; count: number }[];

  constructor({ dataset, fields }: Pick<NumbersMapping, 'dataset' | 'fields'>) {
    this.#dataset = dataset;
    this.#main = mainAmount(dataset) ?? '';
    this.#rates = givenAmounts(dataset, fields)
      .filter(({ field }) => isOftenRate(field))
      .map(({ field }) => ({ field, count: 0 }));
  }

  add(_row: Row, { values }: Pick<NumberRow, 'values'>): void {
    if (this.#rates.length === 0) return;
    const whole = values[this.#main];
    // Before the main amount is mapped, any part counts.
    if (typeof whole === 'bigint' && whole < one) return;
    for (const rate of this.#rates) {
      const part = values[rate.field];
      if (typeof part !== 'bigint' || part <= 0n) continue;
      rate.count += 1;
      if (part >= one) this.#rates = this.#rates.filter((other) => other !== rate);
    }
  }

  get warnings(): CountedDoubt[] {
    return this.#rates
      .filter(({ count }) => count >= fewestRows)
      .map(({ field, count }) => ({
        ...{ field, count, column: fieldTitle(this.#dataset, field) },
        reason: 'has only values below 1, like rates. This field needs amounts',
      }));
  }
}
