// SQL of sprints. The current one is never stored: the clock decides (D27).
import { type SQL, sql } from 'drizzle-orm';
import type { StatusCounts } from '#core/tasks/task-status.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';
import { countsByStatus } from './counts-by-status.ts';

export type SprintRow = {
  readonly id: string;
  readonly name: string;
  readonly startAt: string;
  readonly endAt: string;
  readonly commitmentAt: string | null;
  readonly resultAt: string | null;
};

export type NewSprint = { readonly name: string; readonly startAt: string; readonly endAt: string };

const columns = sql.raw(
  [
    'id',
    'name',
    'start_at as "startAt"',
    'end_at as "endAt"',
    'commitment_at as "commitmentAt"',
    'result_at as "resultAt"',
  ]
    .map((column) => `s.${column}`)
    .join(', '),
);

async function sprintsWhere(queries: Queries, condition: SQL): Promise<SprintRow[]> {
  const { rows } = await executePrepared<SprintRow>(
    queries,
    sql`select ${columns} from sprints s where ${condition} order by s.start_at`,
  );
  return rows;
}

/**
 * By the clock: the sprint that ended last, the one that started last, and future ones, in order of start.
 */
export function sprintsNow(queries: Queries, now: string): Promise<SprintRow[]> {
  return sprintsWhere(
    queries,
    sql`s.start_at > ${now} or s.id in (
      (select id from sprints where end_at <= ${now} order by end_at desc limit 1)
      union all (select id from sprints where start_at <= ${now} order by start_at desc limit 1))`,
  );
}

export async function sprintById(queries: Queries, id: string): Promise<SprintRow | null> {
  const [row] = await sprintsWhere(queries, sql`s.id = ${id}`);
  return row ?? null;
}

/** The latest `count` sprints up to this one, in order of start. */
export function sprintsUpTo(queries: Queries, id: string, count: number): Promise<SprintRow[]> {
  return sprintsWhere(
    queries,
    sql`s.id in (select b.id from sprints b where b.start_at <= (select start_at from sprints where id = ${id}) order by b.start_at desc limit ${count})`,
  );
}

export async function lastRecordedSprint(queries: Queries): Promise<SprintRow | null> {
  const [row] = await sprintsWhere(
    queries,
    sql`s.id = (select id from sprints where result_at is not null order by start_at desc limit 1)`,
  );
  return row ?? null;
}

export const allSprints = (queries: Queries): Promise<SprintRow[]> => sprintsWhere(queries, sql`true`);

/** Previous is the one that ended last (spec 3), next the first future one. */
export function sprintsAround(queries: Queries, now: string): Promise<SprintRow[]> {
  return sprintsWhere(
    queries,
    sql`s.id in (
      (select id from sprints where end_at <= ${now} order by end_at desc limit 1)
      union all (select id from sprints where start_at <= ${now} and end_at > ${now} order by start_at desc limit 1)
      union all (select id from sprints where start_at > ${now} order by start_at limit 1))`,
  );
}

/**
 * The person's tasks in all sprints. Read before the sprints are chosen: a sprint's tasks of all people are
 * many more.
 */
const standingsOf = (personId: string): SQL =>
  sql`(select * from sprint_standings where owner_id = ${personId} offset 0) x`;

/** Tasks whose owner and standing match a condition on `x` (sprint_standings) and `p` (people). */
const standings = sql`sprint_standings x join people p on p.id = x.owner_id`;

async function taskIdsIn(
  queries: Queries,
  sprintIds: readonly string[],
  from: SQL,
  about: SQL,
): Promise<Map<string, readonly string[]>> {
  const { rows } = await executePrepared<{ sprintId: string; taskIds: string[] }>(
    queries,
    sql`
    select x.sprint_id::text as "sprintId", json_agg(x.task_id::text order by x.task_id) as "taskIds"
    from ${from} where x.sprint_id = any(${sql.param([...sprintIds])}::bigint[]) and not x.carried_out and ${about}
    group by x.sprint_id`,
  );
  return new Map(rows.map((row) => [row.sprintId, row.taskIds]));
}

export const ownTaskIds = (queries: Queries, sprintIds: readonly string[], personId: string) =>
  taskIdsIn(queries, sprintIds, standingsOf(personId), sql`true`);

/** `about`: which tasks, as a condition on `x` (sprint_standings) and `p` (people). */
export const taskIds = (queries: Queries, sprintIds: readonly string[], about: SQL) =>
  taskIdsIn(queries, sprintIds, standings, about);

type CountsRow = { readonly sprintId: string; readonly counts: StatusCounts };

const countsFrom = (from: SQL, sprintIds: readonly string[], about: SQL): SQL => sql`
  select x.sprint_id::text as "sprintId", ${countsByStatus('x.status')}::jsonb as counts
  from ${from} where x.sprint_id = any(${sql.param([...sprintIds])}::bigint[]) and ${about} group by x.sprint_id`;

async function readCounts(queries: Queries, statement: SQL): Promise<Map<string, StatusCounts>> {
  const { rows } = await executePrepared<CountsRow>(queries, statement);
  return new Map(rows.map(({ sprintId, counts: each }) => [sprintId, each]));
}

/** The person's recorded results, and current tasks where nothing is recorded. */
export function ownCounts(queries: Queries, sprintIds: readonly string[], personId: string) {
  const isOpen = sql`x.sprint_id not in (select sprint_id from recorded)`;
  return readCounts(
    queries,
    sql`
    with recorded as materialized (
      select sprint_id, counts from sprint_results
      where person_id = ${personId} and counts is not null and sprint_id = any(${sql.param([...sprintIds])}::bigint[]))
    select sprint_id::text as "sprintId", counts from recorded
    union all ${countsFrom(standingsOf(personId), sprintIds, isOpen)}`,
  );
}

export const counts = (queries: Queries, sprintIds: readonly string[], about: SQL) =>
  readCounts(queries, countsFrom(standings, sprintIds, about));

/** Locked until the transaction ends, so servers with different zones never create overlapping weeks. */
export async function lockSprintMaking(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('sprints'))`);
}

/** A boundary's instants before and after. */
export type Move = { readonly from: string; readonly to: string };

/** Moves the end of one sprint and the start of the next together. */
export async function moveBoundary(queries: Queries, { from, to }: Move): Promise<void> {
  await queries.execute(sql`
    update sprints set
      start_at = case when start_at = ${from} then ${to}::timestamptz else start_at end,
      end_at = case when end_at = ${from} then ${to}::timestamptz else end_at end
    where ${from} in (start_at, end_at)`);
}

/** Inserts missing sprints; existing ones don't change. */
export async function insertSprints(queries: Queries, made: readonly NewSprint[]): Promise<void> {
  const values = sql.join(
    made.map(({ name, startAt, endAt }) => sql`(${name}, ${startAt}::timestamptz, ${endAt}::timestamptz)`),
    sql`, `,
  );
  await queries.execute(
    sql`insert into sprints (name, start_at, end_at) values ${values} on conflict (start_at) do nothing`,
  );
}
