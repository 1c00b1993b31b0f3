// Finds values that can be imported but look wrong: in a preview's fields, and in a run's rows together.
import { countryName, isCountryCode } from '#core/base/countries.ts';
import { dayInZone } from '#core/base/day-words.ts';
import { countWords, currencyDigits, listWords, plural } from '#core/base/formats.ts';
import {
  causeWords,
  type DatasetKey,
  datasetOf,
  fieldTitle,
  isOftenRate,
  isReference,
  namesCause,
} from '#core/numbers/datasets.ts';
import { find } from '#server/platform/imports/find-value.ts';
import {
  columnsRead,
  type DurationRule,
  numberColumns,
  partsOf,
  type Row,
  type Rule,
} from '#server/platform/imports/mapping-rules.ts';
import { mainAmount } from '../batch.service.ts';
import type { NumberRow, NumberValue } from '../number-row.ts';
import { isIsoCode } from './currency-words.ts';
import { DeductedDoubts } from './deducted-doubts.ts';
import { EndDoubts } from './end-doubts.ts';
import { FeeDoubts } from './fee-doubts.ts';
import { NegativeDoubts } from './negative-doubts.ts';
import { ListDoubts } from './nested-columns.ts';
import { hasNumberedId, isNumberedWithoutDate, type NumbersMapping } from './numbers-mapping.ts';
import { RefundDoubts } from './refund-doubts.ts';
import { SignDoubts } from './sign-doubts.ts';

export type Doubt = {
  readonly field: string;
  readonly reason: string;
  /** The source that has the rows. */
  readonly source?: string;
  /** Nearly all rows are stored already: an import is asked about. */
  readonly countsTwice?: boolean;
  /** Texts that may mean a blank cell. */
  readonly missing?: readonly string[];
};

/** Fewer rows say too little. */
const fewestRows = 3;
const fewestReferences = 20;
const rowsOfReference = 10;
/** A donor can give every month of some years. */
const rowsOfPerson = 30;
const one = 10_000n;

export function doubtsOf(dataset: DatasetKey, mapping: NumbersMapping, rows: readonly NumberRow[]): Doubt[] {
  const main = mainAmount(dataset);
  const { fields } = datasetOf(dataset);
  const isMissing = main !== null && mapping.fields[main] === undefined && !fields[main]!.required;
  const missing = isMissing ? missingDoubts(dataset, main, mapping, rows) : [];
  const refunds = new RefundDoubts(dataset);
  for (const row of rows) refunds.add(row);
  const [ofRefunds] = refunds.warnings;
  const ends = new EndDoubts(dataset);
  for (const row of rows) ends.add(row);
  const [ofEnds] = ends.warnings;
  const negatives = new NegativeDoubts(dataset, mapping.fields);
  for (const row of rows) negatives.add(row);
  const doubtful = Object.keys(fields).flatMap((field) => {
    const rule = mapping.fields[field];
    // A value for all rows was typed on purpose.
    if (rule === undefined || (typeof rule === 'object' && 'constant' in rule)) return [];
    const values = rows.map((row) => row.values[field] ?? null).filter((value) => value !== null);
    const doubt =
      (isReference(field) && referenceDoubt(values, isPerson(dataset, field) ? rowsOfPerson : rowsOfReference)) ||
      (isOftenRate(field) && rateDoubt(field, main, rows)) ||
      (field === ofRefunds?.field && `${ofRefunds.column} ${ofRefunds.reason}`) ||
      negatives.ofPreview(field) ||
      (field === main && paidBackDoubt(dataset, field, rows)) ||
      (field === ofEnds?.field && `Among the first rows, ${ofEnds.column} ${ofEnds.reason}`) ||
      (typeof rule === 'object' && 'duration' in rule && durationDoubt(rule, values)) ||
      (field === 'country' && countryDoubt(columnsRead(rule), values)) ||
      (field === main && fields.quantity !== undefined && priceDoubt(rule));
    return doubt ? [{ field, reason: doubt }] : [];
  });
  return [
    ...missing,
    ...openDoubts(dataset, mapping),
    ...doubtful,
    ...(dataset === 'payouts' ? remittanceDoubts(rows) : []),
  ];
}

/** The backlog and the open conversations by age would grow by all of them. */
function openDoubts(dataset: DatasetKey, { fields }: NumbersMapping): Doubt[] {
  const tells = ['resolved_at', 'closed_at', 'status'].some((field) => fields[field] !== undefined);
  return dataset !== 'conversations' || tells
    ? []
    : [
        {
          field: 'status',
          reason:
            'Without a resolved date, closed date or status, all conversations count as open. Choose a column for one of them',
        },
      ];
}

/** Money for a cause that names another one, or none, is missing from every cause's balance. */
function remittanceDoubts(rows: readonly NumberRow[]): Doubt[] {
  const remittances = rows.filter(({ values }) => values.kind === 'remittance');
  const count = remittances.filter(({ values }) => !namesCause(String(values.program ?? ''))).length;
  if (count === 0) return [];
  const shown = `${countWords(count)} of the first ${plural(remittances.length, 'remittance')}`;
  const reason = `Names no cause in ${shown}, so they’re missing from each cause’s balance. For a cause, use ${causeWords}`;
  return [{ field: 'program', reason }];
}

/** Doubts about column names that the file has twice, which an import refuses. */
export function repeatedColumns(mapping: NumbersMapping | null, columns: readonly string[]): Doubt[] {
  const isRepeated = (column: string) => columns.indexOf(column) !== columns.lastIndexOf(column);
  return Object.entries(mapping?.fields ?? {}).flatMap(([field, rule]) => {
    const column = rule === undefined ? undefined : columnsRead(rule).find(isRepeated);
    return column === undefined
      ? []
      : [
          {
            field,
            reason: `The file has the column “${column}” twice. Rename or remove one, or the import will be refused`,
          },
        ];
  });
}

/** What looks wrong about the values of a run's rows together. */
export class ValueDoubts {
  readonly #refunds: RefundDoubts;
  readonly #negatives: NegativeDoubts;
  readonly #ofColumns: ReturnType<typeof columnDoubts>;
  readonly #ends: EndDoubts;

  constructor(mapping: NumbersMapping) {
    this.#refunds = new RefundDoubts(mapping.dataset);
    this.#negatives = new NegativeDoubts(mapping.dataset, mapping.fields);
    this.#ofColumns = columnDoubts(mapping);
    this.#ends = new EndDoubts(mapping.dataset);
  }

  add(row: Row, read: NumberRow): void {
    for (const doubts of [this.#refunds, this.#negatives, this.#ends]) doubts.add(read);
    for (const doubts of this.#ofColumns) doubts.add(row, read);
  }

  /** A refund that changes a stored row is its sale. */
  warnings(hasNewRows: boolean) {
    const refunds = this.#refunds.warnings;
    return [
      ...(hasNewRows ? refunds : []),
      ...this.#negatives.warnings.filter(({ field }) => !refunds.some((one) => one.field === field)),
      ...this.#ofColumns.flatMap(({ warnings }) => warnings),
      ...this.#ends.warnings,
    ];
  }
}

export type ReadRow = { readonly row: Row; readonly text: string; readonly read: NumberRow };

/** What the file's cells say beside the values that are read. */
export const rowDoubts = (mapping: NumbersMapping, rows: readonly ReadRow[], zone: string): Doubt[] => [
  ...centsDoubts(mapping, rows),
  ...numberedDoubts(mapping, rows, zone),
  ...amountDoubts(mapping, rows),
];

/** What the amounts of other columns, and how they are written, say of a row's amounts. */
const columnDoubts = (mapping: NumbersMapping) =>
  [new DeductedDoubts(mapping), new SignDoubts(mapping), new FeeDoubts(mapping), new ListDoubts(mapping)] as const;

function amountDoubts(mapping: NumbersMapping, rows: readonly ReadRow[]): Doubt[] {
  const all = columnDoubts(mapping);
  for (const { row, read } of rows) for (const doubts of all) doubts.add(row, read);
  const found = all.flatMap(({ warnings }) => warnings);
  return [...found.map(({ field, column, reason }) => ({ field, reason: `${column} ${reason}` })), ...all[0].unclear];
}

/** Doubts about ids that number rows: the next file can have the same ones, and copies count twice. */
export function numberedDoubts(mapping: NumbersMapping, rows: readonly ReadRow[], zone: string): Doubt[] {
  if (!hasNumberedId(mapping)) return [];
  const { datedBy } = datasetOf(mapping.dataset);
  const title = fieldTitle(mapping.dataset, 'external_id');
  const columns = columnsRead(mapping.fields.external_id!);
  const firstDays = new Map<string, string>();
  const isOfOtherDay = ({ row, read }: ReadRow): boolean => {
    const values = JSON.stringify(columns.map((column) => find(column, row).value));
    const dated = String(read.values[datedBy]);
    const day = dated.length > 10 ? dayInZone(dated, zone) : dated;
    if (!firstDays.has(values)) firstDays.set(values, day);
    return firstDays.get(values) !== day;
  };
  const others = isNumberedWithoutDate(mapping) ? rows.filter(isOfOtherDay).length : 0;
  const copies = rows.length - new Set(rows.map(({ text }) => text)).size;
  const dates = columnsRead(mapping.fields[datedBy] ?? noColumns);
  return [
    ...(others > 0 ? [{ field: 'external_id', reason: `${title} ${otherDayReason(dates[0])}` }] : []),
    ...(copies > 0 ? [{ field: 'external_id', reason: `Among the first rows, ${title} ${copiesReason(copies)}` }] : []),
  ];
}

const noColumns: Rule = { join: [], with: '' };

const otherDayReason = (date: string | undefined): string =>
  `restarts its numbering in each file, so importing other days would replace these rows. Add ${date === undefined ? 'the date' : `“${date}”`} to its columns`;

export const copiesReason = (count: number): string =>
  `counts ${count === 1 ? '1 row that is identical to an earlier line. If it’s a copy' : `${countWords(count)} rows that are identical to earlier lines. If they’re copies`}, turn off numbering`;

/** A file of refunds has no gross amounts: their sales are in other rows. */
function missingDoubts(
  dataset: DatasetKey,
  main: string,
  { fields }: NumbersMapping,
  rows: readonly NumberRow[],
): Doubt[] {
  if (dataset !== 'orders') return [{ field: main, reason: 'No column is chosen, so its totals will be unknown' }];
  const areRefunds = rows.length > 0 && rows.every(({ values }) => values.status === 'refunded');
  if (areRefunds && fields.refunded === undefined)
    return [{ field: 'refunded', reason: 'No column is chosen, so these refunds won’t reduce net sales' }];
  // Before a status is chosen, they can be refunds too.
  const canBeRefunds = rows.every(({ values }) => (values.status ?? 'refunded') === 'refunded');
  return canBeRefunds && fields.refunded !== undefined
    ? []
    : [{ field: main, reason: 'No column is chosen, so net sales and average order value will be unknown' }];
}

const isPerson = (dataset: DatasetKey, field: string): boolean => datasetOf(dataset).person?.field === field;

function referenceDoubt(values: readonly NumberValue[], most: number): string | null {
  const different = new Set(values).size;
  if (values.length < fewestReferences || different * most > values.length) return null;
  return `Only ${countWords(different)} different ${different === 1 ? 'value' : 'values'} in ${countWords(values.length)} rows. Is this the right column?`;
}

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

function paidBackDoubt(dataset: DatasetKey, field: string, rows: readonly NumberRow[]): string | null {
  const paidBack = paidBackWords[dataset];
  if (!paidBack) return null;
  const counted = rows.filter(({ values }) => (values.status ?? paidBack.counted) === paidBack.counted);
  const count = counted.filter(({ values }) => (moneyOf(values[field]) ?? 0n) < 0n).length;
  if (count === 0) return null;
  const amounts =
    count === 1 ? 'Among the first rows, 1 amount is' : `Among the first rows, ${countWords(count)} amounts are`;
  return `${amounts} negative. ${paidBack.words}`;
}

/** Payment systems often give amounts in the smallest unit. Then no amount has decimals, not even zeros. */
export function centsDoubts(mapping: NumbersMapping, rows: readonly ReadRow[]): Doubt[] {
  const { dataset } = mapping;
  const { fields, currency } = datasetOf(dataset);
  // The choice would divide every row.
  if (currency !== null && !rows.every(({ read }) => hasCents(read.values[currency]))) return [];
  const whole = Object.keys(fields).flatMap((field) => {
    const rule = mapping.fields[field];
    const [[column] = [], ...others] = fields[field]!.type === 'money' && rule !== undefined ? numberColumns(rule) : [];
    if (column === undefined || others.length > 0) return [];
    const amounts = rows
      .map(({ row }) => String(find(column, row).value ?? '').trim())
      .filter((text) => /[1-9]/.test(text));
    return amounts.length > 0 && amounts.every((text) => /^-?\d+$/.test(text)) ? [{ field, column, amounts }] : [];
  });
  const isPaid = dataset === 'payments' || rows.every(({ read }) => isStripeId(read.externalId));
  const isFileOfCents = whole.some(
    ({ field, column, amounts }) =>
      field === mainAmount(dataset) &&
      amounts.length >= fewestRows &&
      (saysCents(column) || (isPaid && amounts.every((text) => text.replace('-', '').length > 2))),
  );
  const isOfCents = ({ column, amounts }: (typeof whole)[number]) =>
    isFileOfCents || (amounts.length >= fewestRows && saysCents(column));
  return whole
    .filter((one) => isOfCents(one) && !multiplies(mapping.fields[one.field]!))
    .map(({ field }) => ({ field, reason: 'No amount has decimals. If these are cents, choose “Amount in cents”' }));
}

const multiplies = (rule: Rule): boolean =>
  typeof rule === 'object' && ('multiply' in rule || partsOf(rule).some(multiplies));

const centsWord = /(^|[^\p{L}])(cents?|pence|pennies|minor([ _-]?units?)?|öre|kuru[sş])([^\p{L}]|$)/iu;
const saysCents = (column: string): boolean => centsWord.test(column.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
const isStripeId = (id: string): boolean => /^(ch|pi|py|txn|re|pyr|in)_[A-Za-z0-9]{8,}/.test(id);

/** Yen have no smaller unit, and a Kuwaiti dinar has a thousand of them. */
const hasCents = (code: NumberValue | undefined): boolean =>
  typeof code === 'string' && isIsoCode(code) && currencyDigits(code) === 2;

/** Pages show the country of a code, so PA for Pennsylvania would be Panama. */
function countryDoubt(columns: readonly string[], values: readonly NumberValue[]): string | null {
  const codes = [...new Set(values.map(String))].filter((text) => isCountryCode(text) || /^\d+$/.test(text));
  const unknown = codes.filter((code) => !isCountryCode(code) || countryName(code) === null);
  const state = columns.find((column) => stateColumn.test(column));
  const taken = codes.find((code) => !unknown.includes(code));
  if (state !== undefined && taken !== undefined)
    return `“${state}” seems to contain states. Their codes would count as countries, such as ${taken} as ${countryName(taken)}. Choose another column, or “Nothing”`;
  if (unknown.length > 0)
    return `${namedWords(unknown)} ${unknown.length === 1 ? 'isn’t a country code' : 'aren’t country codes'}. Is this the right column?`;
  const names = [...new Set(values.map(String))].filter((text) => !codes.includes(text));
  if (names.length === 0) return null;
  const [arent, each] = names.length === 1 ? ['isn’t a known country', 'it’s'] : ['aren’t known countries', 'each is'];
  return `${namedWords(names.map((name) => `“${name}”`))} ${arent}, so ${each} shown separately. Use a code like ${taken ?? 'DE'}, or leave the cell blank`;
}

function namedWords(names: readonly string[]): string {
  const shown = names.slice(0, codesNamed);
  return listWords(names.length > codesNamed ? [...shown, `${names.length - codesNamed} more`] : shown);
}

const stateColumn = /(^|[^a-z])(state|province|provincia|bundesland|county)([^a-z]|$)/i;
const codesNamed = 5;

/** Doubts about working hours, which pass slower, or a wrong unit. */
function durationDoubt({ duration }: DurationRule, values: readonly NumberValue[]): string | null {
  const column = columnsRead(duration).find((name) => businessColumn.test(name));
  if (column !== undefined)
    return `${column} looks like business hours, so times would be too early. Choose a column with calendar hours, or “Nothing”`;
  const now = Temporal.Now.instant().epochMilliseconds;
  const isLater = values.some((value) => Temporal.Instant.from(String(value)).epochMilliseconds > now);
  return isLater ? 'Some of these times are in the future. Check the unit of the duration' : null;
}

const businessColumn =
  /business|(^|[^a-z])bhrs?([^a-z]|$)|(work|office)(ing)?[ _-]?(hours|hrs)|(gesch[äa]fts|arbeits|service|b[üu]ro)(zeit|stunden)|heures (ouvr|de travail)|horas (laborables|h[áa]biles|[úu]teis|de trab(ajo|alho))|(werk|kantoor)uren/i;

/** A price of one, which would be summed without its quantity. */
function priceDoubt(rule: Rule): string | null {
  if (typeof rule === 'object' && 'multiply' in rule) return null;
  const column = columnsRead(rule).find((name) => priceColumn.test(name));
  return column === undefined
    ? null
    : `${column} looks like a unit price. If a line can have several units, choose “Multiply columns” and add the quantity`;
}

const priceColumn =
  /\b(per[ _-]?(unit|item|piece)|unit[ _-]?price|price[ _-]?each|each)\b|unitprice|einzelpreis|st[üu]ckpreis|prix unitaire|precio unitario/i;

const moneyOf = (value: NumberValue | undefined): bigint | null => (typeof value === 'bigint' ? value : null);

function rateDoubt(field: string, main: string | null, rows: readonly NumberRow[]): string | null {
  const rates = rows.filter(({ values }) => {
    const [part, whole] = [moneyOf(values[field]), main === null ? null : moneyOf(values[main])];
    // Before the main amount is mapped, any part counts.
    return part !== null && part > 0n && (whole === null || whole >= one);
  });
  if (rates.length < fewestRows || rates.some(({ values }) => moneyOf(values[field])! >= one)) return null;
  return 'All values are below 1, like rates. This field needs amounts';
}
