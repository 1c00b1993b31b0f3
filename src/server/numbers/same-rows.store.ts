// Compares a file's rows with stored ones: those of other sources with the same id or content, those that they
// would replace, and those that have everything but the id in common with them.
import { type SQL, sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf, hasHours } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { allOf, column, list, name, names, orderOfRows, rollUpTableOf, rowsTableOf } from './dataset-columns.ts';
import { erasedMark } from './erased-person.ts';
import { mainAmount } from './import-log.store.ts';
import type { NumberRow } from './number-row.ts';

/**
 * How many of the rows' ids each source has, with the same date if asked. One look into the index of ids for
 * each row and source.
 */
export async function countInSources(
  queries: Queries,
  dataset: DatasetKey,
  sources: readonly string[],
  rows: readonly NumberRow[],
  { hasSameDate }: { readonly hasSameDate: boolean },
): Promise<ReadonlyMap<string, number>> {
  if (sources.length === 0 || rows.length === 0) return new Map();
  const { rows: found } = await queries.execute<{ source: string; count: number }>(sql`
    select s.source, count(*)::int as count
    from json_array_elements_text(${JSON.stringify(sources)}::json) s (source)
    cross join json_array_elements(${idsAndDates(dataset, rows)}::json) g (row)
    cross join lateral (
      select r.${name(datasetOf(dataset).datedBy)} as dated from ${rowsTableOf(dataset)} r
      where r.source = s.source and r.external_id = g.row ->> 0 offset 0) known
    where ${hasSameDate ? isSameDate(dataset) : sql`true`} group by s.source`);
  return new Map(found.map((each) => [each.source, each.count]));
}

/** Which of the rows' ids the source has with the same date. */
export async function storedIds(
  queries: Queries,
  dataset: DatasetKey,
  source: string,
  rows: readonly NumberRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const { rows: found } = await queries.execute<{ id: string }>(sql`
    select g.row ->> 0 as id from json_array_elements(${idsAndDates(dataset, rows)}::json) g (row)
    cross join lateral (
      select r.${name(datasetOf(dataset).datedBy)} as dated from ${rowsTableOf(dataset)} r
      where r.source = ${source} and r.external_id = g.row ->> 0 offset 0) known
    where ${isSameDate(dataset)}`);
  return new Set(found.map(({ id }) => id));
}

const idsAndDates = (dataset: DatasetKey, rows: readonly NumberRow[]): string =>
  JSON.stringify(rows.map(({ externalId, values }) => [externalId, values[datasetOf(dataset).datedBy]]));

const isSameDate = (dataset: DatasetKey): SQL =>
  sql`known.dated = (g.row ->> 1)::${sql.raw(hasHours(datasetOf(dataset)) ? 'timestamptz' : 'date')}`;

/** Which of the currencies stored rows have. */
export async function storedCurrencies(
  queries: Queries,
  dataset: DatasetKey,
  codes: readonly string[],
): Promise<string[]> {
  const { currency, rollUps } = datasetOf(dataset);
  if (currency === null || codes.length === 0) return [];
  const { rows: found } = await queries.execute<{ code: string }>(sql`
    select c.code from json_array_elements_text(${JSON.stringify(codes)}::json) c (code)
    where exists (
      select from ${rollUpTableOf(dataset, rollUps[0]!)} t where t.${name(currency)} = c.code and t.row_count > 0)`);
  return found.map(({ code }) => code);
}

export type RowsOfSource = {
  readonly dataset: DatasetKey;
  readonly source: string;
  /** The company's, whose days rows count on. */
  readonly zone: string;
  readonly rows: readonly NumberRow[];
};

const givenValue = (field: string): SQL => sql`(g.row ->> ${field}::text)`;
const textIn = (field: string): SQL => sql`${column('r', field)}::text`;

/** The rows as JSON objects with their fields, `id`, `isDayOnly` and `copies`; amounts as digits. */
const givenRows = (rows: readonly (NumberRow | CountedRow)[]): string =>
  JSON.stringify(
    rows.map((row) => ({
      ...{ ...row.values, id: row.externalId, isDayOnly: row.isDayOnly ?? false },
      ...('copies' in row && { copies: row.copies }),
    })),
    (_, value) => (typeof value === 'bigint' ? String(value) : value),
  );

const dayIn = (dataset: DatasetKey, zone: string, dated: SQL): SQL =>
  hasHours(datasetOf(dataset)) ? sql`(${dated}::timestamptz at time zone ${zone})::date` : sql`${dated}::date`;

/** The day of a given row. */
const givenDay = (dataset: DatasetKey, zone: string): SQL =>
  dayIn(dataset, zone, givenValue(datasetOf(dataset).datedBy));

/**
 * `others`: of another day with another value in any of the fields, or of a day that none of the given rows
 * has. `filled`: how many have each field.
 */
export type Replaced = {
  readonly found: number;
  readonly others: number;
  readonly filled: Readonly<Record<string, number>>;
};

function differsInAny(fields: readonly string[]): SQL {
  const differs = fields.map((field) => sql`coalesce(${givenValue(field)} <> ${textIn(field)}, false)`);
  return differs.length === 0 ? sql`false` : sql`(${sql.join(differs, sql` or `)})`;
}

function isOnAnotherDay(dataset: DatasetKey, zone: string, rows: readonly NumberRow[]): SQL {
  const dated = [...new Set(rows.map(({ values }) => values[datasetOf(dataset).datedBy]))];
  return sql`r.day not in (
    select ${dayIn(dataset, zone, sql`d.dated`)} from json_array_elements_text(${JSON.stringify(dated)}::json) d (dated))`;
}

/** The stored rows that the rows would replace. One look into the index of ids for each. */
export async function compareReplaced(
  queries: Queries,
  { dataset, source, zone, rows }: RowsOfSource,
  differing: readonly string[] | { readonly daysOf: readonly NumberRow[] },
  counted: readonly string[],
): Promise<Replaced> {
  const isOther = 'daysOf' in differing ? isOnAnotherDay(dataset, zone, differing.daysOf) : differsInAny(differing);
  const counts = counted.map((field) => sql`count(${column('r', field)})::int`);
  const { rows: answer } = await queries.execute<{ found: number; others: number; filled: number[] }>(sql`
    select count(*)::int as found, json_build_array(${list(counts)}) as filled,
      (count(*) filter (where r.day <> ${givenDay(dataset, zone)} and ${isOther}))::int as others
    from json_array_elements(${givenRows(rows)}::json) g (row)
    cross join lateral (
      select t.* from ${rowsTableOf(dataset)} t where t.source = ${source} and t.external_id = ${givenValue('id')} offset 0) r`);
  const { found, others, filled } = answer[0]!;
  return { found, others, filled: Object.fromEntries(counted.map((field, index) => [field, filled[index]!])) };
}

/** Stored rows of a day that one row is compared with. */
const mostOfDay = 2_000;

/**
 * How many of the rows have an id that their source lacks, and how many of these are equal to a row of it in
 * the day and the fields. A day is the same as any time of it. Rows of the run itself don't count.
 */
export async function countEqual(
  queries: Queries,
  { dataset, source, zone, rows, runId }: RowsOfSource & { readonly runId: string | undefined },
  fields: readonly string[],
): Promise<{ readonly fresh: number; readonly equal: number }> {
  const { scope, currency, datedBy } = datasetOf(dataset);
  const table = rowsTableOf(dataset);
  const keys = [scope, currency].filter((field) => field !== null);
  const ofDay = allOf([
    ...keys.map((field) => sql`t.${name(field)} = ${givenValue(field)}`),
    sql`t.day = ${givenDay(dataset, zone)}`,
  ]);
  // In the order of the index, so no plan reads the whole table for them.
  const first = sql`order by ${names(orderOfRows(datasetOf(dataset)))} limit ${mostOfDay}`;
  const isSameTime = hasHours(datasetOf(dataset))
    ? sql`(r.hour is null or (g.row ->> 'isDayOnly')::boolean or ${column('r', datedBy)} = ${givenValue(datedBy)}::timestamptz)`
    : sql`true`;
  const isEqual = allOf([
    sql`r.source = ${source}`,
    ...(runId === undefined ? [] : [sql`r.run_id is distinct from ${runId}::bigint`]),
    isSameTime,
    ...fields.map((field) => sql`${textIn(field)} is not distinct from ${givenValue(field)}`),
  ]);
  const { rows: answer } = await queries.execute<{ fresh: number; equal: number }>(sql`
    select count(*)::int as fresh, (count(*) filter (where exists (
      select 1 from (select t.* from ${table} t where ${ofDay} ${first}) r where ${isEqual})))::int as equal
    from json_array_elements(${givenRows(rows)}::json) g (row)
    where not exists (
      select 1 from ${table} t where t.source = ${source} and t.external_id = ${givenValue('id')} offset 0)`);
  return answer[0]!;
}

/** One of a file's rows, and how many of them are equal to it. */
export type CountedRow = NumberRow & { readonly copies: number };

/**
 * By source, how many of the rows their own source lacks, but that one has under another id: as many rows as
 * the file, with the same day, time and amount, and no field that differs. A field that one of them lacks
 * doesn't differ.
 */
export async function countSameContent(
  queries: Queries,
  { dataset, source, zone, rows }: RowsOfSource & { readonly rows: readonly CountedRow[] },
  fields: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { scope, currency, datedBy } = datasetOf(dataset);
  const table = rowsTableOf(dataset);
  const keys = [scope, currency].filter((field) => field !== null);
  const isDayOnly = sql`(g.row ->> 'isDayOnly')::boolean`;
  const time = sql`${givenValue(datedBy)}::timestamptz`;
  const ofTime = sql`t.${name(datedBy)} between case when ${isDayOnly} then '-infinity' else ${time} end
    and case when ${isDayOnly} then 'infinity' else ${time} end`;
  const ofDay = allOf([
    ...keys.map((field) => sql`t.${name(field)} = ${givenValue(field)}`),
    sql`t.day = ${givenDay(dataset, zone)}`,
    ...(hasHours(datasetOf(dataset)) ? [ofTime] : []),
  ]);
  const amount = mainAmount(dataset);
  const isTwin = allOf([
    sql`r.source <> ${source} and r.external_id <> ${givenValue('id')}`,
    // Without an amount, only the time tells rows of a day apart.
    amount === null ? sql`not ${isDayOnly}` : sql`${textIn(amount)} is not distinct from ${givenValue(amount)}`,
    ...fields.map((field) => sql`coalesce(${textIn(field)} = ${givenValue(field)}, true)`),
  ]);
  const first = sql`order by ${names(orderOfRows(datasetOf(dataset)))} limit ${mostOfDay}`;
  const { rows: found } = await queries.execute<{ source: string; count: number }>(sql`
    select twins.source, count(*)::int as count from (
      select r.source from json_array_elements(${givenRows(rows)}::json) with ordinality g (row, place)
      cross join lateral (select t.* from ${table} t where ${ofDay} ${first}) r
      where ${isTwin} and not exists (
        select 1 from ${table} t where t.source = ${source} and t.external_id = ${givenValue('id')} offset 0)
      group by g.place, r.source, g.row ->> 'copies'
      having count(*) = (g.row ->> 'copies')::int) twins
    group by twins.source`);
  return new Map(found.map((each) => [each.source, each.count]));
}

/** A day of one product or cause in one currency, of which a dataset may have neither. */
export type DayOfRows = { readonly scope: string | null; readonly currency: string | null; readonly day: string };
/** `row`: its number in the database. */
export type RowOnDay = DayOfRows & { readonly id: string; readonly row: string; readonly runId: string | null };

type RowsBetween = {
  readonly dataset: DatasetKey;
  readonly source: string;
  readonly first: string;
  readonly last: string;
};

/**
 * The source's rows on these days, between a file's first and last instant. Of each day, at most
 * `mostOfSources` rows are read.
 */
export async function readRowsOnDays(
  queries: Queries,
  { dataset, source, first, last }: RowsBetween,
  days: readonly DayOfRows[],
): Promise<RowOnDay[]> {
  const { scope, currency, datedBy } = datasetOf(dataset);
  const keys = { scope, currency };
  const type = sql.raw(hasHours(datasetOf(dataset)) ? 'timestamptz' : 'date');
  const ofDay = allOf([
    ...Object.entries(keys).flatMap(([key, field]) =>
      field === null ? [] : [sql`t.${name(field)} = ${givenValue(key)}`],
    ),
    sql`t.day = (g.row ->> 'day')::date`,
    sql`t.${name(datedBy)} between ${first}::${type} and ${last}::${type}`,
  ]);
  const { rows } = await queries.execute<RowOnDay>(sql`
    select r.external_id as id, r.id::text as row, r.day::text as day, r.run_id::text as "runId",
      g.row ->> 'scope' as scope, g.row ->> 'currency' as currency
    from json_array_elements(${JSON.stringify(days)}::json) g (row)
    cross join lateral (
      select t.* from ${rowsTableOf(dataset)} t where ${ofDay}
      order by ${names(orderOfRows(datasetOf(dataset)))} limit ${mostOfSources}) r
    where r.source = ${source} and r.external_id not like ${`${erasedMark}%`}`);
  return rows;
}

/** Rows of all sources on a day of one product or cause. */
const mostOfSources = 10_000;

type DaysBetween = Pick<RowsBetween, 'dataset' | 'first' | 'last'> & {
  readonly scopes: readonly (string | null)[];
  readonly limit: number;
};

/** Days on which any source has rows of these products or causes, in all currencies. */
export async function readDaysBetween(
  queries: Queries,
  { dataset, first, last, scopes, limit }: DaysBetween,
): Promise<DayOfRows[]> {
  const { scope, currency, rollUps } = datasetOf(dataset);
  const [ofScope, ofCurrency] = [scope, currency].map((field) => (field === null ? sql`null::text` : name(field)));
  const isOfScope = scope === null ? [] : [sql`${name(scope)} = any(${sql.param([...scopes])}::text[])`];
  const { rows } = await queries.execute<DayOfRows>(sql`
    select distinct ${ofScope} as scope, ${ofCurrency} as currency, day::text as day
    from ${rollUpTableOf(dataset, rollUps[0]!)}
    where ${allOf([...isOfScope, sql`day between ${first}::date and ${last}::date`, sql`row_count > 0`])}
    order by 3, 1, 2 limit ${limit}`);
  return rows;
}

/** Which of the runs brought one of these rows again, unchanged. */
export async function runsWithRows(
  queries: Queries,
  runs: readonly string[],
  rows: readonly string[],
): Promise<string[]> {
  if (runs.length === 0) return [];
  const { rows: found } = await queries.execute<{ id: string }>(sql`
    select distinct m.run_id::text as id from import_matches m
    join unnest(${sql.param([...rows])}::bigint[]) r (id) on r.id between m.first_id and m.last_id
    where m.run_id = any(${sql.param([...runs])}::bigint[])`);
  return found.map(({ id }) => id);
}

/** Without days, a run can't be undone. */
export type RunOfRows = {
  readonly fileName: string;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
};

export async function readRunsOfRows(queries: Queries, runs: readonly string[]): Promise<RunOfRows[]> {
  if (runs.length === 0) return [];
  const { rows } = await queries.execute<RunOfRows>(sql`
    select r.file_name as "fileName", min(t.first_day)::text as "firstDay", max(t.last_day)::text as "lastDay"
    from import_runs r left join import_totals t on t.run_id = r.id
    where r.id = any(${sql.param([...runs])}::bigint[]) group by r.id order by r.id`);
  return rows;
}
