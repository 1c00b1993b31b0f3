// Finds amounts that are already without their discount, refund or fee, which numbers would subtract again.
import { countWords, listWords } from '#core/base/formats.ts';
import { type DatasetKey, fieldTitle } from '#core/numbers/datasets.ts';
import { parseDecimal, roundHalfToEven } from '#server/platform/imports/decimals.ts';
import { find } from '#server/platform/imports/find-value.ts';
import { columnsRead, numberColumns, type Row } from '#server/platform/imports/mapping-rules.ts';
import { numberText } from '#server/platform/imports/written-numbers.ts';
import { mainAmount } from '../batch.service.ts';
import type { NumberRow, NumberValue } from '../number-row.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** What an amount has to include, and what happens to numbers otherwise. */
type Deductions = { readonly parts: readonly string[]; readonly effect: (words: string) => string };

const deductions: Partial<Record<DatasetKey, Deductions>> = {
  orders: { parts: ['discount', 'refunded'], effect: (words) => `net sales would subtract the ${words} twice` },
  donations: { parts: ['fee'], effect: (words) => `Net of fees would subtract the ${words} twice` },
  payments: { parts: ['fee'], effect: (words) => `Paid would leave out the ${words}` },
};
const words: Readonly<Record<string, string>> = { discount: 'discount', refunded: 'refund', fee: 'fee' };

/** Fewer rows say too little. */
const fewestRows = 3;
/** More would cost time in a large file. */
const mostRows = 300;
const mostColumns = 30;
const nearlyAll = 0.9;
/** Totals are rounded: 3 x 33.33. */
const cent = 100n;

/** Rows that a column explains: alone, or with another column that is added, such as shipping. */
type Explained = {
  readonly column: string;
  readonly isTimes: boolean;
  readonly parts: readonly string[];
  plain: number;
  readonly added: Map<string, number>;
};

/** Add the rows of a file, or its first ones. */
export class DeductedDoubts {
  readonly #dataset: DatasetKey;
  readonly #fields: NumbersMapping['fields'];
  readonly #main: string | null;
  readonly #about: Deductions | undefined;
  /** Columns of other fields are neither prices nor shipping. */
  readonly #taken: ReadonlySet<string>;
  readonly #decimal: ',' | '.';
  readonly #explained = new Map<string, Explained>();
  /** By column: rows whose amount it shows to include the parts. */
  readonly #included = new Map<string, number>();
  #rows = 0;
  readonly #rowsOf = new Map<string, number>();

  constructor({ dataset, fields }: Pick<NumbersMapping, 'dataset' | 'fields'>) {
    this.#dataset = dataset;
    this.#fields = fields;
    this.#main = mainAmount(dataset);
    const main = this.#main === null ? undefined : fields[this.#main];
    // A calculated amount is made of its columns.
    const isGiven = main !== undefined && !(typeof main === 'object' && 'constant' in main);
    this.#about = isGiven ? deductions[dataset] : undefined;
    const own = [this.#main ?? '', 'quantity', ...(this.#about?.parts ?? [])];
    this.#taken = new Set(own.flatMap((field) => read(fields[field])));
    this.#decimal = main === undefined ? '.' : (numberColumns(main)[0]?.[1] ?? '.');
  }

  add(row: Row, { values }: Pick<NumberRow, 'values'>): void {
    const parts = this.#about?.parts.filter((part) => moneyOf(values[part]) > cent * 4n) ?? [];
    const main = moneyOf(values[this.#main ?? '']);
    if (parts.length === 0 || main === 0n || this.#rows === mostRows) return;
    this.#rows += 1;
    for (const part of parts) this.#rowsOf.set(part, (this.#rowsOf.get(part) ?? 0) + 1);
    const amounts = this.#amountsIn(row);
    const quantity = typeof values.quantity === 'number' ? BigInt(values.quantity) : 1n;
    const sums = subsetsOf(parts).map((some) => ({
      parts: some,
      sum: some.reduce((so, part) => so + moneyOf(values[part]), 0n),
    }));
    for (const [column, amount] of amounts)
      for (const isTimes of [false, true]) {
        const whole = isTimes ? amount * quantity : amount;
        // A price times its quantity, or what is left after the parts.
        const isIncluded = isTimes
          ? isNear(whole, main) && (quantity !== 1n || saysPrice(column))
          : isNear(whole + sums[0]!.sum, main);
        if (isIncluded) this.#included.set(column, (this.#included.get(column) ?? 0) + 1);
        for (const { parts: some, sum } of sums)
          this.#explain({ column, isTimes, parts: some }, main - whole + sum, sum, moneyOf(values.tax), amounts);
      }
  }

  #explain(
    about: Pick<Explained, 'column' | 'isTimes' | 'parts'>,
    rest: bigint,
    sum: bigint,
    tax: bigint,
    amounts: ReadonlyMap<string, bigint>,
  ): void {
    const key = JSON.stringify(about);
    const one = this.#explained.get(key) ?? { ...about, plain: 0, added: new Map<string, number>() };
    const add = (added: string) => one.added.set(added, (one.added.get(added) ?? 0) + 1);
    if (isNear(rest, 0n)) one.plain += 1;
    else if (rest > 0n && !isNear(rest, sum)) {
      if (isNear(rest, tax)) add('Tax');
      else
        for (const [column, amount] of amounts)
          if (column !== about.column && (amount === rest || (tax > 0n && amount === rest - tax))) add(`“${column}”`);
    }
    if (one.plain > 0 || one.added.size > 0) this.#explained.set(key, one);
  }

  #amountsIn(row: Row): ReadonlyMap<string, bigint> {
    const found = new Map<string, bigint>();
    for (const column of Object.keys(row)) {
      const amount = this.#taken.has(column) ? 0n : amountIn(row, column, this.#decimal);
      if (amount > cent) found.set(column, amount);
      if (found.size === mostColumns) break;
    }
    return found;
  }

  get warnings(): {
    readonly field: string;
    readonly column: string;
    readonly reason: string;
    readonly count: number;
  }[] {
    const found = [...this.#explained.values()]
      .map((one) => ({
        ...one,
        ...mostAdded(one),
        rows: Math.min(...one.parts.map((part) => this.#rowsOf.get(part)!)),
      }))
      .filter(({ count, rows }) => count >= fewestRows && count >= rows * nearlyAll);
    const best = found.reduce<(typeof found)[number] | null>(
      (so, one) => (so === null || one.count > so.count ? one : so),
      null,
    );
    if (best === null || this.#main === null) return [];
    const title = fieldTitle(this.#dataset, this.#main);
    const titles = best.parts.map((part) => fieldTitle(this.#dataset, part));
    const named = best.parts.map((part) => words[part]!);
    const times = best.isTimes ? ` × “${read(this.#fields.quantity)[0] ?? 'Quantity'}”` : '';
    const more = best.most === '' ? '' : ` + ${best.most}`;
    const sum = [`“${best.column}”${times}`, ...titles].join(' − ') + more;
    const remedy = best.isTimes ? '“Multiply columns” with both' : `“${best.column}”`;
    const rows = `${countWords(best.count)} of ${countWords(best.rows)} rows with a ${listWords(named, 'or')}`;
    const reason = `is ${sum} in ${rows}, so ${this.#about!.effect(listWords(named))}. Choose ${remedy} for ${title}, or nothing for ${listWords(titles)}`;
    return [{ field: this.#main, column: title, reason, count: best.count }];
  }

  /** A total after discounts and one before them can have the same name. */
  get unclear(): { readonly field: string; readonly reason: string }[] {
    const main = this.#main === null ? undefined : this.#fields[this.#main];
    const [column, ...others] = read(main);
    const isShown = [...this.#included.values()].some((count) => count >= this.#rows * nearlyAll);
    if (this.#dataset !== 'orders' || !this.#rowsOf.has('discount') || isShown || this.warnings.length > 0) return [];
    if (column === undefined || others.length > 0 || saysWhole.test(column)) return [];
    const reason = `“${column}” may already be without the discount, which net sales subtract. If it is, choose nothing for Discount`;
    return [{ field: 'discount', reason }];
  }
}

const read = (rule: NumbersMapping['fields'][string] | undefined): readonly string[] =>
  rule === undefined ? [] : columnsRead(rule);

const moneyOf = (value: NumberValue | undefined): bigint => (typeof value === 'bigint' ? value : 0n);

const isNear = (one: bigint, other: bigint): boolean => one - other <= cent && other - one <= cent;

const price = /price|preis|prix|pre[cç]i?o|prijs|prezzo/i;
const saysPrice = (column: string): boolean => price.test(column.normalize('NFC'));
const saysWhole = new RegExp(`gross|brut|before|list|${price.source}`, 'i');

/** Of one or two. */
const subsetsOf = (parts: readonly string[]): readonly (readonly string[])[] =>
  parts.length > 1 ? [parts, ...parts.map((part) => [part])] : [parts];

function amountIn(row: Row, column: string, decimal: ',' | '.'): bigint {
  const text = String(find(column, row).value ?? '').trim();
  const number = /\d/.test(text) && text.length <= 30 ? parseDecimal(numberText(text, decimal).value ?? '') : null;
  return number === null ? 0n : roundHalfToEven(number, 4).units;
}

/** The rows that are explained alone, and with the column that explains most others. */
function mostAdded({ plain, added }: Explained): { readonly count: number; readonly most: string } {
  let [most, count] = ['', 0];
  for (const [name, rows] of added) if (rows > count) [most, count] = [name, rows];
  return { count: plain + count, most };
}
