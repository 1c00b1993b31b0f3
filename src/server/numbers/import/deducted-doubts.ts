// Finds amounts that are already without their discount, refund or fee, which numbers would subtract again.
import { countWords, listWords } from '#core/base/formats.ts';
import { type DatasetKey, fieldTitle } from '#core/numbers/datasets.ts';
import { parseDecimal, roundHalfToEven } from '#server/platform/imports/decimals.ts';
import { find } from '#server/platform/imports/find-value.ts';
import { columnsRead, numberColumns, type Row } from '#server/platform/imports/mapping-rules.ts';
import { numberText } from '#server/platform/imports/written-numbers.ts';
import { mainAmount } from '../batch.service.ts';
import { amountOf, type NumberRow } from '../number-row.ts';
import type { CountedDoubt } from './mapping-doubts.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** What an amount has to include, and what happens to numbers otherwise. */
type Deductions = {
  readonly parts: readonly string[];
  readonly isSubtracted: boolean;
  readonly effect: (words: string) => string;
};

const deductions: Partial<Record<DatasetKey, Deductions>> = {
  orders: {
    parts: ['discount', 'refunded'],
    isSubtracted: true,
    effect: (words) => `net sales would subtract the ${words} twice`,
  },
  donations: { parts: ['fee'], isSubtracted: true, effect: (words) => `Net of fees would subtract the ${words} twice` },
  payments: { parts: ['fee'], isSubtracted: false, effect: (words) => `Paid would leave out the ${words}` },
};
const partWords: Readonly<Record<string, string>> = { discount: 'discount', refunded: 'refund', fee: 'fee' };

/** Fewer rows say too little. */
const fewestRows = 3;
/** More would cost time in a large file. */
const mostRows = 300;
const mostColumns = 40;
const nearlyAll = 0.9;
/** Totals are rounded: 3 x 33.33. */
const cent = 100n;

/** Rows that a column explains: alone, or with what is added, such as shipping. */
type Explained = {
  readonly column: string;
  readonly isTimes: boolean;
  readonly parts: readonly string[];
  plain: number;
  readonly added: Map<string, number>;
};

/** The amounts of a row. */
type Amounts = {
  readonly main: bigint;
  /** Of all parts. */
  readonly sum: bigint;
  /** All parts, and the discount alone: a total can be before a refund. */
  readonly sums: readonly bigint[];
  readonly quantity: bigint;
  readonly tax: bigint;
  readonly columns: ReadonlyMap<string, bigint>;
  readonly extras: readonly Extra[];
};
/** What a total has on top: tax, shipping, or both. */
type Extra = { readonly name: string; readonly amounts: readonly bigint[] };

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
  /** By parts and column: rows whose amount it shows to include the parts. */
  readonly #included = new Map<string, Map<string, number>>();
  #rows = 0;
  /** By parts. */
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
    const parts = this.#about?.parts.filter((part) => amountOf(values[part]) > cent * 4n) ?? [];
    const main = amountOf(values[this.#main ?? '']);
    if (parts.length === 0 || main === 0n || this.#rows === mostRows) return;
    this.#rows += 1;
    const key = parts.join(' ');
    count(this.#rowsOf, key);
    const amounts = this.#amountsOf(row, values, parts);
    const included = this.#included.get(key) ?? new Map<string, number>();
    this.#included.set(key, included);
    for (const [column, amount] of amounts.columns) {
      if (showsParts(column, amount, amounts)) count(included, column);
      for (const isTimes of [false, true])
        this.#explain({ column, isTimes, parts }, isTimes ? amount * amounts.quantity : amount, amounts);
    }
  }

  #amountsOf(row: Row, values: NumberRow['values'], parts: readonly string[]): Amounts {
    const columns = this.#amountsIn(row);
    const ofParts = parts.map((part) => amountOf(values[part]));
    const sum = sumOf(ofParts);
    const mapped = amountOf(values.tax);
    const ofColumn = [...columns].find(([column, amount]) => amount > cent && saysTax(column));
    const [taxName, tax] = mapped > cent || !ofColumn ? ['Tax', mapped] : [`“${ofColumn[0]}”`, ofColumn[1]];
    const extras: Extra[] = tax > cent ? [{ name: taxName, amounts: [tax] }] : [];
    for (const [column, amount] of columns)
      if (amount > cent && saysExtra(column)) {
        extras.push({ name: `“${column}”`, amounts: [amount] });
        if (tax > cent) extras.push({ name: `“${column}” + ${taxName}`, amounts: [amount, tax] });
      }
    return {
      main: amountOf(values[this.#main ?? '']),
      sum,
      sums: parts.length > 1 ? [sum, ofParts[0]!] : [sum],
      quantity: typeof values.quantity === 'number' ? BigInt(values.quantity) : 1n,
      tax,
      columns,
      extras,
    };
  }

  #explain(
    about: Pick<Explained, 'column' | 'isTimes' | 'parts'>,
    whole: bigint,
    { main, sum, extras }: Pick<Amounts, 'main' | 'sum' | 'extras'>,
  ): void {
    const rest = main - whole + sum;
    const isPlain = whole > cent && isNear(rest, 0n);
    // A column that is the sum itself leaves a copy of the amount, which says nothing.
    const isPair =
      !isPlain && whole > cent && !isNear(whole, sum) && !saysTax(about.column) && !saysExtra(about.column);
    const added = isPair
      ? extras.filter(({ amounts }) => !amounts.some((one) => isNear(one, sum)) && isNear(sumOf(amounts), rest))
      : [];
    if (!isPlain && added.length === 0) return;
    const key = JSON.stringify(about);
    const one = this.#explained.get(key) ?? { ...about, plain: 0, added: new Map<string, number>() };
    this.#explained.set(key, one);
    if (isPlain) one.plain += 1;
    for (const { name } of added) count(one.added, name);
  }

  #amountsIn(row: Row): ReadonlyMap<string, bigint> {
    const found = new Map<string, bigint>();
    for (const column of Object.keys(row)) {
      const amount = this.#taken.has(column) ? null : amountIn(row, column, this.#decimal);
      if (amount !== null && amount >= 0n) found.set(column, amount);
      if (found.size === mostColumns) break;
    }
    return found;
  }

  /** Whether a column shows that the amounts of nearly all rows include their parts. */
  #isShown(isOf: (parts: string) => boolean): boolean {
    const rows = [...this.#rowsOf].filter(([parts]) => isOf(parts)).reduce((so, [, some]) => so + some, 0);
    const shown = new Map<string, number>();
    for (const [parts, columns] of this.#included)
      if (isOf(parts)) for (const [column, some] of columns) shown.set(column, (shown.get(column) ?? 0) + some);
    return [...shown.values()].some((some) => some >= rows * nearlyAll);
  }

  get warnings(): CountedDoubt[] {
    if (this.#main === null || this.#isShown(() => true)) return [];
    const found = [...this.#explained.values()]
      .map((one) => ({ ...one, ...mostAdded(one), rows: this.#rowsOf.get(one.parts.join(' '))! }))
      .filter((one) => one.count >= fewestRows && one.count >= one.rows * nearlyAll)
      .filter((one) => !this.#isShown((parts) => parts === one.parts.join(' ')));
    const best = found.reduce<(typeof found)[number] | null>(
      (so, one) => (so === null || one.count > so.count ? one : so),
      null,
    );
    if (best === null) return [];
    const { effect, isSubtracted } = this.#about!;
    const title = fieldTitle(this.#dataset, this.#main);
    const titles = best.parts.map((part) => fieldTitle(this.#dataset, part));
    const times = best.isTimes ? ` × “${read(this.#fields.quantity)[0] ?? 'Quantity'}”` : '';
    const more = best.most === '' ? '' : ` + ${best.most}`;
    const sum = [`“${best.column}”${times}`, ...titles].join(' − ') + more;
    const remedy = best.isTimes ? '“Multiply columns” with both' : `“${best.column}”`;
    const or = isSubtracted ? `, or “Nothing” for ${listWords(titles)}` : '';
    const named = listWords(best.parts.map((part) => partWords[part]!));
    const reason = `is ${sum} in ${this.#rowWords(best)}, so ${effect(named)}. Choose ${remedy} for ${title}${or}`;
    return [{ field: this.#main, column: title, reason, count: best.count }];
  }

  #rowWords({ parts, count: some, rows }: Pick<Explained, 'parts'> & { count: number; rows: number }): string {
    const isOnly = [...this.#rowsOf.keys()].some(
      (key) => key !== parts.join(' ') && parts.every((part) => key.includes(part)),
    );
    const all = `${this.#rows < mostRows ? '' : 'the first '}${countWords(rows)}`;
    const named = listWords(parts.map((part) => `a ${partWords[part]!}`));
    return `${countWords(some)} of ${all} rows with ${isOnly ? 'only ' : ''}${named}`;
  }

  /** A total after discounts and one before them can have the same name. */
  get unclear(): { readonly field: string; readonly reason: string }[] {
    if (this.#dataset !== 'orders' || this.warnings.length > 0) return [];
    const main = this.#main === null ? undefined : this.#fields[this.#main];
    const [column, ...others] = read(main);
    if (column === undefined || others.length > 0 || saysWhole(column)) return [];
    const isOf = (parts: string) => parts.includes('discount');
    const rows = [...this.#rowsOf].filter(([parts]) => isOf(parts)).reduce((so, [, some]) => so + some, 0);
    if (rows < fewestRows || this.#isShown(isOf)) return [];
    const reason = `“${column}” may already have the discount deducted, so net sales would deduct it twice. If so, choose “Nothing” for Discount`;
    return [{ field: 'discount', reason }];
  }
}

const read = (rule: NumbersMapping['fields'][string] | undefined): readonly string[] =>
  rule === undefined ? [] : columnsRead(rule);

const isNear = (one: bigint, other: bigint): boolean => one - other <= cent && other - one <= cent;

/** Its words between spaces: “ unit price ” for UnitPrice. */
const wordsIn = (column: string): string =>
  ` ${(
    column
      .normalize('NFC')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  ).join(' ')} `;

const price = /price|preis|prix|pre[cç]i?o|prijs|prezzo/;
const unit = / (unit|each |per |line ?items? ?|items? |einzel|st[üu]ck|stuks|eenheid)/;
const discount = '(discount|coupon|promo|rabatt|nachl[aä]ss|remise|r[ée]duction|descuento|desconto|korting|sconto)';
const beforeDiscount = new RegExp(
  ` (before|pre|without|vor|ohne|avant|sans|antes|sin|sem|voor|zonder|prima|senza)( (any|the|all|tax|and|dem|la|de|do|di))* ${discount}`,
);
const isBefore =
  / (before|vorher|avant|antes) $| (original|regular|regulär|ursprünglich|r[ée]gulier|list |listen?preis|uvp |rrp |msrp |compare at )/;
/** Ours, and Shopify’s. */
const isGross = /^ gross (sales )?$/;
const isAfter =
  / (after|net(te?|t?o\p{L}*)? |final|tota|paid |discounted|reduced|nach |end(preis|betrag|summe)|gesamt|[bg]ezahlt|rabattiert|reduziert|apr[èe]s |pay[ée] |remisé |r[ée]duit|despu[ée]s|pagad?o |rebajad|descontad|con descuento|depois|ap[óo]s |l[íi]quid|com desconto|na |betaald|eind|dopo |pagato|scontat)/u;

/** Of one unit, and without its discount as far as the name says. */
const saysPrice = (column: string): boolean => price.test(wordsIn(column)) && !isAfter.test(wordsIn(column));

function saysWhole(column: string): boolean {
  const name = wordsIn(column);
  if (beforeDiscount.test(name)) return true;
  return !isAfter.test(name) && (isBefore.test(name) || isGross.test(name) || (price.test(name) && unit.test(name)));
}

const tax = / (tax|taxes|vat|gst|mw ?st|ust|umsatzsteuer|mehrwertsteuer|steuer|tva|taxe|iva|impuestos?|impostos?|btw) /;
const shippingOrFee =
  / (shipping|delivery|freight|postage|handling|fees? |versand|porto |liefer|fracht|geb[üu]hr|livraison|frais|env[íi]o|frete|verzend|spedizione)/;
/** Totals “incl. tax”, “without shipping”, and a discount on shipping. */
const isOther = new RegExp(
  ` (in[ck]l|ex[ck]?l? |ex[ck]lu|with|mit |ohne|zzgl|hors |avec |sans |sin |con |sem |com |ht |ttc |net|gross|brut|pre |before|after|free|subtotal|refund|${discount})`,
);
const saysTax = (column: string): boolean => tax.test(wordsIn(column)) && !isOther.test(wordsIn(column));
const saysExtra = (column: string): boolean =>
  shippingOrFee.test(wordsIn(column)) && !tax.test(wordsIn(column)) && !isOther.test(wordsIn(column));

/** Whether the main amount includes its parts: it is a price times its quantity, or the column is what is left. */
function showsParts(column: string, amount: bigint, { main, sums, quantity, tax, columns, extras }: Amounts): boolean {
  // Where a deduction is as much as the amount, tax would look like what is left.
  if (saysTax(column) || saysExtra(column)) return false;
  const isPrice = quantity === 1n ? saysPrice(column) : !isAfter.test(wordsIn(column));
  const more = main - amount * quantity;
  if (isPrice && (isNear(more, 0n) || extras.some((extra) => isNear(sumOf(extra.amounts), more)))) return true;
  return sums.some((sum) => {
    const rest = amount - main + sum;
    // A copy of the discount leaves a copy of the amount, but shipping can cost as much.
    const isAdded = (one: bigint) =>
      [...columns].some(
        ([other, added]) => other !== column && isNear(added, one) && (!isNear(one, sum) || saysExtra(other)),
      );
    return (tax > cent ? [rest, rest - tax] : [rest]).some((one) => isNear(one, 0n) || (one > 0n && isAdded(one)));
  });
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((so, one) => so + one, 0n);

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function amountIn(row: Row, column: string, decimal: ',' | '.'): bigint | null {
  const text = String(find(column, row).value ?? '').trim();
  const number = /\d/.test(text) && text.length <= 30 ? parseDecimal(numberText(text, decimal).value ?? '') : null;
  return number === null ? null : roundHalfToEven(number, 4).units;
}

/** The rows that are explained alone, and with the column that explains most others. */
function mostAdded({ plain, added }: Explained): { readonly count: number; readonly most: string } {
  let [most, count] = ['', 0];
  for (const [name, rows] of added) if (rows > count) [most, count] = [name, rows];
  return { count: plain + count, most };
}
