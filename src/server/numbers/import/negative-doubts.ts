// Finds amounts with the wrong sign: a ledger writes what was paid as negative, so numbers would fall as it
// rises, and negative gifts or orders reduce totals.
import { countWords, plural } from '#core/base/formats.ts';
import { type DatasetKey, fieldTitle } from '#core/numbers/datasets.ts';
import type { Rule } from '#server/platform/imports/mapping-rules.ts';
import { mainAmount } from '../batch.service.ts';
import type { NumberRow } from '../number-row.ts';
import { type CountedDoubt, givenAmounts } from './mapping-doubts.ts';
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

/** The status that counts, and what a negative amount with it does to the numbers. A refund has a status. */
const paidBackWords: Partial<Record<DatasetKey, { readonly counted: string; readonly words: string }>> = {
  orders: {
    counted: 'completed',
    words: 'If these are refunds, they count as orders. Give them the status “Adjustment”',
  },
  donations: {
    counted: 'completed',
    words: 'If these are fees, expenses or refunds, they count as gifts and reduce Gross. Leave them out',
  },
  payouts: { counted: 'paid', words: 'If these are returned payouts, they count as payouts and reduce the total' },
  payments: {
    counted: 'paid',
    words: 'If these are refunds, they reduce Paid, but Refund rate doesn’t count them',
  },
};

type Tally = { readonly field: string; readonly rule: Rule; negative: number; all: number };

/** Add the rows of a file, or its first ones. */
export class NegativeDoubts {
  readonly #dataset: DatasetKey;
  readonly #tallies: readonly Tally[];
  readonly #main: string | null;
  readonly #paidBack: (typeof paidBackWords)[DatasetKey];
  /** Negative main amounts that count. */
  #counted = 0;

  constructor(dataset: DatasetKey, rules: NumbersMapping['fields']) {
    this.#dataset = dataset;
    this.#main = mainAmount(dataset);
    this.#paidBack = paidBackWords[dataset];
    this.#tallies = givenAmounts(dataset, rules).map((given) => ({ ...given, negative: 0, all: 0 }));
  }

  add({ values }: Pick<NumberRow, 'values'>): void {
    if (mayReduce[this.#dataset]?.includes(String(values.status))) return;
    for (const tally of this.#tallies) {
      const amount = values[tally.field];
      if (typeof amount !== 'bigint' || amount === 0n) continue;
      tally.all += 1;
      if (amount >= 0n) continue;
      tally.negative += 1;
      if (tally.field === this.#main && (values.status ?? this.#paidBack?.counted) === this.#paidBack?.counted)
        this.#counted += 1;
    }
  }

  /** What is said of the first rows. */
  ofPreview(field: string): string | null {
    const tally = this.#doubtful.find((one) => one.field === field);
    if (tally === undefined) return field === this.#main ? this.#paidBackOfPreview : null;
    const { negative, all } = tally;
    const which = negative === all ? 'Every amount is' : `${countWords(negative)} of ${countWords(all)} amounts are`;
    return `${which} negative${this.#effectOf(tally)}`;
  }

  get #paidBackOfPreview(): string | null {
    if (!this.#paidBack || this.#counted === 0) return null;
    const amounts = this.#counted === 1 ? '1 amount is' : `${countWords(this.#counted)} amounts are`;
    return `Among the first rows, ${amounts} negative. ${this.#paidBack.words}`;
  }

  get warnings(): CountedDoubt[] {
    const doubtful = this.#doubtful;
    const ofSign = doubtful.map((tally) => {
      const { field, negative, all } = tally;
      const rows = `${negative === all ? 'all' : `${countWords(negative)} of`} ${countWords(all)} rows with a value`;
      const reason = `is negative in ${rows}${this.#effectOf(tally)}`;
      return { field, column: fieldTitle(this.#dataset, field), reason, count: negative };
    });
    const [field, count] = [this.#main, this.#counted];
    if (!this.#paidBack || field === null || count === 0 || doubtful.some((one) => one.field === field)) return ofSign;
    const reason = `is negative in ${plural(count, 'row')}. ${this.#paidBack.words}`;
    return [...ofSign, { field, column: fieldTitle(this.#dataset, field), reason, count }];
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
