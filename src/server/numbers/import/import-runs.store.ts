// SQL of imports and their reports.
import { sql } from 'drizzle-orm';
import { searchParts } from '#core/base/search-words.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import type { FaultOfLine, ReasonGroup } from '#server/platform/imports/fault-report.ts';
import type { FileTotal } from './file-totals.ts';

export type RunState = 'running' | 'done' | 'stopped' | 'failed';

export type ImportCounts = {
  readonly rows: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly leftOut: number;
};

/** What brought no file: it removed all rows of its source, or erased a customer or donor. */
export type RemovalWay = 'removal' | 'erasure';

export type ImportWay = 'wizard' | 'http' | 'command' | RemovalWay;

export type ImportRun = ImportCounts & {
  readonly id: string;
  readonly dataset: DatasetKey;
  readonly source: string;
  readonly mapping: string;
  readonly fileName: string;
  readonly isDryRun: boolean;
  readonly personId: string | null;
  readonly state: RunState;
  /** It was asked to stop, but is still running. */
  readonly isStopping: boolean;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly size: number;
  readonly bytesRead: number;
  readonly reason: string | null;
  readonly faults: readonly FaultOfLine[];
  /** Why rows were refused or left out, most frequent first. */
  readonly reasons: readonly ReasonGroup[];
  /** How many of the reasons are about imported rows. */
  readonly warnings: number;
  /**
   * Totals of the rows that fit, most rows first; lists have only the first. Empty: it ended early, or before
   * they were stored.
   */
  readonly totals: readonly FileTotal[];
  /** Its refused rows are still kept as a file. */
  readonly hasReport: boolean;
  /** Who started it: a person, or another system by token. */
  readonly person: { readonly firstName: string; readonly lastName: string; readonly email: string } | null;
  readonly serviceToken: string | null;
  readonly way: ImportWay;
  /** It changed rows or brought rows of earlier imports, and the record of that is still kept. */
  readonly hasChanges: boolean;
  readonly undoState: 'running' | 'done' | 'failed' | null;
  readonly undoSeenAt: string | null;
  readonly undoRows: number;
  readonly undoReason: string | null;
  readonly undoneBy: ImportRun['person'];
  /** What has to end before it goes on; null if nothing does. */
  readonly waitsFor: {
    readonly kind: 'import' | 'undo' | RemovalWay;
    readonly fileName: string;
    readonly seenAt: string;
  } | null;
};

export type NewRun = Pick<
  ImportRun,
  'dataset' | 'source' | 'mapping' | 'fileName' | 'isDryRun' | 'personId' | 'startedAt' | 'size' | 'way'
> & { readonly serviceTokenId: string | null; readonly hash: Buffer | null; readonly idRule: string | null };

/** Runs of a dataset get their ids one after the other: a run sees all earlier ones. */
const lockRuns = (queries: Queries, dataset: DatasetKey) =>
  queries.execute(sql`select pg_advisory_xact_lock(hashtext('import_runs'), hashtext(${dataset}))`);

export async function insertRun({ transaction }: Database, run: NewRun): Promise<string> {
  return transaction(async (queries) => {
    await lockRuns(queries, run.dataset);
    return writeRun(queries, run);
  });
}

/** Inserts a removal, or finds the same one that is running and was seen since then. */
export async function insertRemoval(
  { transaction }: Database,
  run: NewRun,
  seenSince: string,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  return transaction(async (queries) => {
    await lockRuns(queries, run.dataset);
    const running = await readRunningRemoval(queries, run, seenSince);
    return { id: running ?? (await writeRun(queries, run)), isNew: running === null };
  });
}

/** Whether an earlier import that it must wait for still runs, and was seen since then. */
export async function hasEarlierRunning(queries: Queries, id: string, seenSince: string): Promise<boolean> {
  const { rows } = await queries.execute<{ has: boolean }>(sql`
    select exists (
      select 1 from import_runs mine join import_runs r on r.dataset = mine.dataset
        and (mine.way = 'erasure' or (r.source = mine.source and not r.is_dry_run))
      where mine.id = ${id} and r.id < ${id} and r.state = 'running' and r.seen_at > ${seenSince}) as has`);
  return rows[0]!.has;
}

/** Whether an import of the source that starts now has to wait for one that was seen since then. */
export async function hasRunning(
  queries: Queries,
  { dataset, source }: Pick<NewRun, 'dataset' | 'source'>,
  seenSince: string,
): Promise<boolean> {
  const { rows } = await queries.execute(sql`
    select from import_runs
    where dataset = ${dataset} and source = ${source} and not is_dry_run and state = 'running' and seen_at > ${seenSince}
    limit 1`);
  return rows.length > 0;
}

export async function readRunningRemoval(
  queries: Queries,
  { dataset, source, way, hash }: Pick<NewRun, 'dataset' | 'source' | 'way' | 'hash'>,
  seenSince: string,
): Promise<string | null> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    select id::text from import_runs
    where dataset = ${dataset} and source = ${source} and state = 'running' and way = ${way}
      and file_hash is not distinct from ${hash}::bytea and seen_at > ${seenSince}
    limit 1`);
  return rows[0]?.id ?? null;
}

async function writeRun(queries: Queries, run: NewRun): Promise<string> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into import_runs (dataset, source, mapping, file_name, is_dry_run, way, file_hash, id_rule, person_id, service_token_id, state, started_at, seen_at,
      size)
    values (${run.dataset}, ${run.source}, ${run.mapping}, ${run.fileName}, ${run.isDryRun}, ${run.way}, ${run.hash}, ${run.idRule}, ${run.personId},
      ${run.serviceTokenId}, 'running', ${run.startedAt}, ${run.startedAt}, ${run.size})
    returning id::text`);
  return rows[0]!.id;
}

type Progress = ImportCounts & { readonly bytesRead: number; readonly now: string };

const progressOf = ({ rows, inserted, updated, unchanged, refused, leftOut, bytesRead, now }: Progress) => sql`
  rows = ${rows}, inserted = ${inserted}, updated = ${updated}, unchanged = ${unchanged}, refused = ${refused}, left_out = ${leftOut},
  bytes_read = ${bytesRead}, seen_at = ${now}`;

/**
 * Returns whether someone wants the import to stop, which works across servers without an extra statement.
 */
export async function noteProgress(queries: Queries, id: string, progress: Progress): Promise<boolean> {
  const { rows } = await queries.execute<{ isStopping: boolean }>(sql`
    update import_runs set ${progressOf(progress)} where id = ${id} and state = 'running'
    returning stop_asked_at is not null as "isStopping"`);
  return rows[0]?.isStopping ?? false;
}

type Asked = Pick<ImportRun, 'dataset' | 'source' | 'isDryRun'>;

/** The stopped import; null if it doesn't exist, has ended, or was already asked. */
export async function askToStop(queries: Queries, id: string, now: string): Promise<Asked | null> {
  const { rows } = await queries.execute<Asked>(sql`
    update import_runs set stop_asked_at = ${now} where id = ${id} and state = 'running' and stop_asked_at is null
    returning dataset, source, is_dry_run as "isDryRun"`);
  return rows[0] ?? null;
}

export type RunEnd = Progress & {
  readonly state: RunState;
  readonly reason: string | null;
  readonly faults: readonly FaultOfLine[];
  readonly reasons: readonly ReasonGroup[];
  readonly totals: readonly FileTotal[];
};

export async function endRun(queries: Queries, id: string, end: RunEnd): Promise<void> {
  await queries.execute(sql`
    update import_runs set state = ${end.state}, reason = ${end.reason}, faults = ${JSON.stringify(end.faults)}::jsonb,
      reasons = ${JSON.stringify(end.reasons)}::jsonb, totals = ${JSON.stringify(end.totals)}::jsonb, ${progressOf(end)}
    where id = ${id}`);
}

const personOf = (alias: string) =>
  sql.raw(
    `case when ${alias}.id is not null then json_build_object('firstName', ${alias}.first_name, 'lastName', ${alias}.last_name, 'email', ${alias}.email) end`,
  );
const numbers = { size: 'size', bytesRead: 'bytes_read', rows: 'rows', inserted: 'inserted', updated: 'updated' };
const moreNumbers = { unchanged: 'unchanged', refused: 'refused', leftOut: 'left_out', undoRows: 'undo_rows' };
const counts = Object.entries({ ...numbers, ...moreNumbers })
  .map(([name, column]) => `r.${column}::float8 as "${name}"`)
  .join(', ');
/**
 * An import waits for earlier ones of its source, and for an undo or a removal that changes its dataset.
 * Those wait for an import that writes.
 */
const waitsFor = sql.raw(`case when (r.state = 'running' and not r.is_dry_run) or r.undo_state = 'running' then (
    select json_build_object('kind', case when w.undo_state = 'running' then 'undo' when w.way in ('removal', 'erasure') then w.way else 'import' end,
      'fileName', w.file_name, 'seenAt', case when w.undo_state = 'running' then w.undo_seen_at else w.seen_at end)
    from import_runs w
    where w.dataset = r.dataset and w.id <> r.id and not w.is_dry_run and case
      when w.undo_state = 'running' then r.undo_state is distinct from 'running' and w.undo_rows > 0
      when w.state <> 'running' then false
      when w.way in ('removal', 'erasure') and w.rows > 0 then true
      when r.undo_state = 'running' then r.undo_rows = 0 and w.rows > 0
      else (w.source = r.source or r.way = 'erasure') and w.id < r.id end
    order by case when w.undo_state = 'running' then w.undo_seen_at else w.seen_at end desc limit 1) end`);
const runsRead = (withFaults: boolean) => sql`
  select r.id::text, r.dataset, r.source, r.mapping, r.file_name as "fileName", r.is_dry_run as "isDryRun",
    r.person_id::text as "personId", r.state, r.state = 'running' and r.stop_asked_at is not null as "isStopping",
    r.started_at as "startedAt", r.seen_at as "seenAt", r.reason, ${withFaults ? sql`r.faults, r.reasons, r.totals` : sql`'[]'::jsonb as faults, '[]'::jsonb as reasons, jsonb_path_query_array(r.totals, '$[0]') as totals`},
    jsonb_array_length(jsonb_path_query_array(r.reasons, '$[*] ? (@.kind == "warning")')) as warnings,
    exists (select 1 from import_report_parts p where p.run_id = r.id) as "hasReport", ${sql.raw(counts)}, t.name as "serviceToken",
    r.way, exists (select 1 from import_totals s where s.run_id = r.id)
      or exists (select 1 from import_matches m where m.run_id = r.id)
        and not exists (select 1 from import_changes c where c.run_id = r.id) as "hasChanges", r.undo_state as "undoState",
    r.undo_seen_at as "undoSeenAt", r.undo_reason as "undoReason", ${personOf('u')} as "undoneBy", ${personOf('p')} as person,
    ${waitsFor} as "waitsFor"
  from import_runs r left join people p on p.id = r.person_id left join people u on u.id = r.undo_by
    left join service_tokens t on t.id = r.service_token_id`;

export async function readRun(queries: Queries, id: string): Promise<ImportRun | null> {
  const { rows } = await queries.execute<ImportRun>(sql`${runsRead(true)} where r.id = ${id}`);
  return rows[0] ?? null;
}

export type RunsPage = {
  readonly datasets: readonly DatasetKey[];
  readonly limit: number;
  /** The run that the page before ended with. */
  readonly after?: string | undefined;
  /** In names of files and sources. */
  readonly search: string;
  readonly withFaults: boolean;
};

/** Newest first. */
export async function readLastRuns(queries: Queries, page: RunsPage): Promise<ImportRun[]> {
  const { datasets, limit, after, search, withFaults } = page;
  const isOfThem = (alias: 'r' | 'a') => sql`${sql.raw(alias)}.dataset = any(${sql.param(datasets)}::text[])`;
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`(r.started_at, r.id) < (select a.started_at, a.id from import_runs a where a.id = ${after} and ${isOfThem('a')})`;
  const { rows } = await queries.execute<ImportRun>(sql`${runsRead(withFaults)}
    where ${isOfThem('r')} and ${isAfter} and ${contains(searchParts(search), "r.file_name || ' ' || r.source")}
    order by r.started_at desc, r.id desc limit ${limit}`);
  return rows;
}

/** Runs `r` whose rows are still there. */
const hasRows = sql`not r.is_dry_run and r.inserted + r.updated > 0 and r.undo_state is distinct from 'done'
  and not exists (
    select 1 from import_runs x
    where x.dataset = r.dataset and x.source = r.source and x.way = 'removal' and x.state = 'done' and x.id > r.id)`;

/** The latest import of the same file under another source whose rows are still there. */
export async function readSameFile(
  queries: Queries,
  { dataset, source, hash }: Pick<NewRun, 'dataset' | 'source' | 'hash'>,
): Promise<ImportRun | null> {
  const { rows } = await queries.execute<ImportRun>(sql`${runsRead(false)}
    where r.dataset = ${dataset} and r.file_hash = ${hash} and r.source <> ${source} and ${hasRows}
    order by r.started_at desc limit 1`);
  return rows[0] ?? null;
}

/** Whether the source's rows came from exactly this file before. */
export async function hadFile(
  queries: Queries,
  { dataset, source, hash }: Pick<NewRun, 'dataset' | 'source' | 'hash'>,
): Promise<boolean> {
  const { rows } = await queries.execute(sql`select from import_runs r
    where r.dataset = ${dataset} and r.file_hash = ${hash} and r.source = ${source} and ${hasRows} limit 1`);
  return rows.length > 0;
}

/**
 * The source's latest import whose rows are still there, if none of them got its ids by this rule. Imports
 * before rules were stored count by their mapping's name.
 */
export async function readOtherIds(
  queries: Queries,
  { dataset, source, idRule, mapping }: Pick<NewRun, 'dataset' | 'source' | 'idRule' | 'mapping'>,
): Promise<ImportRun | null> {
  const { rows } = await queries.execute<ImportRun>(sql`
    with known as (
      select max(r.id) as last, coalesce(bool_or(coalesce(r.id_rule = ${idRule}, r.mapping = ${mapping})), true) as is_known
      from import_runs r where r.dataset = ${dataset} and r.source = ${source} and ${hasRows})
    ${runsRead(false)} where r.id = (select last from known where not is_known)`);
  return rows[0] ?? null;
}

/**
 * False if it is already being undone or was. `silentSince`: an undo not seen since then died with its
 * server.
 */
export async function beginUndo(
  queries: Queries,
  id: string,
  { personId, now, silentSince }: { readonly personId: string; readonly now: string; readonly silentSince: string },
): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    update import_runs set undo_state = 'running', undo_by = ${personId}, undo_seen_at = ${now}, undo_rows = 0, undo_reason = null
    where id = ${id} and ((undo_state is null and undo_reason is null) or undo_state = 'failed' or (undo_state = 'running' and undo_seen_at < ${silentSince}))`);
  return rowCount === 1;
}

export async function noteUndo(queries: Queries, id: string, undone: number, now: string): Promise<void> {
  await queries.execute(
    sql`update import_runs set undo_rows = ${undone}, undo_seen_at = ${now} where id = ${id} and undo_state = 'running'`,
  );
}

export async function endUndo(
  queries: Queries,
  id: string,
  { state, reason, now }: { readonly state: 'done' | 'failed'; readonly reason: string | null; readonly now: string },
): Promise<void> {
  await queries.execute(
    sql`update import_runs set undo_state = ${state}, undo_reason = ${reason}, undo_seen_at = ${now} where id = ${id}`,
  );
}

/** Reports become irrelevant faster than their imports. */
export async function dropOldReports(queries: Queries, before: string): Promise<void> {
  await queries.execute(
    sql`delete from import_report_parts where run_id in (select id from import_runs where started_at < ${before})`,
  );
}

export async function insertReportPart(queries: Queries, runId: string, part: number, content: Buffer): Promise<void> {
  await queries.execute(
    sql`insert into import_report_parts (run_id, part, content) values (${runId}, ${part}, ${content})`,
  );
}

export async function readReportPart(queries: Queries, runId: string, part: number): Promise<Buffer | null> {
  const { rows } = await queries.execute<{ content: Buffer }>(
    sql`select content from import_report_parts where run_id = ${runId} and part = ${part}`,
  );
  return rows[0]?.content ?? null;
}
