// Finds amounts that are written with the sign of another currency than their row's.
import { countWords } from '#core/base/formats.ts';
import { datasetOf, fieldTitle } from '#core/numbers/datasets.ts';
import { find } from '#server/platform/imports/find-value.ts';
import { numberColumns, type Row } from '#server/platform/imports/mapping-rules.ts';
import { currencySignIn, numberText } from '#server/platform/imports/written-numbers.ts';
import type { NumberRow } from '../number-row.ts';
import { hasSign, isIsoCode } from './currency-words.ts';
import type { CountedDoubt } from './mapping-doubts.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** More say nothing new. */
const mostNamed = 3;

type Written = { readonly field: string; readonly sign: string; readonly code: string; count: number };
type Amount = { readonly field: string; readonly column: string; readonly decimal: ',' | '.' };

/** Add the rows of a file, or its first ones. */
export class SignDoubts {
  readonly #mapping: Pick<NumbersMapping, 'dataset' | 'fields'>;
  readonly #currency: string | null;
  readonly #amounts: readonly Amount[];
  readonly #wrong = new Map<string, Written>();

  constructor(mapping: Pick<NumbersMapping, 'dataset' | 'fields'>) {
    this.#mapping = mapping;
    const { fields, currency } = datasetOf(mapping.dataset);
    this.#currency = currency;
    this.#amounts = Object.keys(fields).flatMap((field) => {
      const rule = fields[field]!.type === 'money' ? mapping.fields[field] : undefined;
      return rule === undefined ? [] : numberColumns(rule).map(([column, decimal]) => ({ field, column, decimal }));
    });
  }

  add(row: Row, { values }: Pick<NumberRow, 'values'>): void {
    const code = values[this.#currency ?? ''];
    // Points and coins have no signs that are known.
    if (typeof code !== 'string' || !isIsoCode(code)) return;
    for (const amount of this.#amounts) {
      const { value } = find(amount.column, row);
      const sign = typeof value === 'string' ? currencySignIn(value) : null;
      if (sign === null || hasSign(code, sign)) continue;
      if (numberText(String(value), amount.decimal).value !== undefined) this.#note(amount.field, sign, code);
    }
  }

  #note(field: string, sign: string, code: string): void {
    const key = JSON.stringify([field, sign, code]);
    const one = this.#wrong.get(key) ?? { field, sign, code, count: 0 };
    one.count += 1;
    this.#wrong.set(key, one);
  }

  get warnings(): CountedDoubt[] {
    const found = [...this.#wrong.values()].toSorted((one, other) => other.count - one.count);
    return found.slice(0, mostNamed).map(({ field, sign, code, count }) => ({
      ...{ field, count, column: fieldTitle(this.#mapping.dataset, field) },
      reason: `has ${countWords(count)} ${count === 1 ? 'amount' : 'amounts'} written with ${sign}, but the currency is ${code}. Choose a column for Currency, or fix the file`,
    }));
  }
}
