// What an import run changed: its rows one by one for an undo, their totals for its preview, and the earlier
// rows that it also brought. Written with each batch and kept until the run is undone or too old.
import { type SQL, sql } from 'drizzle-orm';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { name, rollUpTableOf } from './dataset-columns.ts';

/** A running import reports every second; one that is silent for this long died with its server. */
const silenceSeconds = 60;

/** A run or undo not seen since then died with its server. */
export const silentSince = (now: Temporal.Instant): string => now.subtract({ seconds: silenceSeconds }).toString();

/** Whether an import writes rows of the dataset, batch by batch. Undoing and removing change all at once. */
export const isImporting = (dataset: DatasetKey, now: Temporal.Instant): SQL => sql`exists (
  select 1 from import_runs where dataset = ${dataset} and state = 'running' and not is_dry_run
    and way not in ('removal', 'erasure') and seen_at > ${silentSince(now)})`;

/** Marks an import's warning that amounts of whole orders count at the orders' first lines. */
export const wholeOrderMark = 'wholeOrder';

type Shown = {
  readonly scope: string | null;
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
};

/**
 * Whether stored rows of this product and time can have such amounts: an import brought them, and no later
 * one from its source has replaced as many rows without them.
 */
export async function hasWholeOrders(
  queries: Queries,
  dataset: DatasetKey,
  { scope, from, to }: Shown,
): Promise<boolean> {
  const { rows } = await queries.execute<{ has: boolean }>(sql`
    with kept as materialized (
      select id, source, way, inserted, updated, unchanged, totals,
        reasons @> ${JSON.stringify([{ mark: wholeOrderMark }])}::jsonb as is_marked from import_runs
      where dataset = ${dataset} and state = 'done' and not is_dry_run and way <> 'erasure'
        and undo_state is distinct from 'done')
    select exists (
      select 1 from kept m where is_marked and exists (
        select from jsonb_array_elements(m.totals) x where x->>'scope' is not distinct from ${scope}::text
          and x->>'firstDay' <= ${to.toString()}::text and x->>'lastDay' >= ${from.toString()}::text)
        and not exists (
          select 1 from kept l where l.source = m.source and l.id > m.id and not l.is_marked
            and (l.updated + l.unchanged >= m.inserted + m.updated + m.unchanged or l.way = 'removal'))) as has`);
  return rows[0]!.has;
}

/** Rows of one file lie in few ranges of ids. Of a shuffled file's, only the largest gaps count. */
const rangesPerBatch = 16;

/** The roll-up with the fewest rows: days by currency and little else. */
const totalsOf = (dataset: DatasetKey) => datasetOf(dataset).rollUps[0]!;

/** A preview shows one amount: the first in the totals. */
export function mainAmount(dataset: DatasetKey): string | null {
  const { fields } = datasetOf(dataset);
  return totalsOf(dataset).sums.find((sum) => fields[sum]?.type === 'money') ?? null;
}

const currencyOf = (dataset: DatasetKey): SQL => {
  const { currency } = datasetOf(dataset);
  return currency ? name(currency) : sql`null::text`;
};

const amountOf = (dataset: DatasetKey): SQL => {
  const amount = mainAmount(dataset);
  return amount ? sql`coalesce(${name(amount)}, 0)` : sql`0`;
};

/** The CTEs that record what a batch does, each preceded by a comma. They read those of its statement. */
export const recordedChanges = (dataset: DatasetKey, run: SQL): SQL => sql`,
    recorded as (
      insert into import_changes (run_id, first_id, last_id, before)
      select ${run}, min(id), max(id), null from inserted having count(*) > 0
      union all
      select ${run}, stored_id, stored_id, to_jsonb(stored) from changed where stored_id is not null),
    gaps as (
      select stored_id as id, coalesce(stored_id - lag(stored_id) over (order by stored_id) - 1, 0) as gap
      from compared where stored_run_id <> ${run}),
    breaks as (
      select id, gap > 0 and row_number() over (order by gap desc) < ${rangesPerBatch} as is_break from gaps),
    ranges as (select id, count(*) filter (where is_break) over (order by id) as range from breaks),
    matched as (
      insert into import_matches (run_id, first_id, last_id) select ${run}, min(id), max(id) from ranges group by range),
    totaled as (
      insert into import_totals as t (run_id, currency, first_day, last_day, written, replaced, amount)
      select ${run}, ${currencyOf(dataset)}, min(day), max(day), count(*) filter (where sign > 0),
        count(*) filter (where sign < 0), sum(sign * ${amountOf(dataset)})
      from moves group by 2
      on conflict (run_id, currency) do update set
        first_day = least(t.first_day, excluded.first_day), last_day = greatest(t.last_day, excluded.last_day),
        written = t.written + excluded.written, replaced = t.replaced + excluded.replaced,
        amount = t.amount + excluded.amount)`;

/** Runs after this one from the same source. */
const laterRuns = (runId: string) => sql`
  select r.id from import_runs mine join import_runs r on r.dataset = mine.dataset and r.source = mine.source
  where mine.id = ${runId} and r.id > ${runId}`;

/** The latest run that also brought rows this one added or changed, and must be undone first; null if none. */
export async function laterRun(queries: Queries, runId: string): Promise<string | null> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    with later as materialized (${laterRuns(runId)})
    select l.id::text from later l
    where exists (
      select 1 from import_matches m where m.run_id = l.id and m.first_id <= (
        select c.last_id from import_changes c where c.run_id = ${runId} and c.first_id <= m.last_id
        order by c.first_id desc limit 1))
    order by l.id desc limit 1`);
  return rows[0]?.id ?? null;
}

/** Whether a later run of the same source changed rows, brought earlier ones or removed all. */
export async function hasLaterChanges(queries: Queries, runId: string): Promise<boolean> {
  const { rows } = await queries.execute<{ has: boolean }>(sql`
    select exists (
      select 1 from (${laterRuns(runId)}) l
      where exists (select 1 from import_changes c where c.run_id = l.id)
        or exists (select 1 from import_matches m where m.run_id = l.id)
        or exists (select 1 from import_runs r where r.id = l.id and r.way = 'removal' and r.state = 'done')) as has`);
  return rows[0]!.has;
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

export type UndoPreview = {
  readonly removed: number;
  readonly restored: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly totals: readonly UndoTotal[];
};

/** What undoing the run would change, by currency, from its first to its last day. Reads only sums. */
export async function previewUndo(queries: Queries, dataset: DatasetKey, runId: string): Promise<UndoPreview> {
  const hasAmount = mainAmount(dataset) !== null;
  const shown = (amount: SQL) => (hasAmount ? sql`(${amount})::text` : sql`null::text`);
  const { rows } = await queries.execute<UndoPreview>(sql`
    with change as (select * from import_totals where run_id = ${runId}),
    days as (select min(first_day) as first, max(last_day) as last from change),
    now as (
      select ${currencyOf(dataset)} as currency, sum(row_count) as rows, sum(${amountOf(dataset)}) as amount
      from ${rollUpTableOf(dataset, totalsOf(dataset))}, days where day between days.first and days.last group by 1)
    select coalesce(sum(c.written - c.replaced), 0)::float8 as removed, coalesce(sum(c.replaced), 0)::float8 as restored,
      (select first::text from days) as "firstDay", (select last::text from days) as "lastDay",
      coalesce(json_agg(json_build_object('currency', c.currency, 'rowsNow', coalesce(n.rows, 0),
        'rowsAfter', coalesce(n.rows, 0) - c.written + c.replaced, 'amountNow', ${shown(sql`coalesce(n.amount, 0)`)},
        'amountAfter', ${shown(sql`coalesce(n.amount, 0) - c.amount`)}) order by c.currency), '[]') as totals
    from change c left join now n on n.currency is not distinct from c.currency`);
  return rows[0]!;
}

const rowsPerDelete = 20_000;

/**
 * Forgets what runs changed. Their totals go first: without them, a run with changes can't be undone, so an
 * interruption leaves none that would be undone in part. `beforeStep` throws to stop.
 */
export async function forgetRuns(
  queries: Queries,
  runs: readonly string[],
  beforeStep: () => void = () => {},
): Promise<void> {
  const ids = sql`any(${sql.param([...runs])}::bigint[])`;
  for (const table of ['import_totals', 'import_matches', 'import_changes'].map(name))
    for (let dropped = rowsPerDelete; dropped === rowsPerDelete; ) {
      beforeStep();
      const { rowCount } = await queries.execute(sql`
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where run_id = ${ids} limit ${rowsPerDelete}))`);
      dropped = rowCount ?? 0;
    }
}

/** Runs with rows from before a day, whose changes are still kept. */
export async function readRunsBefore(queries: Queries, dataset: DatasetKey, before: string): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    select distinct r.id::text from import_totals t join import_runs r on r.id = t.run_id
    where r.dataset = ${dataset} and t.first_day < ${before}::date`);
  return rows.map(({ id }) => id);
}

export async function readRunsOfSource(queries: Queries, dataset: DatasetKey, source: string): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(
    sql`select id::text from import_runs where dataset = ${dataset} and source = ${source}`,
  );
  return rows.map(({ id }) => id);
}
