// Finds amounts with the wrong sign: a ledger writes what was paid as negative, so numbers would fall as it
// rises.
import { countWords } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf, fieldTitle } from '#core/numbers/datasets.ts';
import type { Rule } from '#server/platform/imports/mapping-rules.ts';
import type { NumberRow } from '../number-row.ts';
import type { CountedDoubt } from './mapping-doubts.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** Fewer rows say too little. */
const fewestRows = 3;

/** Statuses whose negative amounts reduce sales or payments on purpose. */
const mayReduce: Partial<Record<DatasetKey, readonly string[]>> = {
  orders: ['adjustment'],
  payments: ['refunded', 'disputed'],
};

/** Of these, a few positive ones among negative ones were given back. Others can be refunds. */
const isPartOfAmount = (field: string): boolean => ['discount', 'fee'].includes(field);

type Tally = { readonly field: string; readonly rule: Rule; negative: number; all: number };

/** Add the rows of a file, or its first ones. */
export class NegativeDoubts {
  readonly #dataset: DatasetKey;
  readonly #tallies: readonly Tally[];

  constructor(dataset: DatasetKey, rules: NumbersMapping['fields']) {
    this.#dataset = dataset;
    const { fields } = datasetOf(dataset);
    this.#tallies = Object.keys(fields).flatMap((field) => {
      const rule = fields[field]!.type === 'money' ? rules[field] : undefined;
      // A value for all rows was typed on purpose.
      const isGiven = rule !== undefined && !(typeof rule === 'object' && 'constant' in rule);
      return isGiven ? [{ field, rule, negative: 0, all: 0 }] : [];
    });
  }

  add({ values }: Pick<NumberRow, 'values'>): void {
    if (mayReduce[this.#dataset]?.includes(String(values.status))) return;
    for (const tally of this.#tallies) {
      const amount = values[tally.field];
      if (typeof amount !== 'bigint' || amount === 0n) continue;
      tally.all += 1;
      if (amount < 0n) tally.negative += 1;
    }
  }

  /** What is said of the first rows. */
  ofPreview(field: string): string | null {
    const tally = this.#doubtful.find((one) => one.field === field);
    if (tally === undefined) return null;
    const { negative, all } = tally;
    const which = negative === all ? 'Every amount is' : `${countWords(negative)} of ${countWords(all)} amounts are`;
    return `${which} negative${this.#effectOf(tally)}`;
  }

  get warnings(): CountedDoubt[] {
    return this.#doubtful.map((tally) => {
      const { field, negative, all } = tally;
      const rows = `${negative === all ? 'all' : `${countWords(negative)} of`} ${countWords(all)} rows with a value`;
      const reason = `is negative in ${rows}${this.#effectOf(tally)}`;
      return { field, column: fieldTitle(this.#dataset, field), reason, count: negative };
    });
  }

  get #doubtful(): Tally[] {
    return this.#tallies.filter(({ field, negative, all }) => {
      const isEnough = negative >= (field === 'refunded' ? 1 : fewestRows);
      return isEnough && (negative === all || (isPartOfAmount(field) && negative > all / 2));
    });
  }

  #effectOf({ field, rule }: Tally): string {
    const hint = ', so a rise would count as a fall. Choose “Flip sign”';
    if (typeof rule === 'object' && 'negate' in rule) return hint.replace('Choose', 'Don’t choose');
    const isSale = this.#dataset === 'orders' && field === 'gross';
    return isSale ? `${hint}. If these are refunds, choose that for Refunded instead, and “Nothing” for Gross` : hint;
  }
}
