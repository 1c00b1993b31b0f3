// A row's part in a basic metric: whether it counts in a range, and what it adds. The same conditions compute
// the number and list its rows.
import { type SQL, sql } from 'drizzle-orm';
import { datasetOf } from '#core/numbers/datasets.ts';
import { rows } from '#core/numbers/metric.ts';
import { type LeafFormula, leafFormulaOf } from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { allOf, column, counted, isDayText, rowsTableOf } from './dataset-columns.ts';
import {
  endedUndated,
  filtered,
  inDays,
  inSpan,
  isOpen,
  lockedTo,
  type Reading,
  type Span,
  secondsBetween,
  startOf,
} from './row-conditions.ts';

/** `amount` in the store's unit: ten-thousandths for money, hours and days, pieces for counts. */
export type RowPart = { readonly counts: SQL; readonly amount: SQL };

const day = (alias: string): SQL => column(alias, 'day');
const earlier = (alias: string, than: string): SQL =>
  sql`(${day(alias)}, ${column(alias, 'id')}) < (${day(than)}, ${column(than, 'id')})`;

/** The restricted and filtered rows of any day. */
export function scopeOf(reading: Reading, alias: string, span: Span, dated: SQL = day(alias)): SQL {
  return sql`${lockedTo(reading, alias)} and ${filtered(reading, alias, dated, span)}`;
}

/** The day in the zone of another instant than the dataset's. */
export const dayOf = ({ zone }: Reading, field: string, alias: string): SQL =>
  sql`(${column(alias, field)} at time zone ${zone})::date`;

/** A span by another instant than the dataset's, written to use its index. */
export function inSpanBy({ zone }: Reading, field: string, alias: string, { from, to, until }: Span): SQL {
  const instant = column(alias, field);
  return sql`${instant} >= ${startOf(from, zone)} and ${instant} < ${until === null ? startOf(to, zone) : sql`${until}::timestamptz`}`;
}

/** A percentile's measure in the store's unit, and whether the row has one. */
export function measureOf(
  reading: Reading,
  leaf: string,
  formula: Extract<LeafFormula, { kind: 'percentile' }>,
  alias: string,
): RowPart {
  const where = counted(formula.where, alias);
  if (typeof formula.of === 'string') {
    const field = column(alias, formula.of);
    return { counts: sql`${where} and ${field} is not null`, amount: field };
  }
  const { signed } = formula.of;
  const [from, to] = [column(alias, formula.of.from), column(alias, formula.of.to)];
  const isDated = sql`(${isDayOnly(reading, formula.of.from, alias)} or ${isDayOnly(reading, formula.of.to, alias)})`;
  const isHours = metricOf(reading.dataset, leaf)?.unit === 'hours';
  const seconds = secondsBetween(reading, from, to, isHours ? reading.hours : 'clock');
  const exact = sql`round(${seconds} * 10000 / ${sql.raw(isHours ? '3600' : '86400')})::bigint`;
  if (isHours) return { counts: sql`${where} and ${to} >= ${from} and not ${isDated}`, amount: exact };
  const days = sql`(${dayOf(reading, formula.of.to, alias)} - ${dayOf(reading, formula.of.from, alias)})`;
  const inOrder = signed
    ? sql`${from} is not null and ${to} is not null`
    : sql`(${to} >= ${from} or ${isDated} and ${days} >= 0)`;
  return {
    counts: sql`${where} and ${inOrder}`,
    amount: sql`case when ${isDated} then ${days} * 10000::bigint else ${exact} end`,
  };
}

/** Whether the source gives the row's instant as a date without a time. */
const isDayOnly = ({ dataset }: Reading, field: string, alias: string): SQL =>
  field === datasetOf(dataset).datedBy ? sql`${column(alias, 'hour')} is null` : isDayText(field, alias);

/** Has both instants, but their time doesn't count. */
export function isLeftOut(reading: Reading, { of }: Extract<LeafFormula, { kind: 'leftOut' }>, alias: string): SQL {
  const formula = leafFormulaOf(reading.dataset, of);
  if (formula.kind !== 'percentile' || typeof formula.of === 'string') throw new Error(`${of} is no time`);
  const { counts } = measureOf(reading, of, formula, alias);
  const [from, to] = [column(alias, formula.of.from), column(alias, formula.of.to)];
  return sql`(${from} is not null and ${to} is not null and not (${counts}))`;
}

/** A payout equal to an earlier one: same source, payee, amount, currency and day, which is in the span. */
export const isDuplicate = (alias: string, span: Span): SQL => sql`exists (
  select 1 from payouts d where ${inDays(day('d'), span)} and d.currency = ${column(alias, 'currency')} and d.day = ${day(alias)} and d.id < ${column(alias, 'id')}
    and d.source = ${column(alias, 'source')} and d.payee = ${column(alias, 'payee')} and d.amount = ${column(alias, 'amount')})`;

const paidStates = sql.raw(`('paid', 'refunded', 'disputed')`);

/** An order's first paid attempt after a failed one. */
function isRecovered(alias: string): SQL {
  const before = sql`b.order_ref = ${column(alias, 'order_ref')} and b.currency = ${column(alias, 'currency')}
    and b.product is not distinct from ${column(alias, 'product')}
    and (b.attempted_at, b.id) < (${column(alias, 'attempted_at')}, ${column(alias, 'id')})`;
  return sql`${column(alias, 'status')} in ${paidStates}
    and exists (select 1 from payments b where ${before} and b.status = 'failed')
    and not exists (select 1 from payments b where ${before} and b.status in ${paidStates})`;
}

/** The year that ends with the span, or with today within it, and the one before. */
function yearsOf({ now }: Reading, { from, to }: Span): { readonly last: Span; readonly before: Span } {
  const tomorrow = now.toPlainDate().add({ days: 1 }).toString();
  const end = Temporal.PlainDate.from(from < tomorrow && tomorrow < to ? tomorrow : to);
  const [start, earliest] = [end.subtract({ years: 1 }), end.subtract({ years: 2 })];
  return {
    last: { from: start.toString(), to: end.toString(), until: null },
    before: { from: earliest.toString(), to: start.toString(), until: null },
  };
}

const isCompleted = (alias: string): SQL => sql`${column(alias, 'status')} = 'completed'`;
const isKnown = (alias: string): SQL => sql`${column(alias, 'donor_ref')} is not null`;

/** Whether a donor of the previous year gave in the last year too. */
export function gaveAgain(reading: Reading, alias: string, span: Span): SQL {
  const { last } = yearsOf(reading, span);
  return sql`${column(alias, 'donor_ref')} in (select g.donor_ref from donations g
    where ${isCompleted('g')} and ${isKnown('g')} and ${scopeOf(reading, 'g', last)} and ${inDays(day('g'), last)})`;
}

/** The gifts of the year before, also without a donor. */
export const yearGifts = (reading: Reading, alias: string, span: Span): SQL =>
  sql`${isCompleted(alias)} and ${inDays(day(alias), yearsOf(reading, span).before)} and ${scopeOf(reading, alias, span)}`;

const donorGifts = (reading: Reading, alias: string, span: Span): SQL =>
  sql`${yearGifts(reading, alias, span)} and ${isKnown(alias)}`;

/** Whether both rows have the same reference, and the same value of `within`. */
const sameReference = ({ of, within }: Reference, one: string, other: string): SQL =>
  allOf([
    sql`${column(one, of)} = ${column(other, of)}`,
    ...(within ? [sql`${column(one, within)} is not distinct from ${column(other, within)}`] : []),
  ]);

type Reference = Pick<Extract<LeafFormula, { kind: 'distinct' }>, 'of' | 'within'>;

/** Of rows with the same reference, only the first counts. */
function isFirstOf(reading: Reading, reference: Reference, alias: string, rowsOf: (alias: string) => SQL): SQL {
  return sql`not exists (select 1 from ${rowsTableOf(reading.dataset)} e
    where ${sameReference(reference, 'e', alias)} and ${earlier('e', alias)} and ${rowsOf('e')})`;
}

/** Whether the filters need an order's lines, because its header lacks the columns. */
export function asksLines(words: readonly string[]): boolean {
  const inHeader = ['day', 'week', 'month', 'weekday', 'country', 'channel'];
  return words.some((word) => !inHeader.includes(word));
}

type WhichOrders = Extract<LeafFormula, { kind: 'orderHeaders' }>['which'];

/** Whether no completed line of the order has a gross. `alias` names the order. */
export const isUnpriced = (alias: string): SQL => sql`not exists (select 1 from orders p
  where p.product = ${column(alias, 'product')} and p.currency = ${column(alias, 'currency')}
    and p.order_ref = ${column(alias, 'order_ref')} and p.status = 'completed' and p.gross is not null)`;

const headerConditions = {
  all: () => sql`true`,
  known: (alias) => sql`${column(alias, 'customer_ref')} is not null`,
  first: (alias) => column(alias, 'is_first'),
  unpriced: isUnpriced,
} as const satisfies Readonly<Record<WhichOrders, (alias: string) => SQL>>;

export const headerCondition = (which: WhichOrders, alias: string): SQL => headerConditions[which](alias);

/** Looks up each listed row. Without it, 50 rows of a million orders read 955,525 pages instead of 510. */
const eachRow = sql`offset 0`;

/**
 * The line that represents an order: the one that dates it, or the first completed one that matches the
 * filters.
 */
function orderLine(reading: Reading, which: WhichOrders, alias: string, span: Span): SQL {
  const isHeader = sql`${headerCondition(which, 'h')} and ${inSpan({ ...reading }, 'h', span)}`;
  if (!asksLines(reading.filters.map(({ field }) => field))) {
    // Every line of such an order, so its index finds it.
    const unpriced =
      which === 'unpriced'
        ? sql`and ${column(alias, 'status')} = 'completed' and ${column(alias, 'gross')} is null`
        : sql``;
    return sql`${scopeOf(reading, alias, span)} and ${inSpan(reading, alias, span)} ${unpriced}
      and exists (select 1 from order_headers h where h.line_id = ${column(alias, 'id')} and ${isHeader} ${eachRow})`;
  }
  const headerOf = (line: string) => sql`from order_headers h where h.product = ${column(line, 'product')}
    and h.currency = ${column(line, 'currency')} and h.order_ref = ${column(line, 'order_ref')}`;
  // On any day: the order counts on its first line's.
  const isLine = (line: string) =>
    sql`${column(line, 'status')} = 'completed' and ${scopeOf(reading, line, span, sql`(select h.day ${headerOf(line)})`)}`;
  return sql`${isLine(alias)} and ${isFirstOf(reading, { of: 'order_ref' }, alias, isLine)} and exists (select 1 ${headerOf(alias)} and ${isHeader} ${eachRow})`;
}

function isDistinct(
  reading: Reading,
  { of, where }: Extract<LeafFormula, { kind: 'distinct' }>,
  row: string,
  span: Span,
) {
  return sql`${inSpan(reading, row, span)} and ${scopeOf(reading, row, span)} and ${counted(where, row)} and ${column(row, of)} is not null`;
}

/** The rows that a listed row stands for (`representedReference`), as a condition on `row`. */
export function representedBy(reading: Reading, leaf: string, alias: string, row: string, span: Span): SQL {
  const formula = leafFormulaOf(reading.dataset, leaf);
  const same = (...fields: string[]) =>
    allOf(fields.map((field) => sql`${column(row, field)} = ${column(alias, field)}`));
  switch (formula.kind) {
    case 'distinct':
      return sql`${sameReference(formula, row, alias)} and ${isDistinct(reading, formula, row, span)}`;
    case 'orderHeaders':
      return sql`${same('product', 'currency', 'order_ref')} and ${column(row, 'status')} = 'completed'`;
    case 'yearDonors':
      return sql`${same('donor_ref')} and ${donorGifts(reading, row, span)}`;
    default:
      throw new Error(`${leaf} lists rows that stand for themselves`);
  }
}

const one = sql`1::bigint`;

/** Whether a row counts in the leaf over the span, and what it adds. For restricted and filtered rows. */
export function rowPart(reading: Reading, leaf: string, alias: string, span: Span): RowPart {
  const formula = leafFormulaOf(reading.dataset, leaf);
  const inRange = sql`${inSpan(reading, alias, span)} and ${scopeOf(reading, alias, span)}`;
  switch (formula.kind) {
    case 'sum': {
      const amount = formula.of === rows ? one : sql`coalesce(${column(alias, formula.of)}, 0)`;
      const { datedBy, allTime } = formula;
      const range = datedBy
        ? sql`${inSpanBy(reading, datedBy, alias, span)} and ${scopeOf(reading, alias, span, dayOf(reading, datedBy, alias))}`
        : allTime
          ? scopeOf(reading, alias, span)
          : inRange;
      return { counts: sql`${range} and ${counted(formula.where, alias)}`, amount };
    }
    case 'percentile': {
      const { counts, amount } = measureOf(reading, leaf, formula, alias);
      return { counts: sql`${inRange} and ${counts}`, amount };
    }
    case 'leftOut':
      return { counts: sql`${inRange} and ${isLeftOut(reading, formula, alias)}`, amount: one };
    case 'distinct': {
      const isOne = (row: string) => isDistinct(reading, formula, row, span);
      return { counts: sql`${isOne(alias)} and ${isFirstOf(reading, formula, alias, isOne)}`, amount: one };
    }
    case 'orderHeaders':
      return { counts: orderLine(reading, formula.which, alias, span), amount: one };
    case 'firstGifts':
      return { counts: sql`${inRange} and ${isFirstGift(alias)}`, amount: one };
    case 'recovered':
      return { counts: sql`${inRange} and ${isRecovered(alias)}`, amount: one };
    case 'duplicates':
      return { counts: sql`${inRange} and ${isDuplicate(alias, span)}`, amount: one };
    case 'undatedEnds':
      return { counts: sql`${inRange} and ${endedUndated(alias)}`, amount: one };
    case 'backlog':
      return { counts: sql`${scopeOf(reading, alias, span)} and ${isOpen(reading, alias, span)}`, amount: one };
    case 'yearDonors': {
      const isFirst = isFirstOf(reading, { of: 'donor_ref' }, alias, (row) => donorGifts(reading, row, span));
      const again = formula.which === 'again' ? sql` and ${gaveAgain(reading, alias, span)}` : sql``;
      return { counts: sql`${donorGifts(reading, alias, span)} and ${isFirst}${again}`, amount: one };
    }
    case 'yearGifts': {
      const gifts = formula.which === 'all' ? yearGifts : donorGifts;
      return { counts: gifts(reading, alias, span), amount: one };
    }
  }
}

export const isFirstGift = (alias: string): SQL =>
  sql`exists (select 1 from first_gifts f where f.gift_id = ${column(alias, 'id')})`;

/** One condition in addition to range and filters, for leaves that need rows. */
export function rowCondition(formula: LeafFormula, alias: string): SQL {
  if (formula.kind === 'firstGifts') return isFirstGift(alias);
  if (formula.kind === 'recovered') return isRecovered(alias);
  if (formula.kind === 'undatedEnds') return endedUndated(alias);
  return 'where' in formula ? counted(formula.where, alias) : sql`true`;
}
