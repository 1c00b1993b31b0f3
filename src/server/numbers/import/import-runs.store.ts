// SQL of the imports that the server ran, and of their reports.
import { sql } from 'drizzle-orm';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { FaultOfLine } from '#server/platform/imports/fault-report.ts';

export type RunState = 'running' | 'done' | 'stopped' | 'failed';

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
  /** It was asked to stop, and is still running. */
  readonly isStopping: boolean;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly size: number;
  readonly bytesRead: number;
  readonly reason: string | null;
  readonly faults: readonly FaultOfLine[];
  /** Who began it: a person, or another system by its token. */
  readonly person: { readonly firstName: string; readonly lastName: string; readonly email: string } | null;
  readonly serviceToken: string | null;
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

type Progress = ImportCounts & { readonly bytesRead: number; readonly now: string };

const progressOf = ({ rows, inserted, updated, unchanged, refused, bytesRead, now }: Progress) => sql`
  rows = ${rows}, inserted = ${inserted}, updated = ${updated}, unchanged = ${unchanged}, refused = ${refused},
  bytes_read = ${bytesRead}, seen_at = ${now}`;

/** Gives whether somebody wants the import to stop: so that this is seen whichever server runs it, and costs no statement. */
export async function noteProgress(queries: Queries, id: string, progress: Progress): Promise<boolean> {
  const { rows } = await queries.execute<{ isStopping: boolean }>(sql`
    update import_runs set ${progressOf(progress)} where id = ${id} and state = 'running'
    returning stop_asked_at is not null as "isStopping"`);
  return rows[0]?.isStopping ?? false;
}

type Asked = Pick<ImportRun, 'dataset' | 'source' | 'isDryRun'>;

/** What was asked to stop; null where it is not there, has ended, or was asked before. */
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
};

export async function endRun(queries: Queries, id: string, end: RunEnd): Promise<void> {
  await queries.execute(sql`
    update import_runs set state = ${end.state}, reason = ${end.reason}, faults = ${JSON.stringify(end.faults)}::jsonb, ${progressOf(end)}
    where id = ${id}`);
}

const numbers = ['size', 'bytes_read', 'rows', 'inserted', 'updated', 'unchanged', 'refused'];
const counts = numbers.map((name) => `r.${name}::float8 as "${name === 'bytes_read' ? 'bytesRead' : name}"`).join(', ');
const runsRead = (withFaults: boolean) => sql`
  select r.id::text, r.dataset, r.source, r.mapping, r.file_name as "fileName", r.is_dry_run as "isDryRun",
    r.person_id::text as "personId", r.state, r.state = 'running' and r.stop_asked_at is not null as "isStopping",
    r.started_at as "startedAt", r.seen_at as "seenAt", r.reason, ${withFaults ? sql`r.faults` : sql`'[]'::jsonb as faults`}, ${sql.raw(counts)}, t.name as "serviceToken",
    case when p.id is not null then json_build_object('firstName', p.first_name, 'lastName', p.last_name, 'email', p.email) end as person
  from import_runs r left join people p on p.id = r.person_id left join service_tokens t on t.id = r.service_token_id`;

export async function readRun(queries: Queries, id: string): Promise<ImportRun | null> {
  const { rows } = await queries.execute<ImportRun>(sql`${runsRead(true)} where r.id = ${id}`);
  return rows[0] ?? null;
}

/** Newest first. */
export async function readLastRuns(queries: Queries, limit: number, withFaults: boolean): Promise<ImportRun[]> {
  const { rows } = await queries.execute<ImportRun>(
    sql`${runsRead(withFaults)} order by r.started_at desc, r.id desc limit ${limit}`,
  );
  return rows;
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
