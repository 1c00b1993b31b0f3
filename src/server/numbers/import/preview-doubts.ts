// Finds values that can be imported but look wrong: in a preview's fields, and in a run's rows together.
import { countryName, isCountryCode } from '#core/base/countries.ts';
import { dayInZone } from '#core/base/day-words.ts';
import { countWords, listWords, plural } from '#core/base/formats.ts';
import { causeWords, type DatasetKey, datasetOf, fieldTitle, isReference, namesCause } from '#core/numbers/datasets.ts';
import { find } from '#server/platform/imports/find-value.ts';
import { columnsRead, type Row, type Rule } from '#server/platform/imports/mapping-rules.ts';
import { mainAmount } from '../batch.service.ts';
import type { NumberRow, NumberValue } from '../number-row.ts';
import { CentsDoubts, NegativeDoubts, PriceDoubts, RateDoubts, RoundedDoubts } from './amount-doubts.ts';
import { CapitalsDoubts } from './capitals-doubts.ts';
import { FeeDoubts, PairDoubts, SignDoubts } from './currency-doubts.ts';
import { DeductedDoubts } from './deducted-doubts.ts';
import { EndDoubts } from './end-doubts.ts';
import { headerDoubts } from './header-doubts.ts';
import { MidnightDoubts } from './midnight-doubts.ts';
import { ListDoubts } from './nested-columns.ts';
import { hasNumberedId, isNumberedWithoutDate, type NumbersMapping } from './numbers-mapping.ts';
import { RefundDoubts } from './refund-doubts.ts';

export type Doubt = {
  readonly field: string;
  readonly reason: string;
  /** The source that has the rows. */
  readonly source?: string;
  /** Nearly all rows are stored already: an import is asked about. */
  readonly countsTwice?: boolean;
  /** Texts that may mean a blank cell. */
  readonly missing?: readonly string[];
  /** It is an amount of whole orders, which could be divided among their lines. */
  readonly canDivide?: true;
};

/** Fewer rows say too little. */
const fewestReferences = 20;
const rowsOfReference = 10;
/** A donor can give every month of some years. */
const rowsOfPerson = 30;

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
      (field === ofRefunds?.field && `${ofRefunds.column} ${ofRefunds.reason}`) ||
      negatives.ofPreview(field) ||
      (field === ofEnds?.field && `Among the first rows, ${ofEnds.column} ${ofEnds.reason}`) ||
      (typeof rule === 'object' && 'duration' in rule && durationDoubt(values)) ||
      (field === 'country' && countryDoubt(columnsRead(rule), values));
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

/** Doubts about column names: some are values, or the file has one twice, which an import refuses. */
export function doubtsOfNames(mapping: NumbersMapping | null, zone: string, columns: readonly string[]): Doubt[] {
  if (!mapping) return [];
  const ofHeader = headerDoubts(mapping, zone, columns);
  return [
    ...ofHeader.map(({ field, column, reason }) => ({ field, reason: `“${column}” ${reason}` })),
    ...repeatedColumns(mapping, columns),
  ];
}

function repeatedColumns(mapping: NumbersMapping, columns: readonly string[]): Doubt[] {
  const isRepeated = (column: string) => columns.indexOf(column) !== columns.lastIndexOf(column);
  return Object.entries(mapping.fields).flatMap(([field, rule]) => {
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
  ...numberedDoubts(mapping, rows, zone),
  ...amountDoubts(mapping, rows),
];

/** What the amounts of other columns, and how they are written, say of a row's amounts. */
const columnDoubts = (mapping: NumbersMapping, isPreview = false) =>
  [
    new DeductedDoubts(mapping),
    new RateDoubts(mapping),
    new CentsDoubts(mapping),
    new PriceDoubts(mapping),
    new SignDoubts(mapping),
    new FeeDoubts(mapping),
    new PairDoubts(mapping),
    new ListDoubts(mapping),
    new RoundedDoubts(mapping),
    new MidnightDoubts(mapping),
    new CapitalsDoubts(mapping, isPreview),
  ] as const;

function amountDoubts(mapping: NumbersMapping, rows: readonly ReadRow[]): Doubt[] {
  const all = columnDoubts(mapping, true);
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

/** Doubts about a wrong unit. */
function durationDoubt(values: readonly NumberValue[]): string | null {
  const now = Temporal.Now.instant().epochMilliseconds;
  const isLater = values.some((value) => Temporal.Instant.from(String(value)).epochMilliseconds > now);
  return isLater ? 'Some of these times are in the future. Check the unit of the duration' : null;
}
