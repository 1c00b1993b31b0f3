// The rows of a source, or from before a day: how many there are, and their removal. Roll-ups change with
// them, as in a batch.
import { type SQL, sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { changeRows, rollUpChanges, touchedReferences, writtenColumns } from './batch.store.ts';
import { allOf, name, names, rollUpTableOf, rowsTableOf } from './dataset-columns.ts';

const stepRows = 8_000;
const mostSources = 200;

/** Jumps from one source to the next in the index of ids, however many rows each has. */
export async function readSources(queries: Queries, dataset: DatasetKey): Promise<string[]> {
  const table = rowsTableOf(dataset);
  const { rows } = await queries.execute<{ source: string }>(sql`
    with recursive sources as (
      (select source, 1 as place from ${table} order by source limit 1)
      union all
      select (select t.source from ${table} t where t.source > s.source order by t.source limit 1), s.place + 1
      from sources s where s.source is not null and s.place < ${mostSources})
    select source from sources where source is not null order by source`);
  return rows.map(({ source }) => source);
}

export async function hasRows(queries: Queries, dataset: DatasetKey, source: string): Promise<boolean> {
  const { rows } = await queries.execute(sql`select from ${rowsTableOf(dataset)} where source = ${source} limit 1`);
  return rows.length > 0;
}

export type SourceRows = {
  readonly rows: number;
  /** There are more than these. */
  readonly hasMore: boolean;
  /** Null if there are more. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
};

const countedRows = 50_000;
type Counted = {
  readonly rows: number;
  readonly first: string;
  readonly last: string;
  readonly lastId: string;
};

/** Counts in short statements, until it knows that there are more than `most`. */
export async function countSource(
  queries: Queries,
  dataset: DatasetKey,
  source: string,
  most = Number.POSITIVE_INFINITY,
): Promise<SourceRows> {
  const days: string[] = [];
  let count = 0;
  let page: Counted;
  let after = '';
  do {
    page = await countStep(queries, dataset, source, after);
    count += page.rows;
    if (count > most) return { rows: most, hasMore: true, firstDay: null, lastDay: null };
    if (page.rows > 0) days.push(page.first, page.last);
    after = page.lastId;
  } while (page.rows === countedRows);
  days.sort();
  return { rows: count, hasMore: false, firstDay: days[0] ?? null, lastDay: days.at(-1) ?? null };
}

async function countStep(queries: Queries, dataset: DatasetKey, source: string, after: string): Promise<Counted> {
  const { rows } = await queries.execute<Counted>(sql`
    select count(*)::int as rows, min(day)::text as first, max(day)::text as last, max(external_id) as "lastId"
    from (select day, external_id from ${rowsTableOf(dataset)} where source = ${source} and external_id > ${after}
      order by external_id limit ${countedRows}) counted`);
  return rows[0]!;
}

/** `last`: where the next step begins; null after the last one. */
export type Removed = { readonly removed: number; readonly last: string | null };

/**
 * Removes the source's rows after an id of it in the caller's transaction, which has locked the dataset.
 * Empty sums stay for the caller, as in an undo.
 */
export async function removeStep(
  queries: Queries,
  dataset: DatasetKey,
  source: string,
  after: string,
): Promise<Removed> {
  const chosen = sql`source = ${source} and external_id > ${after} order by external_id`;
  return deleteRows(queries, dataset, chosen, null);
}

/** Some rows of those chosen, by a condition and an order, with what is counted of them. */
function deleteRows(
  queries: Queries,
  dataset: DatasetKey,
  chosen: SQL,
  takesAway: (() => boolean) | null,
): Promise<Removed> {
  const table = rowsTableOf(dataset);
  const kept = writtenColumns(dataset);
  return changeRows<Removed>(
    queries,
    dataset,
    sql`
    with removed as materialized (select * from ${table} where ${chosen} limit ${stepRows}),
    deleted as (delete from ${table} t using removed r where t.id = r.id),
    moves as materialized (select -1 as sign, ${names(kept)} from removed)
    ${rollUpChanges(dataset)}
    select count(*)::int as removed, max(external_id) as last, ${touchedReferences(dataset)} as touched from removed`,
    takesAway,
  );
}

export type OldRows = { readonly rows: number; readonly all: number; readonly firstDay: string | null };

/** How many rows are from before a day, of how many. Reads only sums. */
export async function countOld(queries: Queries, dataset: DatasetKey, before: string): Promise<OldRows> {
  const { rows } = await queries.execute<OldRows>(sql`
    select coalesce(sum(row_count) filter (where day < ${before}::date), 0)::float8 as rows,
      coalesce(sum(row_count), 0)::float8 as all, min(day)::text as "firstDay" from ${totalsTableOf(dataset)}`);
  return rows[0]!;
}

/** Deletes some rows from before a day in the caller's transaction, which has locked the dataset. */
export async function deleteOldStep(queries: Queries, dataset: DatasetKey, before: string): Promise<number> {
  const { scope, currency } = datasetOf(dataset);
  // The index by day begins with these.
  const lead = [scope, currency].filter((part) => part !== null);
  const { rows } = await queries.execute<Record<string, string>>(sql`
    select ${lead.length > 0 ? names(lead) : sql`1`} from ${totalsTableOf(dataset)}
    where day < ${before}::date and row_count > 0 limit 1`);
  const [first] = rows;
  if (!first) return 0;
  const isFirst = lead.map((part) => sql`${name(part)} = ${first[part]}`);
  const chosen = sql`${allOf([...isFirst, sql`day < ${before}::date`])} order by day`;
  return (await deleteRows(queries, dataset, chosen, () => true)).removed;
}

const totalsTableOf = (dataset: DatasetKey): SQL => rollUpTableOf(dataset, datasetOf(dataset).rollUps[0]!);
