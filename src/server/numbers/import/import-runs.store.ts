// SQL of the imports that the server ran, and of their reports.
import { sql } from 'drizzle-orm';
import type { DatasetKey } from '#core/datasets.ts';
import type { Queries } from '../../db/database.ts';
import type { FaultOfLine } from '../../imports/fault-report.ts';

export type RunState = 'running' | 'done' | 'failed';

export type ImportCounts = {
  readonly rows: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
};

export type ImportRun = ImportCounts & {
  readonly id: string;
  readonly dataset: DatasetKey;
  readonly source: string;
  readonly mapping: string;
  readonly fileName: string;
  readonly isDryRun: boolean;
  readonly personId: string | null;
  readonly state: RunState;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly size: number;
  readonly bytesRead: number;
  readonly reason: string | null;
  readonly faults: readonly FaultOfLine[];
};

export type NewRun = Pick<
  ImportRun,
  'dataset' | 'source' | 'mapping' | 'fileName' | 'isDryRun' | 'personId' | 'startedAt' | 'size'
> & { readonly serviceTokenId: string | null };

export async function insertRun(queries: Queries, run: NewRun): Promise<string> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into import_runs (dataset, source, mapping, file_name, is_dry_run, person_id, service_token_id, state, started_at, seen_at, size)
    values (${run.dataset}, ${run.source}, ${run.mapping}, ${run.fileName}, ${run.isDryRun}, ${run.personId}, ${run.serviceTokenId}, 'running',
      ${run.startedAt}, ${run.startedAt}, ${run.size})
    returning id::text`);
  return rows[0]!.id;
}

export async function noteProgress(
  queries: Queries,
  id: string,
  { rows, bytesRead, now }: { rows: number; bytesRead: number; now: string },
): Promise<void> {
  await queries.execute(
    sql`update import_runs set rows = ${rows}, bytes_read = ${bytesRead}, seen_at = ${now} where id = ${id} and state = 'running'`,
  );
}

export type RunEnd = ImportCounts & {
  readonly state: RunState;
  readonly reason: string | null;
  readonly faults: readonly FaultOfLine[];
  readonly now: string;
};

export async function endRun(queries: Queries, id: string, end: RunEnd): Promise<void> {
  await queries.execute(sql`
    update import_runs set state = ${end.state}, reason = ${end.reason}, faults = ${JSON.stringify(end.faults)}::jsonb, seen_at = ${end.now},
      bytes_read = size, rows = ${end.rows}, inserted = ${end.inserted}, updated = ${end.updated}, unchanged = ${end.unchanged}, refused = ${end.refused}
    where id = ${id}`);
}

const numbers = ['size', 'bytes_read', 'rows', 'inserted', 'updated', 'unchanged', 'refused'];

export async function readRun(queries: Queries, id: string): Promise<ImportRun | null> {
  const counts = sql.raw(
    numbers.map((name) => `${name}::float8 as "${name === 'bytes_read' ? 'bytesRead' : name}"`).join(', '),
  );
  const { rows } = await queries.execute<ImportRun>(sql`
    select id::text, dataset, source, mapping, file_name as "fileName", is_dry_run as "isDryRun", person_id::text as "personId", state,
      started_at as "startedAt", seen_at as "seenAt", reason, faults, ${counts}
    from import_runs where id = ${id}`);
  return rows[0] ?? null;
}

/** Reports grow old faster than what they tell of matters. */
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
