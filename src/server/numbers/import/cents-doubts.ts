// Finds amounts in cents: payment systems often give them in the smallest unit. Then no amount has decimals, not
// even zeros.
import { currencyDigits } from '#core/base/formats.ts';
import { datasetOf, fieldTitle } from '#core/numbers/datasets.ts';
import { find } from '#server/platform/imports/find-value.ts';
import { numberColumns, partsOf, type Row, type Rule } from '#server/platform/imports/mapping-rules.ts';
import { mainAmount } from '../batch.service.ts';
import type { NumberRow, NumberValue } from '../number-row.ts';
import { isIsoCode } from './currency-words.ts';
import { type CountedDoubt, givenAmounts } from './mapping-doubts.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** Fewer rows say too little. */
const fewestRows = 3;

type Whole = {
  readonly field: string;
  readonly column: string;
  readonly isDivided: boolean;
  count: number;
  /** Each has three digits or more. */
  isLong: boolean;
};

/** Add the rows of a file, or its first ones. */
export class CentsDoubts {
  readonly #dataset: NumbersMapping['dataset'];
  readonly #currency: string | null;
  /** Amounts that have no decimals so far. */
  #whole: Whole[];
  #isPaid = true;

  constructor({ dataset, fields }: Pick<NumbersMapping, 'dataset' | 'fields'>) {
    this.#dataset = dataset;
    this.#currency = datasetOf(dataset).currency;
    this.#whole = givenAmounts(dataset, fields).flatMap(({ field, rule }) => {
      const [[column] = [], ...others] = numberColumns(rule);
      if (column === undefined || others.length > 0) return [];
      return [{ field, column, isDivided: multiplies(rule), count: 0, isLong: true }];
    });
  }

  add(row: Row, { externalId, values }: Pick<NumberRow, 'externalId' | 'values'>): void {
    if (this.#whole.length === 0) return;
    // The choice would divide every row.
    if (this.#currency !== null && !hasCents(values[this.#currency])) this.#whole = [];
    this.#isPaid &&= this.#dataset === 'payments' || isStripeId(externalId);
    for (const one of this.#whole) {
      const text = String(find(one.column, row).value ?? '').trim();
      if (!/[1-9]/.test(text)) continue;
      one.count += 1;
      if (!/^-?\d+$/.test(text)) this.#whole = this.#whole.filter((other) => other !== one);
      else one.isLong &&= text.replace('-', '').length > 2;
    }
  }

  get warnings(): CountedDoubt[] {
    const enough = this.#whole.filter(({ count }) => count > 0);
    const isFileOfCents = enough.some(
      ({ field, column, count, isLong }) =>
        field === mainAmount(this.#dataset) && count >= fewestRows && (saysCents(column) || (this.#isPaid && isLong)),
    );
    return enough
      .filter(({ column, count }) => isFileOfCents || (count >= fewestRows && saysCents(column)))
      .filter(({ isDivided }) => !isDivided)
      .map(({ field, count }) => ({
        ...{ field, count, column: fieldTitle(this.#dataset, field) },
        reason: 'has no decimals. If these are cents, choose “Amount in cents”',
      }));
  }
}

const multiplies = (rule: Rule): boolean =>
  typeof rule === 'object' && ('multiply' in rule || partsOf(rule).some(multiplies));

const centsWord = /(^|[^\p{L}])(cents?|pence|pennies|minor([ _-]?units?)?|öre|kuru[sş])([^\p{L}]|$)/iu;
const saysCents = (column: string): boolean => centsWord.test(column.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
const isStripeId = (id: string): boolean => /^(ch|pi|py|txn|re|pyr|in)_[A-Za-z0-9]{8,}/.test(id);

/** Yen have no smaller unit, and a Kuwaiti dinar has a thousand of them. */
const hasCents = (code: NumberValue | undefined): boolean =>
  typeof code === 'string' && isIsoCode(code) && currencyDigits(code) === 2;
