// Imports rows of a dataset: each is recognized by its source and id, and the roll-ups change with it in the
// same transaction. Whatever the batches' order or concurrency, the sums match the rows.
import { setTimeout } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { type RollUp, sumColumnsOf } from '#core/numbers/dataset.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
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
import { recordedChanges } from './import-log.store.ts';
import type { NumberRow, NumberValue } from './number-row.ts';
import { orderHeadersDaily, updateOrderHeaders } from './order-headers.store.ts';

export type BatchSource = {
  /** IANA name of the company's time zone, whose days rows count on (D4). */
  readonly zone: string;
  /** The rows' source; their ids only need to be unique within it. */
  readonly source: string;
  /** The import run of these rows, whose changes are recorded for an undo. Without it, none are recorded. */
  readonly runId?: string;
  /** Ends the wait for the dataset's other batches. */
  readonly signal?: AbortSignal;
};

export type BatchApplied = { readonly inserted: number; readonly updated: number; readonly unchanged: number };

/** The dataset's days were computed in another zone: the roll-ups must be rebuilt before more rows come. */
export class ZoneChanged extends ImportError {
  override name = 'ZoneChanged';
}

/**
 * Applies the rows in the caller's transaction, which blocks the dataset's other batches until it ends. Of
 * two rows with one id the later counts, and the earlier is reported as updated. Works best with some
 * thousands of rows.
 */
export async function applyBatch(
  queries: Queries,
  dataset: DatasetKey,
  rows: readonly NumberRow[],
  from: BatchSource,
): Promise<BatchApplied> {
  await beginBatch(queries, dataset, from.zone, from.signal);
  const byId = new Map(rows.map((row) => [row.externalId, row]));
  if (byId.size === 0) return { inserted: 0, updated: 0, unchanged: 0 };
  const { inserted, updated } = await changeRows<{ inserted: number; updated: number }>(
    queries,
    dataset,
    applying(dataset, [...byId.values()], from),
    ({ updated }) => updated > 0,
  );
  const replaced = rows.length - byId.size;
  return { inserted, updated: updated + replaced, unchanged: byId.size - inserted - updated };
}

/**
 * Runs a statement that changes rows and their roll-ups, then updates what depends on them. It returns the
 * statement's single row, which has `touched`. `takesAway` says whether rows were changed or removed, which
 * can leave empty sums; null if the caller drops those.
 */
export async function changeRows<Answer>(
  queries: Queries,
  dataset: DatasetKey,
  statement: SQL,
  takesAway: ((answer: Answer) => boolean) | null,
): Promise<Answer> {
  // Forces index lookups: the planner doesn't know how few rows a batch touches and would scan whole tables.
  await queries.execute(sql`set local enable_seqscan = off`);
  const { rows } = await queries.execute(statement);
  const answer = rows[0] as Answer & { readonly touched: string | null };
  const movesOrders = dataset === 'orders' && (await updateOrderHeaders(queries, answer.touched));
  if (dataset === 'donations') await updateFirstGifts(queries, answer.touched);
  if (takesAway && (takesAway(answer) || movesOrders)) await dropEmpty(queries, dataset);
  await queries.execute(sql`set local enable_seqscan = on`);
  return answer;
}

/** Locks the dataset until the transaction ends, and records when rows came. */
async function beginBatch(queries: Queries, dataset: DatasetKey, zone: string, signal?: AbortSignal): Promise<void> {
  await lockDataset(queries, dataset, signal);
  const { rows } = await queries.execute<{ zone: string }>(sql`
    insert into number_states as s (dataset, zone, as_of) values (${dataset}, ${zone}, now())
    on conflict (dataset) do update set as_of = excluded.as_of, zone = case
      when s.zone = excluded.zone or exists (select from ${rowsTableOf(dataset)}) then s.zone
      else excluded.zone end
    returning s.zone`);
  mustBeSameZone(dataset, rows[0]!.zone, zone);
}

/** Locks the dataset until the transaction ends, for a change that brings no rows. */
export async function beginRemoval(
  queries: Queries,
  dataset: DatasetKey,
  zone: string,
  signal?: AbortSignal,
): Promise<void> {
  await lockDataset(queries, dataset, signal);
  const { rows } = await queries.execute<{ zone: string }>(
    sql`select zone from number_states where dataset = ${dataset}`,
  );
  mustBeSameZone(dataset, rows[0]?.zone ?? zone, zone);
}

function mustBeSameZone(dataset: DatasetKey, kept: string, zone: string): void {
  if (kept !== zone) throw new ZoneChanged(otherZone(dataset, kept, zone));
}

const otherZone = (dataset: DatasetKey, kept: string, zone: string): string =>
  `The days of ${dataset} were counted in ${kept}, but COMPANY_TIME_ZONE is ${zone} here. Set it to ${kept}. If the company’s time zone has changed, run npm run admin -- rebuild-numbers`;

/** A warning at startup if a dataset's days were counted in another zone, or null. */
export async function zoneWarning(queries: Queries, zone: string): Promise<string | null> {
  const { rows } = await queries.execute<{ dataset: DatasetKey; kept: string }>(
    sql`select dataset, zone as kept from number_states where zone <> ${zone} order by dataset`,
  );
  for (const { dataset, kept } of rows) {
    const { rows: some } = await queries.execute(sql`select from ${rowsTableOf(dataset)} limit 1`);
    if (some.length > 0) return otherZone(dataset, kept, zone);
  }
  return null;
}

const longestLockWaitMs = 500;

/** Polls instead of waiting in a statement, because an undo can take longer than a statement's time limit. */
export async function lockDataset(queries: Queries, dataset: DatasetKey, signal?: AbortSignal): Promise<void> {
  for (let wait = 10; ; wait = Math.min(wait * 2, longestLockWaitMs)) {
    const { rows } = await queries.execute<{ isOurs: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtext('numbers'), hashtext(${dataset})) as "isOurs"`,
    );
    if (rows[0]!.isOurs) return;
    signal?.throwIfAborted();
    await setTimeout(wait);
  }
}

/** By dataset, the references whose orders or donors are recomputed. */
const references: Partial<Record<DatasetKey, readonly string[]>> = {
  orders: ['product', 'currency', 'order_ref'],
  donations: ['cause', 'donor_ref'],
};

/** The columns of a row that a batch writes besides its source and id. */
export const writtenColumns = (dataset: DatasetKey): string[] => [
  ...fieldsOf(dataset),
  'labels',
  'texts',
  ...derivedColumns(datasetOf(dataset)),
];

/**
 * The CTEs that apply `moves` to the roll-ups, each preceded by a comma. `moves` has the columns of
 * `writtenColumns` and `sign`: 1 for a row's new state, -1 for its old one.
 */
export const rollUpChanges = (dataset: DatasetKey): SQL =>
  sql.join(
    datasetOf(dataset).rollUps.map(
      (rollUp) => sql`, ${name(`to_${rollUp.name}`)} as (${rollUpChange(dataset, rollUp)})`,
    ),
    sql``,
  );

/** Old and new references of the rows in `moves`, as JSON for the statement that recomputes them. */
export function touchedReferences(dataset: DatasetKey): SQL {
  const parts = references[dataset];
  return parts ? sql`(select json_agg(distinct jsonb_build_array(${names(parts)})) from moves)::text` : sql`null`;
}

/**
 * One statement, whose parts all see the tables before it: old values are available next to new ones, even
 * before PostgreSQL 18 can return them.
 */
function applying(dataset: DatasetKey, rows: readonly NumberRow[], from: BatchSource): SQL {
  const { runId } = from;
  const table = rowsTableOf(dataset);
  const kept = writtenColumns(dataset);
  const all = ['source', 'external_id', ...kept];
  const run = sql`${runId ?? null}::bigint`;
  return sql`
    with given as materialized (${given(dataset, rows, from)}),
    compared as materialized (
      select g.*, s.id as stored_id, s.run_id as stored_run_id, s.stored,
        ${list(kept.map((field) => sql`${column('s', field)} as ${name(`old_${field}`)}`))},
        s.id is null or (${columns('g', kept)}) is distinct from (${columns('s', kept)}) as is_changed
      from given g left join lateral (
        select t.*, t as stored from ${table} t where t.source = g.source and t.external_id = g.external_id offset 0) s on true),
    changed as materialized (select * from compared where is_changed),
    inserted as (
      insert into ${table} (${names(all)}, run_id) select ${names(all)}, ${run} from changed where stored_id is null returning id),
    updated as (
      update ${table} t set (${names(kept)}, run_id) = (select ${columns('c', kept)}, ${run}) from changed c
      where t.id = c.stored_id),
    moves as materialized (
      select 1 as sign, ${names(kept)} from changed
      union all
      select -1, ${names(kept.map((field) => `old_${field}`))} from changed where stored_id is not null)
    ${rollUpChanges(dataset)}${runId ? recordedChanges(dataset, run) : sql``}
    select count(*) filter (where stored_id is null)::int as inserted, count(stored_id)::int as updated,
      ${touchedReferences(dataset)} as touched
    from changed`;
}

/** The rows as a table with computed columns. Values are passed as one list per column. */
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
    listOf(
      rows.map(({ isDayOnly = false }) => isDayOnly),
      'boolean',
    ),
  ];
  const derived = derivedColumns(datasetOf(dataset));
  const derivations = derived.map(
    (part) => sql`, ${derivedValue(datasetOf(dataset), part, 'i', zone, column('i', 'is_day_only'))} as ${name(part)}`,
  );
  return sql`
    select ${source}::text as source, i.external_id, ${columns('i', fieldNames)}, i.labels::jsonb as labels, i.texts::jsonb as texts
      ${sql.join(derivations, sql``)}
    from unnest(${list(lists)}) as i (${names(['external_id', ...fieldNames, 'labels', 'texts', 'is_day_only'])})`;
}

const jsonText = (record: Readonly<Record<string, string>>): string => JSON.stringify(record);

/** Adds the changed rows to a roll-up and subtracts their old state. */
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

const emptyPerStatement = 10_000;

/** Corrections can empty a roll-up's row, which a rebuild wouldn't create. Large undos empty many. */
export async function dropEmpty(queries: Queries, dataset: DatasetKey): Promise<void> {
  const tables = datasetOf(dataset).rollUps.map((rollUp) => rollUpTableOf(dataset, rollUp));
  if (dataset === 'orders') tables.push(orderHeadersDaily);
  for (const table of tables)
    for (let after: string | null = '-infinity'; after !== null; ) {
      const { rows }: { rows: { last: string | null }[] } = await queries.execute(sql`
        with page as materialized (
          select day from ${table} where row_count = 0 and day > ${after}::date order by day limit ${emptyPerStatement}),
        dropped as (
          delete from ${table} where row_count = 0 and day > ${after}::date and day <= (select max(day) from page))
        select case when count(*) = ${emptyPerStatement} then max(day)::text end as last from page`);
      after = rows[0]!.last;
    }
}
