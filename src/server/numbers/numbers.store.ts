// Reads numbers: one statement whatever is asked. Each source gives the leaves it knows by group and in all, for the range and
// the one it is compared with; folded together they are one line a group, ordered by the first metric.
import { type SQL, sql } from 'drizzle-orm';
import { beginningOf, type Grain, nextBeginning } from '#core/numbers/dataset.ts';
import { datasetOf } from '#core/numbers/datasets.ts';
import { leavesOf } from '#core/numbers/metric-value.ts';
import { metricOf } from '#core/numbers/metrics.ts';
import { granularities, type NumberScope } from '#core/numbers/number-request.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';
import { backlogOverTime } from './backlog-over-time.ts';
import { allOf, list, name, rollUpTableOf } from './dataset-columns.ts';
import { backlogKey, type Source, sourceOf } from './number-sources.ts';
import { inDays, type Reading, type Span, wordValue } from './row-conditions.ts';

/** A span, and how much later its days stand in the answer: those of the other range beside those of this one. */
export type Period = { readonly span: Span; readonly shift: { readonly months?: number; readonly days?: number } };

export type NumbersQuestion = {
  readonly reading: Reading;
  readonly metrics: readonly string[];
  readonly by: readonly string[];
  readonly current: Period;
  readonly previous: Period | null;
  readonly top: number;
};

/** Leaves in the unit of the store, by their place; null: nothing was found. */
export type GroupRow = {
  readonly isTotal: boolean;
  readonly keys: (string | null)[];
  readonly current: (string | null)[];
  readonly previous: (string | null)[];
  /** Of all groups, also those that are not given. */
  readonly groups: number;
};

export type LeafSource = { readonly leaf: string; readonly source: Source };

/** The leaves of the metrics, each once, with where they are read. */
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

/** Days of the other range stand where those of this one do. */
function shifted(day: SQL, { shift }: Period): SQL {
  const { months = 0, days = 0 } = shift;
  if (months === 0 && days === 0) return day;
  return sql`(${day} + make_interval(months => ${months}::int, days => ${days}::int))::date`;
}

type Part = { readonly source: Source; readonly period: Period; readonly place: 0 | 1 };

/** What one source says of one period: a line a group, and one in all. */
function partSelect(question: NumbersQuestion, leaves: readonly LeafSource[], { source, period, place }: Part): SQL {
  const { reading, by } = question;
  const isBlind = by.some((word) => source.unsupportedGroupings.includes(word));
  const overTime = source.key === backlogKey && by.some(isOverTime);
  const groups = isBlind || overTime ? [] : by;
  const day = shifted(source.day('t'), period);
  const keys = over(
    groups,
    (word, index) => sql`${wordValue(reading, word, 't', day, period.span)} as ${keyName(index)}`,
  );
  const totals = over(leaves, ({ leaf, source: { key } }) =>
    key === source.key ? source.total(leaf, 'x', period.span) : sql`null::numeric`,
  );
  const sets = groups.length === 0 ? sql`()` : sql`(${list(groups.map((_, index) => keyName(index)))}), ()`;
  const isTotal = groups.length === 0 ? sql`true` : sql`grouping(${keyName(0)}) = 1`;
  const select = sql`
    select ${sql.raw(String(place))} as place, ${isTotal} as is_total${over(by, (_, index) => (groups.length === 0 ? sql`null::text` : sql`${keyName(index)}::text`))}${totals}
    from (select t.*${keys} from ${source.table} t where ${source.means('t', period.span)}) x group by grouping sets (${sets})`;
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

/** What a source knows whole is read from it, and what sticks out at either end from the finer one. */
function partsOf(source: Source, period: Period, place: 0 | 1): Part[] {
  const { span } = period;
  if (source.coarse === null) return [{ source, period, place }];
  const { grain, finer } = source.coarse;
  const { first, end } = wholePart(grain, span);
  // Under the key of the roll-up, whose leaves it completes.
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

/** The first metric as SQL, to order the groups by; its unit does not matter there. */
function rankOf({ reading, metrics }: NumbersQuestion, leaves: readonly LeafSource[]): SQL {
  const ranked = (metric: string): SQL => {
    const { formula } = metricOf(reading.dataset, metric)!;
    if (formula.kind === 'difference') return sql`(${sql.join([formula.of, ...formula.less].map(ranked), sql` - `)})`;
    if (formula.kind === 'quotient') return sql`(${ranked(formula.of)} / nullif(${ranked(formula.by)}, 0))`;
    return sql`coalesce(${name(`c${leaves.findIndex(({ leaf }) => leaf === metric)}`)}, 0)`;
  };
  return ranked(metrics[0]!);
}

export async function readNumbers(
  queries: Queries,
  question: NumbersQuestion,
  leaves: readonly LeafSource[],
): Promise<GroupRow[]> {
  const { by, current, previous, top } = question;
  const sources = [...new Map(leaves.map(({ source }) => [source.key, source])).values()];
  const parts = sources.flatMap((source) => [
    ...partsOf(source, current, 0),
    ...(previous ? partsOf(source, previous, 1) : []),
  ]);
  const keys = by.map((_, index) => keyName(index));
  const indexes = leaves.map((_, index) => index);
  const folded = indexes.flatMap((index) => [
    sql`sum(${leafName(index)}) filter (where place = 0) as ${name(`c${index}`)}`,
    sql`sum(${leafName(index)}) filter (where place = 1) as ${name(`p${index}`)}`,
  ]);
  // Over time in the order of time, else the largest first.
  const order = by.some(isOverTime) ? [] : [sql`${rankOf(question, leaves)} desc nulls last`];
  const { rows } = await executePrepared<GroupRow>(
    queries,
    sql`
    with part (place, is_total${over(by, (_, index) => keyName(index))}${over(leaves, (_, index) => leafName(index))}) as (
      ${sql.join(
        parts.map((part) => partSelect(question, leaves, part)),
        sql` union all `,
      )}),
    folded as (select is_total${over(keys, (key) => key)}, ${list(folded)} from part group by is_total${over(keys, (key) => key)})
    select is_total as "isTotal", array[${list([...keys, sql`null`])}]::text[] as keys,
      array[${list(indexes.map((index) => name(`c${index}`)))}]::text[] as current,
      array[${list(indexes.map((index) => name(`p${index}`)))}]::text[] as previous,
      (count(*) over (partition by is_total))::int as groups
    from folded order by is_total desc${over(order, (part) => part)}${over(keys, (key) => key)} limit ${top + 1}`,
  );
  return rows;
}

export type Standing = {
  readonly zone: string | null;
  readonly asOf: string | null;
  /** Of the range, most rows first. */
  readonly currencies: string[];
  /** Whether the currency asked for is one of the dataset's at all. */
  readonly isKnown: boolean;
};

/** The cheapest roll-up tells which days and currencies have rows. */
const totalsOf = ({ dataset }: Pick<NumberScope, 'dataset'>): SQL =>
  rollUpTableOf(dataset, datasetOf(dataset).rollUps[0]!);
const inScope = ({ dataset, scope }: Pick<NumberScope, 'dataset' | 'scope'>): SQL[] => {
  const field = datasetOf(dataset).scope;
  return field === null ? [] : [sql`t.${name(field)} = ${scope}`];
};

export async function readStanding(
  queries: Queries,
  request: Omit<NumberScope, 'filters' | 'hours'>,
): Promise<Standing> {
  const { dataset, currency, range } = request;
  const days = inDays(sql`t.day`, { from: range.from.toString(), to: range.to.toString() });
  const hasCurrency = datasetOf(dataset).currency !== null;
  const currencies = sql`(select json_agg(c.currency order by c.found desc, c.currency) from (
    select t.currency, sum(t.row_count) as found from ${totalsOf(request)} t where ${allOf([...inScope(request), days])} group by t.currency) c)`;
  const known = sql`exists (select 1 from ${totalsOf(request)} t where ${allOf([...inScope(request), sql`t.currency = ${currency}`])})`;
  const { rows } = await executePrepared<Standing>(
    queries,
    sql`
    select s.zone, s.as_of as "asOf", coalesce(${hasCurrency ? currencies : sql`null::json`}, '[]'::json) as currencies,
      ${hasCurrency && currency !== null ? known : sql`true`} as "isKnown"
    from (select 1) one left join number_states s on s.dataset = ${dataset}`,
  );
  return rows[0]!;
}

/** The newest day with rows, of the currency where one is given, and the currency of that day with the most. */
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
