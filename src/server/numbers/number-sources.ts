// Where each number is read: the cheapest table with everything it needs. Leaves from the same source share
// one part of the statement.
import { type SQL, sql } from 'drizzle-orm';
import type { Grain, RollUp } from '#core/numbers/dataset.ts';
import { type DatasetKey, datasetOf, timeGroupings } from '#core/numbers/datasets.ts';
import { rows } from '#core/numbers/metric.ts';
import { leafFormulaOf } from '#core/numbers/metric-value.ts';
import { column, counted, rollUpTableOf, rowsTableOf } from './dataset-columns.ts';
import { filtered, inSpan, isOpen, lockedTo, type Reading, type Span } from './row-conditions.ts';
import {
  asksLines,
  dayOf,
  gaveAgain,
  headerCondition,
  inSpanBy,
  isDuplicate,
  isLeftOut,
  isUnpriced,
  measureOf,
  rowCondition,
  yearGifts,
} from './row-parts.ts';

/** A table with a day, and each leaf's aggregate. */
export type Source = {
  /** Leaves with the same key are read together. */
  readonly key: string;
  readonly table: SQL;
  /** The date of a row, if it isn't its own day. */
  readonly day: (alias: string) => SQL;
  readonly means: (alias: string, span: Span) => SQL;
  readonly total: (leaf: string, alias: string, span: Span) => SQL;
  /** Sums over groups add up to the total. */
  readonly isAdditive: boolean;
  /**
   * A roll-up only has whole months, weeks of a month or days; the other source covers the rest of a span.
   */
  readonly coarse: { readonly grain: Grain | 'day'; readonly finer: Source } | null;
  /** Groupings it can't answer. */
  readonly unsupportedGroupings: readonly string[];
  /** Of all days, so the range doesn't matter, and an earlier one has none. */
  readonly allTime?: true;
};

const ownDay = (alias: string): SQL => column(alias, 'day');
const bare = { day: ownDay, isAdditive: true, coarse: null, unsupportedGroupings: [] } as const;

function meaning(
  reading: Reading,
  range: (alias: string, span: Span) => SQL = (alias, span) => inSpan(reading, alias, span),
  day = ownDay,
) {
  return (alias: string, span: Span): SQL =>
    sql`${lockedTo(reading, alias)} and ${range(alias, span)} and ${filtered(reading, alias, day(alias), span)}`;
}

/** The columns a roll-up needs for these groupings and filters; every roll-up has days. */
const columnsAsked = (words: readonly string[]): string[] =>
  words.filter((word) => word === 'hour' || !(timeGroupings as readonly string[]).includes(word));

function rollUpKnows(
  { dimensions, sums, metrics = [], hour, grain }: RollUp,
  leaf: string,
  { of, where }: { of: string; where?: object },
  words: readonly string[],
): boolean {
  const isMetric = metrics.includes(leaf);
  const asked = [...columnsAsked(words), ...Object.keys(isMetric ? {} : (where ?? {}))];
  return (
    (isMetric || of === rows || sums.includes(of)) &&
    asked.every((word) => dimensions.includes(word) || (word === 'hour' && hour === true)) &&
    !(grain && words.some((word) => (timeGroupings as readonly string[]).includes(word)))
  );
}

/** The cheapest table of days that can be filtered by these words, and how to count its rows. */
export function countingTable(
  dataset: DatasetKey,
  words: readonly string[],
): { readonly table: SQL; readonly count: SQL; readonly isRollUp: boolean } {
  const rollUp = datasetOf(dataset).rollUps.find((one) => !one.grain && rollUpKnows(one, '', { of: rows }, words));
  return rollUp
    ? { table: rollUpTableOf(dataset, rollUp), count: sql`sum(t.row_count)`, isRollUp: true }
    : { table: rowsTableOf(dataset), count: sql`count(*)`, isRollUp: false };
}

const numeric = (value: SQL): SQL => sql`(${value})::numeric`;

function rowTotal(reading: Reading, leaf: string, alias: string, span: Span): SQL {
  const formula = leafFormulaOf(reading.dataset, leaf);
  const where = rowCondition(formula, alias);
  if (formula.kind === 'sum' && formula.of !== rows)
    return numeric(sql`sum(${column(alias, formula.of)}) filter (where ${where})`);
  if (formula.kind === 'distinct') {
    const { of, within } = formula;
    // As one text: of a million orders, distinct pairs take four times as long.
    const value = within
      ? sql`coalesce(${column(alias, within)}, '') || ' ' || ${column(alias, of)}`
      : column(alias, of);
    return numeric(sql`count(distinct ${value}) filter (where ${where})`);
  }
  if (formula.kind === 'percentile') {
    const { counts, amount } = measureOf(reading, leaf, formula, alias);
    return numeric(
      sql`percentile_cont(${sql.raw(String(formula.share))}) within group (order by ${amount}) filter (where ${counts})`,
    );
  }
  if (formula.kind === 'leftOut') return numeric(sql`count(*) filter (where ${isLeftOut(reading, formula, alias)})`);
  if (formula.kind === 'yearGifts')
    return numeric(formula.which === 'all' ? sql`count(*)` : sql`count(${column(alias, 'donor_ref')})`);
  if (formula.kind === 'yearDonors') {
    const again = formula.which === 'again' ? sql` filter (where ${gaveAgain(reading, alias, span)})` : sql``;
    return numeric(sql`count(distinct ${column(alias, 'donor_ref')})${again}`);
  }
  return numeric(sql`count(*) filter (where ${where})`);
}

function rowsSource(reading: Reading): Source {
  return {
    ...bare,
    key: 'rows',
    table: rowsTableOf(reading.dataset),
    means: meaning(reading),
    total: (leaf, alias, span) => rowTotal(reading, leaf, alias, span),
  };
}

/** The cheapest roll-up with everything requested. */
function rollUpSource(reading: Reading, [rollUp, ...others]: readonly RollUp[]): Source {
  if (!rollUp) return rowsSource(reading);
  const total = (leaf: string, alias: string): SQL => {
    const formula = leafFormulaOf(reading.dataset, leaf);
    if (formula.kind !== 'sum') throw new Error(`${leaf} is in no roll-up`);
    if (rollUp.metrics?.includes(leaf)) return numeric(sql`sum(${column(alias, leaf)})`);
    const field = formula.of === rows ? 'row_count' : formula.of;
    return numeric(sql`sum(${column(alias, field)}) filter (where ${counted(formula.where, alias)})`);
  };
  const table = rollUpTableOf(reading.dataset, rollUp);
  const coarse = rollUp.grain
    ? { grain: rollUp.grain, finer: rollUpSource(reading, others) }
    : ({ grain: 'day', finer: rowsSource(reading) } as const);
  return { ...bare, key: rollUp.name, table, means: meaning(reading), total, coarse };
}

const whichOrders = (reading: Reading, leaf: string) => {
  const formula = leafFormulaOf(reading.dataset, leaf);
  if (formula.kind !== 'orderHeaders') throw new Error(`${leaf} is not counted by orders`);
  return formula.which;
};

/** Orders from their roll-up, from their headers within a day, or joined with their lines if needed. */
function ordersSource(reading: Reading, leaf: string, words: readonly string[]): Source {
  if (asksLines(words)) return orderLinesSource(reading);
  if (whichOrders(reading, leaf) === 'unpriced') return unpricedOrdersSource(reading);
  const headers: Source = {
    ...bare,
    key: 'headers',
    table: sql`order_headers`,
    means: meaning(reading),
    total: (leaf, alias) => numeric(sql`count(*) filter (where ${headerCondition(whichOrders(reading, leaf), alias)})`),
  };
  const countOf = (which: string) => (which === 'all' ? 'row_count' : which);
  return {
    ...headers,
    key: 'headers daily',
    table: sql`order_headers_daily`,
    total: (leaf, alias) => numeric(sql`sum(${column(alias, countOf(whichOrders(reading, leaf)))})`),
    coarse: { grain: 'day', finer: headers },
  };
}

/** Read from `orders_unpriced`, an index of the few lines without a gross; an order's first line dates it. */
function unpricedOrdersSource(reading: Reading): Source {
  const orders = sql`(
    select l.product, l.currency, l.day, l.occurred_at, h.country, h.channel from orders l join order_headers h on h.line_id = l.id
    where l.status = 'completed' and l.gross is null and ${isUnpriced('h')})`;
  return {
    ...bare,
    key: 'unpriced orders',
    table: orders,
    means: meaning(reading),
    total: () => numeric(sql`count(*)`),
  };
}

function orderLinesSource(reading: Reading): Source {
  const lines = sql`(
    select l.product, l.currency, l.order_ref, l.country, l.channel, l.sku, l.title, l.status, l.source, l.customer_ref, l.hour,
      h.day, h.occurred_at, h.is_first, h.customer_ref is not null as is_known, l.gross is null and ${isUnpriced('l')} as is_unpriced
    from order_headers h join orders l using (product, currency, order_ref) where l.status = 'completed')`;
  const conditions = {
    all: () => sql`true`,
    known: (alias: string) => column(alias, 'is_known'),
    first: (alias: string) => column(alias, 'is_first'),
    unpriced: (alias: string) => column(alias, 'is_unpriced'),
  };
  return {
    ...bare,
    key: 'order lines',
    table: lines,
    means: meaning(reading),
    total: (leaf, alias) =>
      numeric(
        sql`count(distinct ${column(alias, 'order_ref')}) filter (where ${conditions[whichOrders(reading, leaf)](alias)})`,
      ),
    isAdditive: false,
  };
}

function yearGiftsSource(reading: Reading): Source {
  return {
    ...rowsSource(reading),
    key: 'year gifts',
    means: (alias, span) => yearGifts(reading, alias, span),
    isAdditive: false,
    unsupportedGroupings: timeGroupings,
  };
}

function datedSource(reading: Reading, field: string): Source {
  const day = (alias: string) => dayOf(reading, field, alias);
  return {
    ...rowsSource(reading),
    key: `by ${field}`,
    day,
    means: meaning(reading, (alias, span) => inSpanBy(reading, field, alias, span), day),
  };
}

/** A balance in the cheapest roll-up, whatever its grain: it needs all of it. */
function balanceSource(reading: Reading, rollUps: readonly RollUp[]): Source {
  const source = rollUpSource(reading, rollUps);
  return {
    ...source,
    key: `${source.key} of all time`,
    means: meaning(reading, () => sql`true`),
    coarse: null,
    unsupportedGroupings: timeGroupings,
    allTime: true,
  };
}

/**
 * Counts the rows of a condition. It stands in `where`, because the database then uses an index or a join; as
 * the aggregate's filter, it would be checked row by row.
 */
function conditionSource(reading: Reading, leaf: string, condition: (alias: string, span: Span) => SQL): Source {
  const means = meaning(reading);
  return {
    ...rowsSource(reading),
    key: `rows of ${leaf}`,
    means: (alias, span) => sql`${means(alias, span)} and ${condition(alias, span)}`,
    total: () => numeric(sql`count(*)`),
  };
}

export const backlogKey = 'backlog';

/** Open items at the end of the span. Over time, `backlog-over-time.ts` reads it. */
function backlogSource(reading: Reading): Source {
  return {
    ...rowsSource(reading),
    key: backlogKey,
    means: meaning(reading, (alias, span) => isOpen(reading, alias, span)),
    unsupportedGroupings: ['weekday', 'hour'],
  };
}

/** A leaf's source for these groupings and filters. */
export function sourceOf(reading: Reading, leaf: string, words: readonly string[]): Source {
  const formula = leafFormulaOf(reading.dataset, leaf);
  switch (formula.kind) {
    case 'sum': {
      if (formula.datedBy) return datedSource(reading, formula.datedBy);
      if (formula.isRare) return conditionSource(reading, leaf, (alias) => counted(formula.where, alias));
      const rollUps = datasetOf(reading.dataset).rollUps.filter((one) => rollUpKnows(one, leaf, formula, words));
      return formula.allTime ? balanceSource(reading, rollUps) : rollUpSource(reading, rollUps);
    }
    case 'orderHeaders':
      return ordersSource(reading, leaf, words);
    case 'yearDonors':
    case 'yearGifts':
      return yearGiftsSource(reading);
    case 'duplicates':
      return conditionSource(reading, leaf, isDuplicate);
    case 'backlog':
      return backlogSource(reading);
    case 'distinct':
    case 'percentile':
      return { ...rowsSource(reading), isAdditive: false };
    default:
      return rowsSource(reading);
  }
}
