// SQL of reminders: what waits for a decision, and the end of a sprint.
import { sql } from 'drizzle-orm';
import { taskStatuses } from '#core/tasks/task-status.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { awaitingByDecider } from '#server/tasks/awaiting-tasks.ts';

/** Takes the run with this name, or reports that it is taken or done. Takes effect on commit. */
export async function takeRun(queries: Queries, key: string, at: string): Promise<boolean> {
  const { rowCount } = await queries.execute(
    sql`insert into notice_runs (key, at) values (${key}, ${at}::timestamptz) on conflict (key) do nothing`,
  );
  return rowCount === 1;
}

export async function isRunDone(queries: Queries, key: string): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`select 1 from notice_runs where key = ${key}`);
  return (rowCount ?? 0) > 0;
}

const person = sql.raw(`p.id::text, p.role, coalesce(r.permissions, '{}') || p.grants as stored`);
const joinedRole = sql.raw('left join roles r on r.name = p.role');

export type DeciderRow = {
  id: string;
  role: string | null;
  stored: string[];
  count: number;
  newest: string;
  lastAt: string | null;
  lastUpTo: string | null;
};

/** People with decisions due by `slot`, with what their last digest contained. */
export async function decidersWithWork(queries: Queries, slot: string): Promise<DeciderRow[]> {
  const { rows } = await queries.execute<DeciderRow>(sql`
    with pairs as (${awaitingByDecider(sql`t.status_at`, sql`t.status_at <= ${slot}::timestamptz`)}),
      work as (select decider_id, count(*)::int as count, max(status_at) as newest from pairs group by decider_id)
    select ${person}, work.count, work.newest, last.at as "lastAt", last.facts->>'upTo' as "lastUpTo"
    from work join people p on p.id = work.decider_id and p.disabled_at is null ${joinedRole}
      left join lateral (
        select n.at, n.facts from notices n where n.person_id = p.id and n.kind = 'waiting' order by n.id desc limit 1) last on true`);
  return rows;
}

/** Keeps only the newest digest, because each covers everything that waits. */
export async function hideEarlierDigests(
  queries: Queries,
  personIds: readonly string[],
  key: string,
  at: string,
): Promise<void> {
  await queries.execute(sql`
    update notices set in_app = false, read_at = coalesce(read_at, ${at}::timestamptz)
    where person_id = any(${sql.param([...personIds])}::bigint[]) and kind = 'waiting' and in_app and key <> ${key}`);
}

export type SprintRow = { id: string; name: string; endAt: string };

export async function sprintAtInstant(queries: Queries, now: string): Promise<SprintRow | undefined> {
  const { rows } = await queries.execute<SprintRow>(sql`
    select id::text, name, end_at as "endAt" from sprints where start_at <= ${now}::timestamptz and end_at > ${now}::timestamptz
    order by start_at desc limit 1`);
  return rows[0];
}

export type ConcernedRow = { id: string; role: string | null; stored: string[]; open: number; waiting: number };

const open = sql.raw(
  Object.entries(taskStatuses)
    .filter(([, status]) => status.open)
    .map(([key]) => `'${key}'`)
    .join(', '),
);

/** People with open tasks of this sprint, or tasks of it to decide. */
export async function peopleWithOpenWork(queries: Queries, sprintId: string): Promise<ConcernedRow[]> {
  const { rows } = await queries.execute<ConcernedRow>(sql`
    with own as (
        select owner_id as id, count(*)::int as count from tasks
        where sprint_id = ${sprintId} and withdrawn_at is null and status in (${open}) group by owner_id),
      pairs as (${awaitingByDecider(sql`t.id`, sql`t.sprint_id = ${sprintId}::bigint`)}),
      work as (select decider_id as id, count(*)::int as count from pairs group by decider_id)
    select ${person}, coalesce(own.count, 0) as open, coalesce(work.count, 0) as waiting
    from own full join work on work.id = own.id
      join people p on p.id = coalesce(own.id, work.id) and p.disabled_at is null ${joinedRole}`);
  return rows;
}
