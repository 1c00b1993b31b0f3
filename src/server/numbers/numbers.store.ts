// Reads numbers with one statement. Each source returns its leaves by group and in total, for the range and
// its comparison; they are combined into one row per group, ordered by the first metric.
import { type SQL, sql } from 'drizzle-orm';
import { searchParts } from '#core/base/search-words.ts';
import { beginningOf, type Grain, nextBeginning } from '#core/numbers/dataset.ts';
import { datasetOf } from '#core/numbers/datasets.ts';
import { leavesOf } from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { granularities, mostRowsCounted, type NumberRequest, type NumberScope } from '#core/numbers/number-request.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';
import { backlogOverTime } from './backlog-over-time.ts';
import { allOf, column, list, name, orderOfRows, rollUpTableOf, rowsTableOf } from './dataset-columns.ts';
import { isImporting } from './import-log.store.ts';
import { backlogKey, countingTable, type Source, sourceOf } from './number-sources.ts';
import {
  filtered,
  inDays,
  lockedTo,
  newestLookedAt,
  type Reading,
  type Span,
  wordValue,
  yearsAround,
} from './row-conditions.ts';

/** A span, and the offset of its days in the answer, which aligns the comparison with the range. */
export type Period = { readonly span: Span; readonly shift: { readonly months?: number; readonly days?: number } };

export type NumbersQuestion = {
  readonly reading: Reading;
  readonly metrics: readonly string[];
  readonly by: readonly string[];
  readonly current: Period;
  readonly previous: Period | null;
  /** Whether groups are kept that only the comparison fills. */
  readonly keepsGone: boolean;
} & Pick<NumberRequest, 'top' | 'offset' | 'order' | 'search' | 'onlyFilled'>;

/** Leaves in the store's unit, by position; null if nothing was found. */
export type GroupRow = {
  readonly isTotal: boolean;
  readonly keys: (string | null)[];
  readonly current: (string | null)[];
  readonly previous: (string | null)[];
  /** The number of all groups, including those not returned. */
  readonly groups: number;
  /** How many of them only the comparison fills. */
  readonly gone: number;
};

export type LeafSource = { readonly leaf: string; readonly source: Source };

/** The metrics' leaves without duplicates, with their sources. */
export function leafSources({
  reading,
  metrics,
  by,
}: Pick<NumbersQuestion, 'reading' | 'metrics' | 'by'>): LeafSource[] {
  const words = [...by, ...reading.filters.map(({ field }) => field)];
  const leaves = new Set(metrics.flatMap((metric) => leavesOf(reading.dataset, metric)));
  return [...leaves].map((leaf) => ({ leaf, source: sourceOf(reading, leaf, words) }));
}

const keyName = (index: number): SQL => name(`k${index}`);
const leafName = (index: number): SQL => name(`l${index}`);
const over = <Item>(items: readonly Item[], part: (item: Item, index: number) => SQL): SQL =>
  sql.join(
    items.map((item, index) => sql`, ${part(item, index)}`),
    sql``,
  );

const isOverTime = (word: string): boolean => (granularities as readonly string[]).includes(word);

/** Aligns the comparison's days with the range's. */
function shifted(day: SQL, { shift }: Period): SQL {
  const { months = 0, days = 0 } = shift;
  if (months === 0 && days === 0) return day;
  return sql`(${day} + make_interval(months => ${months}::int, days => ${days}::int))::date`;
}

/**
 * A month later, 28 to 31 January are all 28 February. Only the 28th is compared with it: null for the
 * others, which count in months and in total.
 */
function shiftedUniquely(day: SQL, period: Period): SQL {
  const { months = 0 } = period.shift;
  const to = shifted(day, period);
  return months === 0
    ? to
    : sql`case when (${to} - make_interval(months => ${months}::int))::date = ${day} then ${to} end`;
}

const needsUniqueDay = (word: string): boolean => word === 'day' || word === 'week';

type Part = { readonly source: Source; readonly period: Period; readonly place: 0 | 1 };

/** A source's part for one period: a row per group, and one in total. */
function partSelect(question: NumbersQuestion, leaves: readonly LeafSource[], { source, period, place }: Part): SQL {
  const { reading, by } = question;
  const isBlind = by.some((word) => source.unsupportedGroupings.includes(word));
  const overTime = source.key === backlogKey && by.some(isOverTime);
  const groups = isBlind || overTime ? [] : by;
  const [day, uniqueDay] = [shifted, shiftedUniquely].map((shift) => shift(source.day('t'), period)) as [SQL, SQL];
  const keys = over(
    groups,
    (word, index) =>
      sql`${wordValue(reading, word, 't', needsUniqueDay(word) ? uniqueDay : day, period.span)} as ${keyName(index)}`,
  );
  const totals = over(leaves, ({ leaf, source: { key } }) =>
    key === source.key ? source.total(leaf, 'x', period.span) : sql`null::numeric`,
  );
  const sets = groups.length === 0 ? sql`()` : sql`(${list(groups.map((_, index) => keyName(index)))}), ()`;
  const kept = groups.flatMap((word, index) =>
    needsUniqueDay(word) ? [sql`(grouping(${keyName(index)}) = 1 or ${keyName(index)} is not null)`] : [],
  );
  const isTotal = groups.length === 0 ? sql`true` : sql`grouping(${keyName(0)}) = 1`;
  const select = sql`
    select ${sql.raw(String(place))} as place, ${isTotal} as is_total${over(by, (_, index) => (groups.length === 0 ? sql`null::text` : sql`${keyName(index)}::text`))}${totals}
    from (select t.*${keys} from ${source.table} t where ${source.means('t', period.span)}) x group by grouping sets (${sets}) having ${allOf(kept)}`;
  if (!overTime || isBlind) return select;
  const series = backlogOverTime(reading, by, period.span, (start) => shifted(start, period));
  const columnsOfSeries = over(leaves, ({ source: { key } }) =>
    key === source.key ? sql`s.open::numeric` : sql`null::numeric`,
  );
  return sql`${select} union all select ${sql.raw(String(place))}, false${over(by, (_, index) => sql`s.${keyName(index)}::text`)}${columnsOfSeries} from (${series}) s`;
}

/** The whole months, weeks of a month or days of a span, in days. */
function wholePart(grain: Grain | 'day', { from, to, until }: Span): { first: string; end: string } {
  const cutTo = until === null ? Temporal.PlainDate.from(to) : Temporal.PlainDate.from(to).subtract({ days: 1 });
  if (grain === 'day') return { first: from, end: cutTo.toString() };
  const start = Temporal.PlainDate.from(from);
  const first = beginningOf(grain, start).equals(start) ? start : nextBeginning(grain, start);
  return { first: first.toString(), end: beginningOf(grain, cutTo).toString() };
}

/** Reads whole units from this source, and both ends from the finer one. */
function partsOf(source: Source, period: Period, place: 0 | 1): Part[] {
  const { span } = period;
  if (source.coarse === null) return [{ source, period, place }];
  const { grain, finer } = source.coarse;
  const { first, end } = wholePart(grain, span);
  // Under the roll-up's key, whose leaves it completes.
  const rest = (of: Span) =>
    isEmpty(of) ? [] : partsOf({ ...finer, key: source.key }, { ...period, span: of }, place);
  if (first >= end) return rest(span);
  return [
    { source, period: { ...period, span: { from: first, to: end, until: null } }, place },
    ...rest({ from: span.from, to: first, until: null }),
    ...rest({ ...span, from: end }),
  ];
}

const isEmpty = ({ from, to }: Span): boolean => from >= to;

/** A metric as SQL, for ordering; its unit doesn't matter. */
function rankOf({ reading }: NumbersQuestion, leaves: readonly LeafSource[], wanted: string, of: 'c' | 'p'): SQL {
  const ranked = (metric: string): SQL => {
    const { formula } = metricOf(reading.dataset, metric)!;
    if (formula.kind === 'difference') return sql`(${sql.join([formula.of, ...formula.less].map(ranked), sql` - `)})`;
    if (formula.kind === 'quotient') {
      const [part, whole] = [ranked(formula.of), ranked(formula.by)];
      const isKnown = formula.isPart ? sql`${part} between 0 and ${whole}` : sql`true`;
      return sql`(case when ${isKnown} then ${part} / nullif(${whole}, 0) end)`;
    }
    const value = name(`${of}${leaves.findIndex(({ leaf }) => leaf === metric)}`);
    // No measurement isn't a duration of zero.
    return formula.kind === 'percentile' ? value : sql`coalesce(${value}, 0)`;
  };
  return ranked(wanted);
}

/** The requested order. By default chronological over time, else the largest first. */
function orderOf(question: NumbersQuestion, leaves: readonly LeafSource[]): SQL[] {
  const { metrics, by, order } = question;
  const first = metrics[0]!;
  if (order === null) return by.some(isOverTime) ? [] : [sql`${rankOf(question, leaves, first, 'c')} desc nulls last`];
  const direction = order.descending ? sql`desc nulls last` : sql`asc nulls last`;
  const key = by.indexOf(order.by);
  if (key !== -1) return [sql`lower(${keyName(key)}) ${direction}`, sql`${keyName(key)} ${direction}`];
  const isGone = sql`(not ${isFilled(leaves, 'c')})`;
  const lost = (metric: string) =>
    sql`case when ${isGone} then ${rankOf(question, leaves, metric, 'p')} end desc nulls last`;
  if (order.by !== 'change')
    return [isGone, sql`${rankOf(question, leaves, order.by, 'c')} ${direction}`, lost(order.by)];
  const [now, before] = [rankOf(question, leaves, first, 'c'), rankOf(question, leaves, first, 'p')];
  // In the metric's unit: by percent, everything small that ended would be before a large fall.
  return [sql`(${now} - ${before}) ${direction}`, lost(first)];
}

const isFilled = (leaves: readonly LeafSource[], period: 'c' | 'p'): SQL =>
  sql`(coalesce(${list(leaves.map((_, index) => sql`nullif(${name(`${period}${index}`)}, 0)`))}) is not null)`;

/** Only groups that match the search and, if asked, aren't empty. */
function keptGroups({ by, search, onlyFilled, keepsGone }: NumbersQuestion, leaves: readonly LeafSource[]): SQL {
  const parts: SQL[] = [];
  if (search !== null && by.length > 0) parts.push(contains(searchParts(search), `coalesce("k0", '')`));
  if (onlyFilled)
    parts.push(keepsGone ? sql`(${isFilled(leaves, 'c')} or ${isFilled(leaves, 'p')})` : isFilled(leaves, 'c'));
  return allOf(parts);
}

export async function readNumbers(
  queries: Queries,
  question: NumbersQuestion,
  leaves: readonly LeafSource[],
): Promise<GroupRow[]> {
  const { by, current, previous, top, offset } = question;
  const sources = [...new Map(leaves.map(({ source }) => [source.key, source])).values()];
  const parts = sources.flatMap((source) => [
    ...partsOf(source, current, 0),
    ...(previous && !source.allTime ? partsOf(source, previous, 1) : []),
  ]);
  const keys = by.map((_, index) => keyName(index));
  const indexes = leaves.map((_, index) => index);
  const folded = indexes.flatMap((index) => [
    sql`sum(${leafName(index)}) filter (where place = 0) as ${name(`c${index}`)}`,
    sql`sum(${leafName(index)}) filter (where place = 1) as ${name(`p${index}`)}`,
  ]);
  const order = orderOf(question, leaves);
  const { rows } = await executePrepared<GroupRow>(
    queries,
    sql`
    with part (place, is_total${over(by, (_, index) => keyName(index))}${over(leaves, (_, index) => leafName(index))}) as (
      ${sql.join(
        parts.map((part) => partSelect(question, leaves, part)),
        sql` union all `,
      )}),
    folded as (select is_total${over(keys, (key) => key)}, ${list(folded)} from part group by is_total${over(keys, (key) => key)})
    select * from (
    select row_number() over () as place, page.* from (
    select is_total as "isTotal", array[${list([...keys, sql`null`])}]::text[] as keys,
      array[${list(indexes.map((index) => name(`c${index}`)))}]::text[] as current,
      array[${list(indexes.map((index) => name(`p${index}`)))}]::text[] as previous,
      (count(*) filter (where not is_total) over ())::int as groups,
      (count(*) filter (where not is_total and not ${isFilled(leaves, 'c')} and ${isFilled(leaves, 'p')}) over ())::int as gone
    from folded where is_total or (${keptGroups(question, leaves)})
    order by is_total desc${over(order, (part) => part)}${over(keys, (key) => key)} limit ${top + offset + 1}) page) placed
    where "isTotal" or place > ${offset} + 1 order by place`,
  );
  return rows;
}

export type Standing = {
  readonly zone: string | null;
  readonly asOf: string | null;
  readonly isImporting: boolean;
  /** The range's currencies, most rows first. */
  readonly currencies: string[];
  /** The count of rows of each, without the filters. */
  readonly currencyRows: number[];
  /** The count of the range's rows in all currencies, without the filters. */
  readonly rangeRows: number;
  /** Whether the dataset has the requested currency at all. */
  readonly isKnown: boolean;
};

/** The cheapest roll-up shows which days and currencies have rows. */
const totalsOf = ({ dataset }: Pick<NumberScope, 'dataset'>): SQL =>
  rollUpTableOf(dataset, datasetOf(dataset).rollUps[0]!);
const inScope = ({ dataset, scope }: Pick<NumberScope, 'dataset' | 'scope'>): SQL[] => {
  const field = datasetOf(dataset).scope;
  return field === null ? [] : [sql`t.${name(field)} = ${scope}`];
};
const spanOf = ({ range }: Reading): Span => ({ from: range.from.toString(), to: range.to.toString(), until: null });

/** What a range has, whatever the filters are. */
export async function readStanding(queries: Queries, request: Reading): Promise<Standing> {
  const { dataset, currency } = request;
  const hasCurrency = datasetOf(dataset).currency !== null;
  const { table, count } = countingTable(dataset, []);
  const found = sql`(
    select json_agg(c.currency order by c.found desc, c.currency) as names,
      json_agg(c.found order by c.found desc, c.currency) as counts, sum(c.found) as found
    from (
      select ${hasCurrency ? sql`t.currency` : sql`null::text`} as currency, ${count} as found from ${table} t
      where ${allOf([...inScope(request), inDays(sql`t.day`, spanOf(request))])} group by 1) c)`;
  const known = sql`exists (select 1 from ${totalsOf(request)} t where ${allOf([...inScope(request), sql`t.currency = ${currency}`])})`;
  const { rows } = await executePrepared<Standing>(
    queries,
    sql`
    select s.zone, s.as_of as "asOf", ${isImporting(dataset, request.now.toInstant())} as "isImporting",
      ${hasCurrency ? sql`coalesce(f.names, '[]'::json)` : sql`'[]'::json`} as currencies,
      ${hasCurrency ? sql`coalesce(f.counts, '[]'::json)` : sql`'[]'::json`} as "currencyRows",
      coalesce(f.found, 0)::float8 as "rangeRows", ${hasCurrency && currency !== null ? known : sql`true`} as "isKnown"
    from ${found} f left join number_states s on s.dataset = ${dataset}`,
  );
  return rows[0]!;
}

/**
 * Counts the range's rows that match the filters, in each of these currencies, in the cheapest table that
 * knows them. Single rows are only counted up to a limit.
 */
export async function countMatching(
  queries: Queries,
  request: Reading,
  currencies: readonly (string | null)[],
): Promise<number[]> {
  const { dataset, filters } = request;
  const { table, count, isRollUp } = countingTable(
    dataset,
    filters.map(({ field }) => field),
  );
  const span = spanOf(request);
  const inCurrency = datasetOf(dataset).currency === null ? [] : [sql`t.currency = c.name`];
  const matches = allOf([
    ...inScope(request),
    ...inCurrency,
    inDays(sql`t.day`, span),
    filtered(request, 't', sql`t.day`, span),
  ]);
  const limited = sql`(select 1 from ${table} t where ${matches} limit ${mostRowsCounted}) t`;
  const { rows } = await executePrepared<{ found: number }>(
    queries,
    sql`
    select f.found from unnest(${sql.param([...currencies])}::text[]) with ordinality c (name, place)
      cross join lateral (select coalesce(${count}, 0)::float8 as found from ${isRollUp ? sql`${table} t where ${matches}` : limited}) f
    order by c.place`,
  );
  return rows.map(({ found }) => found);
}

/** The fields that any row around the range has. Fields that no roll-up has are asked of the newest rows. */
export async function readKnownFields(
  queries: Queries,
  request: Reading,
  fields: readonly string[],
): Promise<Set<string>> {
  const { dataset, range } = request;
  const { rollUps } = datasetOf(dataset);
  const { dimensions, sums } = rollUps[0]!;
  const [from, to] = [range.from.subtract(yearsAround), range.to];
  const rowsIn = (end: Temporal.PlainDate): SQL =>
    sql`${lockedTo(request, 't')} and ${inDays(sql`t.day`, { from: from.toString(), to: end.toString() })}`;
  const newest = list(orderOfRows(datasetOf(dataset)).map((part) => sql`t.${name(part)} desc`));
  const isKnown = (field: string): SQL => {
    const inTotals = (has: SQL): SQL =>
      sql`exists (select 1 from ${totalsOf(request)} t where ${rowsIn(to.add(yearsAround))} and t.${name(field)} ${has})`;
    if (dimensions.includes(field)) return inTotals(sql`is not null`);
    const inRows = sql`exists (select 1 from (
      select ${column('t', field)} as value from ${rowsTableOf(dataset)} t where ${rowsIn(to)} order by ${newest} limit ${newestLookedAt}) n
      where n.value is not null)`;
    return sums.includes(field) ? sql`(${inTotals(sql`<> 0`)} or ${inRows})` : inRows;
  };
  const { rows } = await executePrepared<{ known: string[] }>(
    queries,
    sql`select array_remove(array[${list(fields.map((field) => sql`case when ${isKnown(field)} then ${field} end`))}]::text[], null) as known`,
  );
  return new Set(rows[0]!.known);
}

/**
 * By the keys of each group, the fields that any of its newest rows has; without groupings, of the rows that
 * match the filters. Groups of older rows are left out.
 */
export async function readKnownByGroup(
  queries: Queries,
  request: Reading,
  by: readonly string[],
  fields: readonly string[],
): Promise<Map<string, Set<string>>> {
  const { dataset, range } = request;
  const span = { from: range.from.subtract(yearsAround).toString(), to: range.to.toString(), until: null };
  const newest = list(orderOfRows(datasetOf(dataset)).map((part) => sql`t.${name(part)} desc`));
  const day = sql`n.day`;
  const keys = by.map((word) => sql`(${wordValue(request, word, 'n', day, span)})::text`);
  const { rows } = await queries.execute<{ keys: (string | null)[]; known: string[] }>(sql`
    select keys, array_remove(array[${list(fields.map((field) => sql`case when bool_or(${column('k', field)} is not null) then ${field} end`))}]::text[], null) as known
    from (select n.*, array[${list(keys)}]::text[] as keys
      from (select t.* from ${rowsTableOf(dataset)} t where ${lockedTo(request, 't')} and ${inDays(sql`t.day`, span)}
        order by ${newest} limit ${newestLookedAt}) n
      where ${filtered(request, 'n', day, span)}) k
    group by keys`);
  return new Map(rows.map((row) => [JSON.stringify(row.keys), new Set(row.known)]));
}

/** The first day with rows in the scope and currency. */
export async function readFirstDay(queries: Queries, request: Reading): Promise<string | null> {
  const { rows } = await executePrepared<{ day: string }>(
    queries,
    sql`select t.day from ${totalsOf(request)} t where ${lockedTo(request, 't')} order by t.day limit 1`,
  );
  return rows[0]?.day ?? null;
}

/** The newest day with rows, optionally of a currency, and that day's most frequent currency. */
export async function readNewest(
  queries: Queries,
  request: Pick<NumberScope, 'dataset' | 'scope' | 'currency'>,
): Promise<{ day: string; currency: string | null } | null> {
  const hasCurrency = datasetOf(request.dataset).currency !== null;
  const wanted = hasCurrency && request.currency !== null ? [sql`t.currency = ${request.currency}`] : [];
  const { rows } = await queries.execute<{ day: string; currency: string | null }>(sql`
    select t.day, ${hasCurrency ? sql`t.currency` : sql`null::text`} as currency from ${totalsOf(request)} t
    where ${allOf([...inScope(request), ...wanted])} order by t.day desc, t.row_count desc limit 1`);
  return rows[0] ?? null;
}
