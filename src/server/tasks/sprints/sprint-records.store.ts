// A sprint's commitment and result, each written once (D39).
import { sql } from 'drizzle-orm';
import { type StatusCounts, taskStatuses, taskStatusKeys } from '#core/tasks/task-status.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { isCorrection } from '../corrections.ts';
import { countsByStatus } from './counts-by-status.ts';
import type { SprintRow } from './sprints.store.ts';

const columns = sql.raw(
  'id, name, start_at as "startAt", end_at as "endAt", commitment_at as "commitmentAt", result_at as "resultAt"',
);

/** Statuses as a list of SQL literals, from the core's keys. */
const approvedStatuses = taskStatusKeys.filter((status) => taskStatuses[status].approved);

/** Started sprints that may need recording. */
export async function unrecordedSprints(queries: Queries, now: string): Promise<SprintRow[]> {
  const { rows } = await queries.execute<SprintRow>(
    sql`select ${columns} from sprints where start_at <= ${now} and (result_at is null or (commitment_at is null and end_at > ${now})) order by start_at`,
  );
  return rows;
}

/**
 * Waits for running changes of this sprint's tasks, and refuses new ones until the transaction ends. Null
 * while another server has it.
 */
export async function lockForRecord(queries: Queries, sprintId: string): Promise<SprintRow | null> {
  const { rows: locks } = await queries.execute<{ isOurs: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`record sprint ${sprintId}`}, 0)) as "isOurs"`,
  );
  if (!locks[0]?.isOurs) return null;
  const { rows } = await queries.execute<SprintRow>(
    sql`select ${columns} from sprints where id = ${sprintId} for update`,
  );
  return rows[0] ?? null;
}

export async function insertCommitments(queries: Queries, sprintId: string): Promise<void> {
  await queries.execute(sql`
    with written as (
      insert into sprint_results (sprint_id, person_id, committed)
      select sprint_id, owner_id, count(*) filter (where status in (${literals(approvedStatuses)}))
      from sprint_standings where sprint_id = ${sprintId} group by sprint_id, owner_id order by owner_id
      on conflict (sprint_id, person_id) do update set committed = excluded.committed where sprint_results.committed is null
    )
    update sprints set commitment_at = start_at where id = ${sprintId} and commitment_at is null`);
}

export async function insertResults(queries: Queries, sprintId: string, resultAt: string): Promise<void> {
  await queries.execute(sql`
    with written as (
      insert into sprint_results (sprint_id, person_id, counts, carried_out)
      select sprint_id, owner_id, ${countsByStatus('status')}::jsonb, count(*) filter (where carried_out)
      from sprint_standings where sprint_id = ${sprintId} group by sprint_id, owner_id order by owner_id
      on conflict (sprint_id, person_id) do update set counts = excluded.counts, carried_out = excluded.carried_out
        where sprint_results.counts is null
    )
    update sprints set result_at = ${resultAt} where id = ${sprintId} and result_at is null`);
}

/** The person's current result in the sprint, including tasks carried over from it. */
export async function liveResult(
  queries: Queries,
  sprintId: string,
  personId: string,
): Promise<{ counts: StatusCounts; carriedOut: number }> {
  const { rows } = await queries.execute<{ counts: StatusCounts; carriedOut: number }>(sql`
    select ${countsByStatus('status')} as counts, (count(*) filter (where carried_out))::int as "carriedOut"
    from sprint_standings where sprint_id = ${sprintId} and owner_id = ${personId}`);
  return rows[0]!;
}

/** Tasks of a sprint that were carried over and are now in another one. */
export type CarriedTasks = { readonly sprintId: string; readonly count: number };

/** By the sprints in which the person's tasks are now, also those carried over since the result was recorded. */
export async function carriedTasks(queries: Queries, sprintId: string, personId: string): Promise<CarriedTasks[]> {
  const { rows } = await queries.execute<CarriedTasks>(sql`
    select s.id::text as "sprintId", count(*)::int as count
    from sprint_standings x join tasks t on t.id = x.task_id join sprints s on s.id = t.sprint_id
    where x.sprint_id = ${sprintId} and x.owner_id = ${personId} and x.carried_out
    group by s.id order by s.start_at`);
  return rows;
}

export type RecordedRow = {
  readonly committed: number | null;
  readonly counts: StatusCounts | null;
  readonly carriedOut: number | null;
  readonly corrections: number;
};

/** A person's recorded result with the number of later corrections; null values if nothing was recorded. */
export async function recordedResult(queries: Queries, sprintId: string, personId: string): Promise<RecordedRow> {
  const { rows } = await queries.execute<RecordedRow>(sql`
    select r.committed, r.counts, r.carried_out as "carriedOut",
      (select count(*)::int from task_history h join tasks t on t.id = h.task_id
        where h.sprint_id = ${sprintId} and ${isCorrection} and t.owner_id = ${personId}) as corrections
    from (select 1) one left join sprint_results r on r.sprint_id = ${sprintId} and r.person_id = ${personId}`);
  return rows[0] as RecordedRow;
}
