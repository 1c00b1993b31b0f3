// Finds amounts in another currency than their row's.
import { countWords } from '#core/base/formats.ts';
import { datasetOf, fieldTitle } from '#core/numbers/datasets.ts';
import { find } from '#server/platform/imports/find-value.ts';
import { columnsRead, numberColumns, type Row } from '#server/platform/imports/mapping-rules.ts';
import { currencySignIn, numberText } from '#server/platform/imports/written-numbers.ts';
import { mainAmount } from '../batch.service.ts';
import type { NumberRow } from '../number-row.ts';
import { hasSign, isIsoCode } from './currency-words.ts';
import { type CountedDoubt, givenAmounts } from './mapping-doubts.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** More say nothing new. */
const mostNamed = 3;

type Written = { readonly field: string; readonly sign: string; readonly code: string; count: number };
type Amount = { readonly field: string; readonly column: string; readonly decimal: ',' | '.' };

/** Amounts written with the sign of another currency. Add the rows of a file, or its first ones. */
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

/** Fewer rows say too little, unless they are all. */
const fewest = { rows: 3, share: 0.2 } as const;

/** A column with the payout currency: `Converted Currency`, `settlement_currency`. */
const paidOut =
  /(convert|settle|payout|balance|abrechnung|auszahlung|umgerechnet|r[èe]glement|conversion|liquida[cç]).*(currency|w(ä|ae)hrung|devise|moneda|moeda|valuta)/i;

/**
 * Fees in another currency than their amount: payment systems charge fees in the payout currency. Add the
 * rows of a file, or its first ones.
 */
export class FeeDoubts {
  readonly #mapping: Pick<NumbersMapping, 'dataset' | 'fields'>;
  readonly #main: string | null;
  /** Columns that the mapping reads for the fee and the currency. */
  readonly #taken: readonly string[];
  readonly #isOff: boolean;
  /** Whether a column's name says the currency of the payout. */
  readonly #named = new Map<string, boolean>();
  #rows = 0;
  #larger = 0;
  /** Rows in which the column has another currency. */
  readonly #others = new Map<string, { count: number; readonly codes: Set<string> }>();

  constructor(mapping: Pick<NumbersMapping, 'dataset' | 'fields'>) {
    this.#mapping = mapping;
    this.#main = mainAmount(mapping.dataset);
    const { fee, currency } = mapping.fields;
    this.#isOff = fee === undefined || datasetOf(mapping.dataset).fields.fee === undefined;
    this.#taken = [fee, currency].flatMap((rule) => (rule === undefined ? [] : columnsRead(rule)));
  }

  add(row: Row, { values }: Pick<NumberRow, 'values'>): void {
    const [fee, main] = [values.fee, values[this.#main ?? '']];
    if (this.#isOff || typeof fee !== 'bigint' || fee <= 0n || typeof main !== 'bigint' || main <= 0n) return;
    this.#rows += 1;
    if (fee > main) this.#larger += 1;
    for (const column of Object.keys(row)) {
      if (!this.#isPaidOut(column)) continue;
      const code = String(find(column, row).value ?? '')
        .trim()
        .toUpperCase();
      if (!isIsoCode(code) || code === values.currency) continue;
      const found = this.#others.get(column) ?? { count: 0, codes: new Set() };
      found.count += 1;
      found.codes.add(code);
      this.#others.set(column, found);
    }
  }

  #isPaidOut(column: string): boolean {
    const known = this.#named.get(column);
    if (known !== undefined) return known;
    const isNamed = paidOut.test(column) && !this.#taken.includes(column);
    this.#named.set(column, isNamed);
    return isNamed;
  }

  #isMany(count: number): boolean {
    return count > 0 && (count === this.#rows || (count >= fewest.rows && count >= this.#rows * fewest.share));
  }

  get warnings(): CountedDoubt[] {
    const { dataset } = this.#mapping;
    const titleOf = (field: string) => fieldTitle(dataset, field);
    const about = { field: 'fee', column: titleOf('fee') };
    const rowsOf = (count: number) => `${countWords(count)} of ${countWords(this.#rows)} rows with a fee`;
    const other = [...this.#others].find(([, { count }]) => this.#isMany(count));
    const remedy = `If so, choose columns in that currency for ${titleOf(this.#main ?? '')} and Currency, or “Nothing” for Fee`;
    if (other !== undefined) {
      const [column, { count, codes }] = other;
      const [code, ...more] = codes;
      const currency = more.length === 0 ? code : 'another currency';
      return [
        {
          ...about,
          count,
          reason: `may be in ${currency}: “${column}” ${more.length === 0 ? `is ${code}` : 'differs'} in ${rowsOf(count)}. ${remedy}`,
        },
      ];
    }
    if (!this.#isMany(this.#larger)) return [];
    const reason = `is more than ${titleOf(this.#main ?? '')} in ${rowsOf(this.#larger)}, so it may be in another currency. ${remedy}`;
    return [{ ...about, count: this.#larger, reason }];
  }
}

const currencyName = /^(currency|currencycode|ccy|cur|w(ä|ae)hrung|devise|moneda|divisa|moeda|valuta)$/;

/** The words of a column's name: `convertedCurrency`, `Converted Currency`. */
const namedWords = (column: string): string[] =>
  column
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
const ownWords = (column: string): string[] =>
  namedWords(column).filter((word) => !currencyName.test(word) && word !== 'code' && word !== 'iso');

type Pair = { readonly field: string; readonly amount: string; readonly other: string; count: number; rows: number };

/**
 * Amounts of one column with the code of another one's: exports give the amount as paid and as paid out, each
 * with its currency. Add the rows of a file, or its first ones.
 */
export class PairDoubts {
  readonly #dataset: NumbersMapping['dataset'];
  /** The column of the currency; null if it is the same for all rows. */
  readonly #currency: string | null;
  readonly #isOff: boolean;
  readonly #amounts: readonly { readonly field: string; readonly column: string }[];
  readonly #pairs = new Map<string, readonly Pair[]>();

  constructor({ dataset, fields }: Pick<NumbersMapping, 'dataset' | 'fields'>) {
    this.#dataset = dataset;
    const columns = fields.currency === undefined ? [] : columnsRead(fields.currency);
    this.#currency = columns[0] ?? null;
    this.#isOff = columns.length > 1 || datasetOf(dataset).currency === null;
    this.#amounts = givenAmounts(dataset, fields).flatMap(({ field, rule }) => {
      // A calculated amount can be a converted one, and fees have a check of their own.
      const [[column] = [], ...others] = field === 'fee' ? [] : numberColumns(rule);
      return column === undefined || others.length > 0 ? [] : [{ field, column }];
    });
  }

  add(row: Row, { values }: Pick<NumberRow, 'values'>): void {
    if (this.#isOff || this.#amounts.length === 0) return;
    for (const column of Object.keys(row)) {
      const pairs = this.#pairsWith(column);
      if (pairs.length === 0) continue;
      const code = String(find(column, row).value ?? '')
        .trim()
        .toUpperCase();
      if (!isIsoCode(code)) continue;
      for (const pair of pairs) {
        // The name of the amount can have its currency.
        if (!values[pair.field] || namedWords(pair.amount).includes(String(values.currency).toLowerCase())) continue;
        pair.rows += 1;
        if (code !== values.currency) pair.count += 1;
      }
    }
  }

  /** The amounts whose currency the column seems to be. */
  #pairsWith(column: string): readonly Pair[] {
    const known = this.#pairs.get(column);
    if (known !== undefined) return known;
    const isCurrency = column !== this.#currency && namedWords(column).some((word) => currencyName.test(word));
    const found = isCurrency ? this.#amounts.filter((amount) => this.#isOf(column, amount.column)) : [];
    const pairs = found.map(({ field, column: amount }) => ({ field, amount, other: column, count: 0, rows: 0 }));
    this.#pairs.set(column, pairs);
    return pairs;
  }

  #isOf(column: string, amount: string): boolean {
    const words = namedWords(amount);
    const shared = (one: string | null) => (one === null ? [] : ownWords(one).filter((word) => words.includes(word)));
    const chosen = shared(this.#currency).length;
    const isPlain = ownWords(column).length === 0 && chosen === 0 && paidOut.test(this.#currency ?? '');
    return isPlain || shared(column).length > chosen;
  }

  get warnings(): CountedDoubt[] {
    const title = fieldTitle(this.#dataset, 'currency');
    const differing = [...this.#pairs.values()].flat().filter(({ count }) => count > 0);
    return differing.slice(0, mostNamed).map(({ field, amount, other, count, rows }) => {
      const column = fieldTitle(this.#dataset, field);
      const from = this.#currency === null ? 'the same for all rows' : `“${this.#currency}”`;
      const reason = `is “${amount}”, but ${title} is ${from}. “${other}” differs from it in ${countWords(count)} of ${countWords(rows)} rows. Choose “${other}” for ${title}, or an amount in that currency`;
      return { field, column, count, reason };
    });
  }
}
