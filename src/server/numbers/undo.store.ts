// Undoes an import run: removes its new rows and restores its changed ones. Roll-ups change with them, as in
// a batch.
import { sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { changeRows, rollUpChanges, touchedReferences, writtenColumns } from './batch.store.ts';
import { column, columns, list, name, names, rowsTableOf, zonedColumns, zonedValue } from './dataset-columns.ts';

/** More than an import's: each step leaves old versions of its sums, which slow down later steps. */
const stepRows = 8_000;

/** `lastId`: where the next step begins; null after the last one. */
export type Undone = { readonly removed: number; readonly restored: number; readonly lastId: string | null };

export type UndoStep = { readonly runId: string; readonly zone: string; readonly after: string };

/**
 * Undoes the run's rows after an id in the caller's transaction, which has locked the dataset (`beginBatch`).
 * Empty sums stay for the caller: rows deleted in a transaction slow down its later statements.
 */
export async function undoStep(
  queries: Queries,
  dataset: DatasetKey,
  { runId, zone, after }: UndoStep,
): Promise<Undone> {
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
      from (
        select * from import_changes where run_id = ${runId} and first_id > ${after} order by first_id limit ${stepRows}) c),
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
      (select max(first_id)::text from picked) as "lastId", ${touchedReferences(dataset)} as touched`;
  return changeRows<Undone>(queries, dataset, statement, null);
}
