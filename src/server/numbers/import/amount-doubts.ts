// Finds amounts that are read with the wrong size or sign.
import { countWords, currencyDigits, plural } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf, fieldTitle, isOftenRate } from '#core/numbers/datasets.ts';
import { negativesChoice } from '#core/numbers/imports.ts';
import { decimalText, parseDecimal, roundHalfToEven } from '#server/platform/imports/decimals.ts';
import { find } from '#server/platform/imports/find-value.ts';
import { numberColumns, partsOf, type Row, type Rule } from '#server/platform/imports/mapping-rules.ts';
import { mainAmount } from '../batch.service.ts';
import type { NumberRow, NumberValue } from '../number-row.ts';
import { isIsoCode } from './currency-words.ts';
import { type CountedDoubt, givenAmounts, priceColumn, unmultiplied } from './mapping-doubts.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

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
    words: `If these are refunds, they would wrongly count as orders. Check “${negativesChoice}”`,
  },
  donations: {
    counted: 'completed',
    words:
      'If these are refunds, they correctly reduce Gross, but also count as gifts. If these are fees or expenses, leave rows below 0 out',
  },
  payouts: {
    counted: 'paid',
    words:
      'If these are returned payouts, they correctly reduce the total, but also count as payouts. If these are fees, leave rows below 0 out',
  },
  payments: {
    counted: 'paid',
    words: 'If these are refunds, they reduce Paid, but Refund rate doesn’t count them',
  },
};

/** What a negative amount with such a status does where each row is an attempt. */
const ownRowWords: Partial<Record<DatasetKey, string>> = {
  payments:
    'Each of these rows counts as another paid attempt. Leave them out, and give the payments that they refund the status “Refunded”',
};

type Tally = { readonly field: string; readonly rule: Rule; negative: number; all: number };

/**
 * Amounts with the wrong sign: a ledger writes what was paid as negative, so numbers would fall as it
 * rises, and negative gifts or orders reduce totals. Add the rows of a file, or its first ones.
 */
export class NegativeDoubts {
  readonly #dataset: DatasetKey;
  readonly #tallies: readonly Tally[];
  readonly #main: string | null;
  readonly #paidBack: (typeof paidBackWords)[DatasetKey];
  /** Negative main amounts that count. */
  #counted = 0;
  /** Rows that only say what was refunded or disputed. */
  #ownRows = 0;

  constructor(dataset: DatasetKey, rules: NumbersMapping['fields']) {
    this.#dataset = dataset;
    this.#main = mainAmount(dataset);
    this.#paidBack = paidBackWords[dataset];
    this.#tallies = givenAmounts(dataset, rules).map((given) => ({ ...given, negative: 0, all: 0 }));
  }

  add({ values }: Pick<NumberRow, 'values'>): void {
    if (mayReduce[this.#dataset]?.includes(String(values.status))) {
      const amount = this.#main === null ? null : values[this.#main];
      if (typeof amount === 'bigint' && amount < 0n) this.#ownRows += 1;
      return;
    }
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
    if (tally === undefined) return field === this.#main ? (this.#paidBackOfPreview ?? this.#ownRowsOfPreview) : null;
    const { negative, all } = tally;
    const which = negative === all ? 'Every amount is' : `${countWords(negative)} of ${countWords(all)} amounts are`;
    return `${which} negative${this.#effectOf(tally)}`;
  }

  get #paidBackOfPreview(): string | null {
    if (!this.#paidBack || this.#counted === 0) return null;
    const amounts = this.#counted === 1 ? '1 amount is' : `${countWords(this.#counted)} amounts are`;
    return `Among the first rows, ${amounts} negative. ${this.#paidBack.words}`;
  }

  get #ownRowsOfPreview(): string | null {
    const words = ownRowWords[this.#dataset];
    if (words === undefined || this.#ownRows === 0) return null;
    return `Among the first rows, ${plural(this.#ownRows, 'refund or dispute is', 'refunds or disputes are')} negative. ${words}`;
  }

  get warnings(): CountedDoubt[] {
    const words = ownRowWords[this.#dataset];
    if (words === undefined || this.#main === null || this.#ownRows === 0) return this.#signWarnings;
    const reason = `is negative in ${plural(this.#ownRows, 'refunded or disputed row')}. ${words}`;
    const column = fieldTitle(this.#dataset, this.#main);
    return [...this.#signWarnings, { field: this.#main, column, reason, count: this.#ownRows }];
  }

  get #signWarnings(): CountedDoubt[] {
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
    return isSale ? `${hint}. If these are refunds, check “${negativesChoice}” instead` : hint;
  }
}

const one = 10_000n;

/**
 * Rates that are read as amounts: their sum would be far too small. Add the rows of a file, or its first
 * ones.
 */
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

/**
 * Amounts in cents: payment systems often give them in the smallest unit. Then no amount has decimals, not
 * even zeros. Add the rows of a file, or its first ones.
 */
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

type RoundedField = { readonly field: string; count: number; given: bigint; read: bigint };

/** Enough for what sources write. */
const places = 8;

/** What rounding changes of counts with decimals. Add the rows of a file, or its first ones. */
export class RoundedDoubts {
  readonly #dataset: NumbersMapping['dataset'];
  readonly #fields: readonly RoundedField[];

  constructor({ dataset, round = [] }: Pick<NumbersMapping, 'dataset' | 'round'>) {
    this.#dataset = dataset;
    this.#fields = round.map((field) => ({ field, count: 0, given: 0n, read: 0n }));
  }

  add(_row: Row, { values, texts }: Pick<NumberRow, 'values' | 'texts'>): void {
    for (const one of this.#fields) {
      const given = texts[one.field] === undefined ? null : parseDecimal(texts[one.field]!);
      if (given === null) continue;
      one.count += 1;
      one.given += roundHalfToEven(given, places).units;
      one.read += BigInt(Number(values[one.field]));
    }
  }

  get warnings(): CountedDoubt[] {
    return this.#fields
      .filter(({ count }) => count > 0)
      .map(({ field, count, given, read }) => ({
        ...{ field, count, column: fieldTitle(this.#dataset, field) },
        reason: `is rounded in ${plural(count, 'row')}: ${decimalText({ digits: given, scale: places })} in total became ${read}`,
      }));
  }
}

const anyPrice = /(^|[^\p{L}])(price|rate|mrp|preis|prix|precio|preço|prijs)([^\p{L}]|$)/iu;
const wholePrice = /total|subtotal|gesamt|\b(sum|amount|line|order|ext|extended)\b/i;
const isPrice = (column: string): boolean => {
  const words = column.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');
  // A name that says so is a doubt whatever the rows have.
  return anyPrice.test(words) && !wholePrice.test(words) && !priceColumn.test(column);
};

/**
 * A price that isn't multiplied by its quantity, which would be summed as the line's amount. Add the rows of
 * a file, or its first ones.
 */
export class PriceDoubts {
  readonly #dataset: NumbersMapping['dataset'];
  readonly #field: string | null;
  readonly #column: string | undefined;
  #several = 0;

  constructor({ dataset, fields }: Pick<NumbersMapping, 'dataset' | 'fields'>) {
    this.#dataset = dataset;
    this.#field = mainAmount(dataset);
    const rule = fields.quantity === undefined ? undefined : fields[this.#field ?? ''];
    this.#column = rule === undefined ? undefined : unmultiplied(rule).find(isPrice);
  }

  add(_row: Row, { values }: Pick<NumberRow, 'values'>): void {
    if (this.#column !== undefined && Number(values.quantity) > 1 && values[this.#field ?? '']) this.#several += 1;
  }

  get warnings(): CountedDoubt[] {
    const [field, column, count] = [this.#field, this.#column, this.#several];
    if (field === null || column === undefined || count === 0) return [];
    const reason = `may be a unit price, and ${fieldTitle(this.#dataset, 'quantity')} is above 1 in ${plural(count, 'row')}. If so, choose “Multiply columns” and add the quantity`;
    return [{ field, column, reason, count }];
  }
}
