// Takes rows of a dataset in: each is recognised by its source and id, and the roll-ups change by what changed, in the same
// transaction. However often a batch comes, in whatever order, beside whatever other import, the sums are those of the rows.
import { type SQL, sql } from 'drizzle-orm';
import { type RollUp, sumColumnsOf } from '#core/numbers/dataset.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import {
  column,
  columns,
  derivedColumns,
  derivedValue,
  fieldsOf,
  keyColumnsOf,
  keyOfRow,
  list,
  name,
  names,
  rollUpTableOf,
  rowsTableOf,
  sqlTypeOf,
  sumsOfRows,
} from './dataset-columns.ts';
import { updateFirstGifts } from './first-gifts.store.ts';
import type { NumberRow, NumberValue } from './number-row.ts';
import { updateOrderHeaders } from './order-headers.store.ts';

export type BatchSource = {
  /** IANA name of the company's time zone: rows count on its days (D4). */
  readonly zone: string;
  /** Where the rows come from; what they call a row need be unique only there. */
  readonly source: string;
};

export type BatchApplied = { readonly inserted: number; readonly updated: number; readonly unchanged: number };

/** The days of the dataset were counted in another zone: the roll-ups have to be rebuilt before more rows come. */
export class ZoneChanged extends Error {
  override name = 'ZoneChanged';
}

/**
 * Applies the rows within the caller's transaction, which holds every other batch of the dataset back until it ends. Of two rows
 * with one id the later counts, and the earlier is told as updated. Best given some thousands of rows at a time.
 */
export async function applyBatch(
  queries: Queries,
  dataset: DatasetKey,
  rows: readonly NumberRow[],
  { zone, source }: BatchSource,
): Promise<BatchApplied> {
  await begin(queries, dataset, zone);
  const byId = new Map(rows.map((row) => [row.externalId, row]));
  if (byId.size === 0) return { inserted: 0, updated: 0, unchanged: 0 };
  // Every lookup below is by an index. The planner does not know how few rows a batch touches and would read whole tables.
  await queries.execute(sql`set local enable_seqscan = off`);
  const answer = await queries.execute<Applied>(applying(dataset, [...byId.values()], { zone, source }));
  const { inserted, updated, touched } = answer.rows[0]!;
  if (dataset === 'orders') await updateOrderHeaders(queries, touched);
  if (dataset === 'donations') await updateFirstGifts(queries, touched);
  if (updated > 0) await dropEmpty(queries, dataset);
  await queries.execute(sql`set local enable_seqscan = on`);
  const replaced = rows.length - byId.size;
  return { inserted, updated: updated + replaced, unchanged: byId.size - inserted - updated };
}

/** Locks the dataset until the transaction ends, and notes when rows came. */
async function begin(queries: Queries, dataset: DatasetKey, zone: string): Promise<void> {
  await lockDataset(queries, dataset);
  const { rows } = await queries.execute<{ zone: string }>(sql`
    insert into number_states as s (dataset, zone, as_of) values (${dataset}, ${zone}, now())
    on conflict (dataset) do update set as_of = excluded.as_of returning s.zone`);
  const kept = rows[0]!.zone;
  if (kept !== zone)
    throw new ZoneChanged(
      `The days of ${dataset} were counted in ${kept}, but the company’s time zone is now ${zone}. Rebuild them first: npm run admin -- rebuild-numbers`,
    );
}

export async function lockDataset(queries: Queries, dataset: DatasetKey): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('numbers'), hashtext(${dataset}))`);
}

type Applied = {
  readonly inserted: number;
  readonly updated: number;
  /** References of the rows that changed, as they were and as they are now: JSON for the next statement. */
  readonly touched: string | null;
};

/** References whose orders or donors are settled anew, by dataset. */
const references: Partial<Record<DatasetKey, readonly string[]>> = {
  orders: ['product', 'currency', 'order_ref'],
  donations: ['cause', 'donor_ref'],
};

/**
 * One statement: all of its parts see the tables as they were before it, so the old values of a row are at hand beside the new
 * ones, also where PostgreSQL cannot return them (before 18).
 */
function applying(dataset: DatasetKey, rows: readonly NumberRow[], { zone, source }: BatchSource): SQL {
  const table = rowsTableOf(dataset);
  const derived = derivedColumns(datasetOf(dataset));
  const kept = [...fieldsOf(dataset), 'labels', 'texts', ...derived];
  const all = ['source', 'external_id', ...kept];
  const touched = references[dataset];
  const rollUps = datasetOf(dataset).rollUps.map(
    (rollUp) => sql`, ${name(`to_${rollUp.name}`)} as (${rollUpChange(dataset, rollUp)})`,
  );
  return sql`
    with given as materialized (${given(dataset, rows, { zone, source })}),
    changed as materialized (
      select g.*, s.id as stored_id, ${list(kept.map((field) => sql`${column('s', field)} as ${name(`old_${field}`)}`))}
      from given g left join lateral (
        select t.* from ${table} t where t.source = g.source and t.external_id = g.external_id offset 0) s on true
      where s.id is null or (${columns('g', kept)}) is distinct from (${columns('s', kept)})),
    inserted as (
      insert into ${table} (${names(all)}) select ${names(all)} from changed where stored_id is null),
    updated as (
      update ${table} t set (${names(kept)}) = (select ${columns('c', kept)}) from changed c where t.id = c.stored_id),
    moves as materialized (
      select 1 as sign, ${names(kept)} from changed
      union all
      select -1, ${names(kept.map((field) => `old_${field}`))} from changed where stored_id is not null)
    ${sql.join(rollUps, sql``)}
    select count(*) filter (where stored_id is null)::int as inserted, count(stored_id)::int as updated,
      ${touched ? sql`(select json_agg(distinct jsonb_build_array(${names(touched)})) from moves)::text` : sql`null`} as touched
    from changed`;
}

/** The rows as a table, with what is computed from them. Values travel as one list a column. */
function given(dataset: DatasetKey, rows: readonly NumberRow[], { zone, source }: BatchSource): SQL {
  const { fields } = datasetOf(dataset);
  const fieldNames = fieldsOf(dataset);
  const listOf = (values: readonly NumberValue[], type: string) => sql`${sql.param(values)}::${sql.raw(type)}[]`;
  const lists = [
    listOf(
      rows.map(({ externalId }) => externalId),
      'text',
    ),
    ...fieldNames.map((field) =>
      listOf(
        rows.map(({ values }) => values[field] ?? null),
        sqlTypeOf(fields[field]!.type),
      ),
    ),
    listOf(
      rows.map(({ labels }) => jsonText(labels)),
      'text',
    ),
    listOf(
      rows.map(({ texts }) => jsonText(texts)),
      'text',
    ),
  ];
  const derived = derivedColumns(datasetOf(dataset));
  const derivations = derived.map(
    (part) => sql`, ${derivedValue(datasetOf(dataset), part, 'i', zone)} as ${name(part)}`,
  );
  return sql`
    select ${source}::text as source, i.external_id, ${columns('i', fieldNames)}, i.labels::jsonb as labels, i.texts::jsonb as texts
      ${sql.join(derivations, sql``)}
    from unnest(${list(lists)}) as i (${names(['external_id', ...fieldNames, 'labels', 'texts'])})`;
}

const jsonText = (record: Readonly<Record<string, string>>): string => JSON.stringify(record);

/** Adds to a roll-up what the changed rows brought, and takes away what they were before. */
function rollUpChange(dataset: DatasetKey, rollUp: RollUp): SQL {
  const table = rollUpTableOf(dataset, rollUp);
  const key = keyColumnsOf(rollUp);
  const counted = ['row_count', ...sumColumnsOf(rollUp)];
  const sums = [sql`sum(sign)`, ...sumsOfRows(dataset, rollUp, 'm', sql`m.sign`)];
  const isChange = sql.join(
    sums.map((sum) => sql`${sum} <> 0`),
    sql` or `,
  );
  return sql`
    insert into ${table} as r (${names([...key, ...counted])})
    select ${keyOfRow(rollUp)}, ${list(sums.map((sum) => sql`${sum}::bigint`))} from moves m group by ${keyOfRow(rollUp)} having ${isChange}
    on conflict (${names(key)}) do update set ${list(
      counted.map((field) => sql`${name(field)} = ${column('r', field)} + ${column('excluded', field)}`),
    )}`;
}

/** Corrections can empty a row of a roll-up; a rebuild would not make it. */
async function dropEmpty(queries: Queries, dataset: DatasetKey): Promise<void> {
  for (const rollUp of datasetOf(dataset).rollUps)
    await queries.execute(sql`delete from ${rollUpTableOf(dataset, rollUp)} where row_count = 0`);
}
