// A row's part in a basic metric: whether it counts in a range, and what it adds. The same conditions compute
// the number and list its rows.
import { type SQL, sql } from 'drizzle-orm';
import { rows } from '#core/numbers/metric.ts';
import { type LeafFormula, leafFormulaOf } from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { column, counted, rowsTableOf } from './dataset-columns.ts';
import {
  endOf,
  filtered,
  inDays,
  inSpan,
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
  const [from, to] = [column(alias, formula.of.from), column(alias, formula.of.to)];
  const isHours = metricOf(reading.dataset, leaf)?.unit === 'hours';
  const seconds = secondsBetween(reading, from, to, isHours ? reading.hours : 'clock');
  return {
    counts: sql`${where} and ${to} >= ${from}`,
    amount: sql`round(${seconds} * 10000 / ${sql.raw(isHours ? '3600' : '86400')})::bigint`,
  };
}

/** A payout equal to an earlier one: same source, payee, amount, currency and day. */
const isDuplicate = (alias: string): SQL => sql`exists (
  select 1 from payouts d where d.currency = ${column(alias, 'currency')} and d.day = ${day(alias)} and d.id < ${column(alias, 'id')}
    and d.source = ${column(alias, 'source')} and d.payee = ${column(alias, 'payee')} and d.amount = ${column(alias, 'amount')})`;

const paidStates = sql.raw(`('paid', 'refunded', 'disputed')`);

/** An order's first paid attempt after a failed one. */
function isRecovered(alias: string): SQL {
  const before = sql`b.order_ref = ${column(alias, 'order_ref')} and b.currency = ${column(alias, 'currency')}
    and (b.attempted_at, b.id) < (${column(alias, 'attempted_at')}, ${column(alias, 'id')})`;
  return sql`${column(alias, 'status')} in ${paidStates}
    and exists (select 1 from payments b where ${before} and b.status = 'failed')
    and not exists (select 1 from payments b where ${before} and b.status in ${paidStates})`;
}

/** Open at the end of the span: opened by then, and neither resolved nor closed. */
export function isOpen(reading: Reading, alias: string, span: Span): SQL {
  const end = endOf(reading, span);
  return sql`${column(alias, 'opened_at')} < ${end}
    and (coalesce(${column(alias, 'resolved_at')}, ${column(alias, 'closed_at')}) >= ${end}
      or coalesce(${column(alias, 'resolved_at')}, ${column(alias, 'closed_at')}) is null)`;
}

/** The year that ends with the span, and the one before. */
export function yearsOf({ to }: Span): { readonly last: Span; readonly before: Span } {
  const end = Temporal.PlainDate.from(to);
  const [start, earliest] = [end.subtract({ years: 1 }), end.subtract({ years: 2 })];
  return {
    last: { from: start.toString(), to, until: null },
    before: { from: earliest.toString(), to: start.toString(), until: null },
  };
}

const isGift = (alias: string): SQL =>
  sql`${column(alias, 'status')} = 'completed' and ${column(alias, 'donor_ref')} is not null`;

/** Whether a donor of the previous year gave in the last year too. */
export function gaveAgain(reading: Reading, alias: string, span: Span): SQL {
  const { last } = yearsOf(span);
  return sql`${column(alias, 'donor_ref')} in (select g.donor_ref from donations g
    where ${isGift('g')} and ${scopeOf(reading, 'g', last)} and ${inDays(day('g'), last)})`;
}

export const yearGifts = (reading: Reading, alias: string, span: Span): SQL =>
  sql`${isGift(alias)} and ${inDays(day(alias), yearsOf(span).before)} and ${scopeOf(reading, alias, span)}`;

/** Of rows with the same reference, only the first counts. */
function isFirstOf(reading: Reading, reference: string, alias: string, rowsOf: (alias: string) => SQL): SQL {
  return sql`not exists (select 1 from ${rowsTableOf(reading.dataset)} e
    where ${column('e', reference)} = ${column(alias, reference)} and ${earlier('e', alias)} and ${rowsOf('e')})`;
}

/** Whether the filters need an order's lines, because its header lacks the columns. */
export function asksLines(words: readonly string[]): boolean {
  const inHeader = ['day', 'week', 'month', 'weekday', 'country', 'channel'];
  return words.some((word) => !inHeader.includes(word));
}

export const headerCondition = (which: 'all' | 'known' | 'first', alias: string): SQL =>
  which === 'first'
    ? sql`${column(alias, 'is_first')}`
    : which === 'known'
      ? sql`${column(alias, 'customer_ref')} is not null`
      : sql`true`;

/**
 * The line that represents an order: the one that dates it, or the first completed one that matches the
 * filters.
 */
function orderLine(reading: Reading, which: 'all' | 'known' | 'first', alias: string, span: Span): SQL {
  const isHeader = sql`${headerCondition(which, 'h')} and ${inSpan({ ...reading }, 'h', span)}`;
  if (!asksLines(reading.filters.map(({ field }) => field))) {
    return sql`${scopeOf(reading, alias, span)} and ${inSpan(reading, alias, span)}
      and exists (select 1 from order_headers h where h.line_id = ${column(alias, 'id')} and ${isHeader})`;
  }
  const headerOf = (line: string) => sql`from order_headers h where h.product = ${column(line, 'product')}
    and h.currency = ${column(line, 'currency')} and h.order_ref = ${column(line, 'order_ref')}`;
  // On any day: the order counts on its first line's.
  const isLine = (line: string) =>
    sql`${column(line, 'status')} = 'completed' and ${scopeOf(reading, line, span, sql`(select h.day ${headerOf(line)})`)}`;
  return sql`${isLine(alias)} and ${isFirstOf(reading, 'order_ref', alias, isLine)} and exists (select 1 ${headerOf(alias)} and ${isHeader})`;
}

const one = sql`1::bigint`;

/** Whether a row counts in the leaf over the span, and what it adds. For restricted and filtered rows. */
export function rowPart(reading: Reading, leaf: string, alias: string, span: Span): RowPart {
  const formula = leafFormulaOf(reading.dataset, leaf);
  const inRange = sql`${inSpan(reading, alias, span)} and ${scopeOf(reading, alias, span)}`;
  switch (formula.kind) {
    case 'sum': {
      const amount = formula.of === rows ? one : sql`coalesce(${column(alias, formula.of)}, 0)`;
      const { datedBy } = formula;
      const range = datedBy
        ? sql`${inSpanBy(reading, datedBy, alias, span)} and ${scopeOf(reading, alias, span, dayOf(reading, datedBy, alias))}`
        : inRange;
      return { counts: sql`${range} and ${counted(formula.where, alias)}`, amount };
    }
    case 'percentile': {
      const { counts, amount } = measureOf(reading, leaf, formula, alias);
      return { counts: sql`${inRange} and ${counts}`, amount };
    }
    case 'distinct': {
      const isOne = (row: string) =>
        sql`${inSpan(reading, row, span)} and ${scopeOf(reading, row, span)} and ${counted(formula.where, row)} and ${column(row, formula.of)} is not null`;
      return { counts: sql`${isOne(alias)} and ${isFirstOf(reading, formula.of, alias, isOne)}`, amount: one };
    }
    case 'orderHeaders':
      return { counts: orderLine(reading, formula.which, alias, span), amount: one };
    case 'firstGifts':
      return { counts: sql`${inRange} and ${isFirstGift(alias)}`, amount: one };
    case 'recovered':
      return { counts: sql`${inRange} and ${isRecovered(alias)}`, amount: one };
    case 'duplicates':
      return { counts: sql`${inRange} and ${isDuplicate(alias)}`, amount: one };
    case 'backlog':
      return { counts: sql`${scopeOf(reading, alias, span)} and ${isOpen(reading, alias, span)}`, amount: one };
    case 'yearDonors': {
      const isFirst = isFirstOf(reading, 'donor_ref', alias, (row) => yearGifts(reading, row, span));
      const again = formula.which === 'again' ? sql` and ${gaveAgain(reading, alias, span)}` : sql``;
      return { counts: sql`${yearGifts(reading, alias, span)} and ${isFirst}${again}`, amount: one };
    }
  }
}

export const isFirstGift = (alias: string): SQL =>
  sql`exists (select 1 from first_gifts f where f.gift_id = ${column(alias, 'id')})`;

/** One condition in addition to range and filters, for leaves that need rows. */
export function rowCondition(formula: LeafFormula, alias: string): SQL {
  if (formula.kind === 'firstGifts') return isFirstGift(alias);
  if (formula.kind === 'recovered') return isRecovered(alias);
  if (formula.kind === 'duplicates') return isDuplicate(alias);
  return 'where' in formula ? counted(formula.where, alias) : sql`true`;
}
