// Compares a file's rows with stored ones: those of other sources with the same id, those that they would
// replace, and those that have everything but the id in common with them.
import { type SQL, sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf, hasHours } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { allOf, column, list, name, names, orderOfRows, rollUpTableOf, rowsTableOf } from './dataset-columns.ts';
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
  const { datedBy } = datasetOf(dataset);
  const given = rows.map(({ externalId, values }) => [externalId, values[datedBy]]);
  const type = sql.raw(hasHours(datasetOf(dataset)) ? 'timestamptz' : 'date');
  const { rows: found } = await queries.execute<{ source: string; count: number }>(sql`
    select s.source, count(*)::int as count
    from json_array_elements_text(${JSON.stringify(sources)}::json) s (source)
    cross join json_array_elements(${JSON.stringify(given)}::json) g (row)
    cross join lateral (
      select r.${name(datedBy)} as dated from ${rowsTableOf(dataset)} r
      where r.source = s.source and r.external_id = g.row ->> 0 offset 0) known
    where ${hasSameDate ? sql`known.dated = (g.row ->> 1)::${type}` : sql`true`} group by s.source`);
  return new Map(found.map((each) => [each.source, each.count]));
}

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

/** The rows as JSON objects with their fields, `id` and `isDayOnly`; amounts as digits. */
const givenRows = (rows: readonly NumberRow[]): string =>
  JSON.stringify(
    rows.map(({ externalId, values, isDayOnly = false }) => ({ ...values, id: externalId, isDayOnly })),
    (_, value) => (typeof value === 'bigint' ? String(value) : value),
  );

/** The day of a given row. */
function givenDay(dataset: DatasetKey, zone: string): SQL {
  const { datedBy } = datasetOf(dataset);
  return hasHours(datasetOf(dataset))
    ? sql`(${givenValue(datedBy)}::timestamptz at time zone ${zone})::date`
    : sql`${givenValue(datedBy)}::date`;
}

/** `others`: of another day with another value in any of the fields. `filled`: how many have each field. */
export type Replaced = {
  readonly found: number;
  readonly others: number;
  readonly filled: Readonly<Record<string, number>>;
};

/** The stored rows that the rows would replace. One look into the index of ids for each. */
export async function compareReplaced(
  queries: Queries,
  { dataset, source, zone, rows }: RowsOfSource,
  differing: readonly string[],
  counted: readonly string[],
): Promise<Replaced> {
  const differs = differing.map((field) => sql`coalesce(${givenValue(field)} <> ${textIn(field)}, false)`);
  const isOther = differs.length === 0 ? sql`false` : sql`(${sql.join(differs, sql` or `)})`;
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
