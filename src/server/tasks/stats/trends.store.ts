// The weeks before a sprint: completed of approved tasks, by person and scope. Settled weeks as recorded
// (D39), the others from current tasks.
import { type SQL, sql } from 'drizzle-orm';
import { type Scope, scopes } from '#core/access/brands.ts';
import { statusRule, taskStatusKeys } from '#core/tasks/task-status.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { StatsReach } from './stats-reach.ts';

type Share = 'approved' | 'completed';
const statusesOf = (share: Share) => taskStatusKeys.filter((status) => statusRule(status)[share]);

const recordedSum = (share: Share): SQL =>
  sql.raw(
    statusesOf(share)
      .map((status) => `coalesce((r.counts->>'${status}')::int, 0)`)
      .join(' + '),
  );
const liveSum = (share: Share): SQL =>
  sql.raw(
    `count(*) filter (where x.status in (${statusesOf(share)
      .map((status) => `'${status}'`)
      .join(', ')}))`,
  );

/** The weeks by their place, oldest first. */
const weeksOf = (sprintIds: readonly string[]): SQL => sql`
  weeks as (
    select s.id, w.place, s.result_at is not null as settled
    from unnest(${sql.param([...sprintIds])}::bigint[]) with ordinality w (id, place) join sprints s on s.id = w.id)`;

/** Parallel lists: in week `weeks[i]` (from 1) `completed[i]` of `approved[i]` tasks were completed. */
export type TrendRow = {
  readonly key: string;
  readonly weeks: number[];
  readonly approved: number[];
  readonly completed: number[];
};

const listed =
  sql.raw(`array_agg(place::int order by place) as weeks, array_agg(approved::int order by place) as approved,
  array_agg(completed::int order by place) as completed`);

/** Every visible person's weeks; `key` is the person's id. */
export async function personTrends(
  queries: Queries,
  reach: StatsReach,
  sprintIds: readonly string[],
): Promise<TrendRow[]> {
  const { rows } = await queries.execute<TrendRow>(sql`
    with ${weeksOf(sprintIds)},
    reached as materialized (select p.id, ${reach.wholePerson} as whole from people p where ${reach.shown}),
    share as (
      select r.person_id, w.place, ${recordedSum('approved')} as approved, ${recordedSum('completed')} as completed
      from weeks w join sprint_results r on r.sprint_id = w.id and r.counts is not null join reached p on p.id = r.person_id and p.whole
      where w.settled
      union all
      select x.owner_id, w.place, ${liveSum('approved')}, ${liveSum('completed')}
      from weeks w join sprint_standings x on x.sprint_id = w.id join reached p on p.id = x.owner_id
      where case when p.whole then not w.settled else ${reach.byCategory} end
      group by x.owner_id, w.place)
    select person_id::text as key, ${listed} from share group by person_id`);
  return rows;
}

/** Each scope's weeks without invisible people (D23). `key` is the scope. */
export async function scopeTrends(
  queries: Queries,
  keys: readonly Scope[],
  sprintIds: readonly string[],
): Promise<TrendRow[]> {
  const asked = JSON.stringify(keys.map((key) => ({ key, category: scopes[key].category })));
  const { rows } = await queries.execute<TrendRow>(sql`
    with ${weeksOf(sprintIds)},
    scope as (select * from json_to_recordset(${asked}) as k (key text, category text)),
    share as (
      select k.key, w.place, sum(${recordedSum('approved')}) as approved, sum(${recordedSum('completed')}) as completed
      from scope k join people p on p.team = k.key and not p.top5_invisible
        join sprint_results r on r.person_id = p.id and r.counts is not null join weeks w on w.id = r.sprint_id and w.settled
      group by k.key, w.place
      union all
      select k.key, w.place, ${liveSum('approved')}, ${liveSum('completed')}
      from weeks w join sprint_standings x on x.sprint_id = w.id join people p on p.id = x.owner_id and not p.top5_invisible
        join scope k on (p.team = k.key and not w.settled) or (p.team is distinct from k.key and x.category = k.category)
      group by k.key, w.place),
    week as (select key, place, sum(approved) as approved, sum(completed) as completed from share group by key, place)
    select key, ${listed} from week group by key`);
  return rows;
}
