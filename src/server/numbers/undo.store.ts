// Undoes an import run: removes its new rows and restores its changed ones. Roll-ups change with them, as in
// a batch.
import { sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { changeRows, rollUpChanges, touchedReferences, writtenColumns } from './batch.store.ts';
import {
  column,
  columns,
  list,
  name,
  names,
  rollUpTableOf,
  rowsTableOf,
  zonedColumns,
  zonedValue,
} from './dataset-columns.ts';

/** The rows per statement, like an import's. */
const stepRows = 2_500;

/** The latest other run that changed rows of this one; null if none. Reads every row of the run. */
export async function laterRun(queries: Queries, dataset: DatasetKey, runId: string): Promise<string | null> {
  const { rows } = await queries.execute<{ id: string | null }>(sql`
    select max(t.run_id)::text as id from import_changes c join ${rowsTableOf(dataset)} t on t.id between c.first_id and c.last_id
    where c.run_id = ${runId} and t.run_id <> ${runId}`);
  return rows[0]!.id;
}

export type UndoTotal = {
  /** Null if the dataset has no currency. */
  readonly currency: string | null;
  /** The dataset's rows on the run's days, now and after the undo. */
  readonly rowsNow: number;
  readonly rowsAfter: number;
  /** The dataset's main amount in ten-thousandths as text; null if it has none. */
  readonly amountNow: string | null;
  readonly amountAfter: string | null;
};

/** The roll-up with the fewest rows: days by currency and little else. */
const totalsOf = (dataset: DatasetKey) => datasetOf(dataset).rollUps[0]!;

/** A preview shows one amount: the first in the totals. */
export function mainAmount(dataset: DatasetKey): string | null {
  const { fields } = datasetOf(dataset);
  return totalsOf(dataset).sums.find((sum) => fields[sum]?.type === 'money') ?? null;
}

export type UndoPreview = {
  readonly removed: number;
  readonly restored: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly totals: readonly UndoTotal[];
};

/** What undoing the run would change, by currency, from its first to its last day. */
export async function previewUndo(queries: Queries, dataset: DatasetKey, runId: string): Promise<UndoPreview> {
  const table = rowsTableOf(dataset);
  const { currency } = datasetOf(dataset);
  const amount = mainAmount(dataset);
  const currencyOf = (alias: string) => (currency ? column(alias, currency) : sql`null::text`);
  const amountOf = (alias: string) => (amount ? sql`coalesce(${column(alias, amount)}, 0)` : sql`null::bigint`);
  const { rows } = await queries.execute<UndoPreview>(sql`
    with mine as materialized (
      select t.id, t.day, ${currencyOf('t')} as currency, ${amountOf('t')} as amount, c.before
      from import_changes c join ${table} t on t.id between c.first_id and c.last_id and t.run_id = c.run_id
      where c.run_id = ${runId}),
    moves as (
      select -1 as sign, day, currency, amount from mine
      union all
      select 1, b.day, ${currencyOf('b')}, ${amountOf('b')}
      from mine cross join lateral jsonb_populate_record(null::${table}, mine.before) b where mine.before is not null),
    days as (select min(day) as first, max(day) as last from moves),
    change as (select currency, sum(sign) as rows, sum(sign * amount) as amount from moves group by currency),
    now as (
      select ${currencyOf('r')} as currency, sum(r.row_count) as rows, sum(${amountOf('r')}) as amount
      from ${rollUpTableOf(dataset, totalsOf(dataset))} r, days where r.day between days.first and days.last group by 1)
    select count(*) filter (where before is null)::int as removed, count(before)::int as restored,
      (select first::text from days) as "firstDay", (select last::text from days) as "lastDay",
      (select coalesce(json_agg(json_build_object('currency', c.currency, 'rowsNow', coalesce(n.rows, 0),
          'rowsAfter', coalesce(n.rows, 0) + c.rows, 'amountNow', case when c.amount is not null then coalesce(n.amount, 0)::text end,
          'amountAfter', (coalesce(n.amount, 0) + c.amount)::text) order by c.currency), '[]')
        from change c left join now n on n.currency is not distinct from c.currency) as totals
    from mine`);
  return rows[0]!;
}

export type Undone = { readonly removed: number; readonly restored: number; readonly isDone: boolean };

/** Undoes the run's next rows in the caller's transaction, which has locked the dataset (`beginBatch`). */
export async function undoStep(queries: Queries, dataset: DatasetKey, runId: string, zone: string): Promise<Undone> {
  const table = rowsTableOf(dataset);
  const kept = writtenColumns(dataset);
  const zoned = zonedColumns(datasetOf(dataset));
  // Days may have been computed in another zone when the row was recorded.
  const before = kept.map((field) =>
    zoned.includes(field)
      ? sql`${zonedValue(datasetOf(dataset), field, 'b', zone)} as ${name(field)}`
      : column('b', field),
  );
  const statement = sql`
    with next as (
      select c.*, sum(c.last_id - c.first_id + 1) over (order by c.first_id) as total, row_number() over (order by c.first_id) as place
      from (select * from import_changes where run_id = ${runId} order by first_id limit ${stepRows}) c),
    picked as materialized (select * from next where place = 1 or total <= ${stepRows}),
    removed as materialized (
      select t.* from picked p join ${table} t on t.id between p.first_id and p.last_id
      where p.before is null and t.run_id = ${runId}),
    restored as materialized (
      select t.id as stored_id, b.run_id as old_run_id, ${list(before)},
        ${list(kept.map((field) => sql`${column('t', field)} as ${name(`new_${field}`)}`))}
      from picked p join ${table} t on t.id = p.first_id and t.run_id = ${runId}
      cross join lateral jsonb_populate_record(null::${table}, p.before) b where p.before is not null),
    deleted as (delete from ${table} t using removed r where t.id = r.id),
    updated as (
      update ${table} t set (${names(kept)}, run_id) = (select ${columns('r', kept)}, r.old_run_id) from restored r
      where t.id = r.stored_id),
    forgotten as (
      delete from import_changes c using picked p where c.run_id = p.run_id and c.first_id = p.first_id),
    moves as materialized (
      select -1 as sign, ${names(kept)} from removed
      union all
      select -1, ${names(kept.map((field) => `new_${field}`))} from restored
      union all
      select 1, ${names(kept)} from restored)
    ${rollUpChanges(dataset)}
    select (select count(*) from removed)::int as removed, (select count(*) from restored)::int as restored,
      (select count(*) from picked) = 0 as "isDone", ${touchedReferences(dataset)} as touched`;
  return changeRows<Undone>(queries, dataset, statement, () => true);
}
