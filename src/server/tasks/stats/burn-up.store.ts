// How the number of a sprint's approved and completed tasks grew.
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { counted, isFew, reached, statusesOf } from './stats.store.ts';
import { type StatsReach, textArray } from './stats-reach.ts';

const completed = literals(statusesOf('completed'));
const approved = literals(statusesOf('approved'));

/** 2: approved and completed, 1: approved only, 0: neither. */
const level = (status: SQL): SQL =>
  sql`case when ${status} in (${completed}) then 2 when ${status} in (${approved}) then 1 else 0 end`;

export type BurnUpCounts = { readonly approved: number; readonly completed: number };

/**
 * The counts before each of these instants, oldest first, without invisible people (D23) and corrections. The
 * last ones are the current or the recorded counts.
 */
export async function burnUpOf(
  queries: Queries,
  reach: StatsReach,
  sprintId: string,
  instants: readonly string[],
): Promise<BurnUpCounts[]> {
  // As a subquery, which PostgreSQL runs once. The cast alone would run for each row.
  const points = sql`(select ${textArray(instants)}::timestamptz[])`;
  const [was, becomes] = [level(sql`h.from_status`), level(sql`h.to_status`)];
  const isStep = sql`h.sprint_id = ${sprintId} and ${was} <> ${becomes}`;
  const { rows } = await queries.execute<BurnUpCounts>(sql`
    with ${reached(reach)}, ${counted(reach, sprintId)},
    -- Since when a task is in the sprint: a carry-over into it left an earlier one.
    task as materialized (
      select c.task_id, ${level(sql`c.status`)} as level, coalesce(carried.at, c.created_at) as at
      from counted c left join lateral (
        select max(h.at) as at from task_history h join sprints f on f.id = h.sprint_id
        where c.carried_over > 0 and h.task_id = c.task_id and h.event = 'carriedOver'
          and f.start_at < (select start_at from sprints where id = ${sprintId})) carried on true
      where not c.invisible),
    step as (
      select task_id, at, 0 as id, null::int as was, null::int as becomes, false as correction, level from task
      union all
      select h.task_id, greatest(h.at, task.at), h.id, ${was}, ${becomes}, h.correction, task.level
      from task join task_history h on h.task_id = task.task_id and ${isStep} where not ${isFew('counted')}
      union all
      select h.task_id, greatest(h.at, task.at), h.id, ${was}, ${becomes}, h.correction, task.level
      from task cross join lateral (select * from task_history h where h.task_id = task.task_id and ${isStep} offset 0) h
      where ${isFew('counted')}),
    -- The last step leads to what the task counts as, also where an imported history says otherwise.
    known as (
      select task_id, at, id, correction, case when next is null then level else coalesce(becomes, next) end as level
      from (select *, lead(was) over (partition by task_id order by at, id) as next from step) x),
    change as (
      select at, level, coalesce(lag(level) over (partition by task_id order by at, id), 0) as before
      from known where not correction),
    gain as (
      select least(width_bucket(at, ${points}) + 1, ${instants.length}) as place,
        sum((level > 0)::int - (before > 0)::int) as approved, sum((level > 1)::int - (before > 1)::int) as completed
      from change group by 1)
    select coalesce(sum(approved) over (order by place), 0)::int as approved,
      coalesce(sum(completed) over (order by place), 0)::int as completed
    from generate_series(1, ${instants.length}) place left join gain using (place) order by place`);
  return rows;
}
