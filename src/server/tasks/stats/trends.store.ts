// The weeks before a sprint: completed of approved tasks, by person and scope. Settled weeks as recorded
// (D39), the others from current tasks.
import { type SQL, sql } from 'drizzle-orm';
import { type Scope, scopes } from '#core/access/brands.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { countedTasks, reached, statusesOf } from './stats.store.ts';
import { categoriesOf, type StatsReach, textArray } from './stats-reach.ts';

type Share = 'approved' | 'completed';

/** The sums of each status: PostgreSQL computes once what both shares have. */
const recordedSum = (share: Share): SQL =>
  sql.raw(
    statusesOf(share)
      .map((status) => `coalesce(sum((r.counts->>'${status}')::int), 0)`)
      .join(' + '),
  );
const liveSum = (share: Share): SQL => sql`count(*) filter (where x.status in (${literals(statusesOf(share))}))`;

/** The weeks by their place, oldest first. */
const weeksOf = (sprintIds: readonly string[]): SQL => sql`
  weeks as (
    select s.id, w.place, s.result_at is not null as settled
    from unnest(${sql.param([...sprintIds])}::bigint[]) with ordinality w (id, place) join sprints s on s.id = w.id)`;

const inWeeks = (which: SQL): SQL => sql`x.sprint_id = any(array(select id from weeks where ${which}))`;
const inOpenWeeks = inWeeks(sql`not settled`);

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

/** The weeks of every visible person, or of these; `key` is the person's id. */
export async function personTrends(
  queries: Queries,
  reach: StatsReach,
  sprintIds: readonly string[],
  ids?: readonly string[],
): Promise<TrendRow[]> {
  const columns = sql`x.owner_id, x.sprint_id, x.status`;
  const live = { columns, wholeIn: inOpenWeeks, categoriesIn: inWeeks(sql`true`) };
  const { rows } = await queries.execute<TrendRow>(sql`
    with ${weeksOf(sprintIds)}, ${reached(reach, ids)},
    share as (
      select r.person_id, w.place, ${recordedSum('approved')} as approved, ${recordedSum('completed')} as completed
      from weeks w join sprint_results r on r.sprint_id = w.id and r.counts is not null join reached p on p.id = r.person_id and p.whole
      where w.settled group by r.person_id, w.place
      union all
      select x.owner_id, w.place, ${liveSum('approved')}, ${liveSum('completed')}
      from (${countedTasks(reach, live)}) x join weeks w on w.id = x.sprint_id group by x.owner_id, w.place)
    select person_id::text as key, ${listed} from share group by person_id`);
  return rows;
}

/** Each scope's weeks without invisible people (D23). `key` is the scope. */
export async function scopeTrends(
  queries: Queries,
  keys: readonly Scope[],
  sprintIds: readonly string[],
): Promise<TrendRow[]> {
  if (keys.length === 0) return [];
  const live = (which: SQL) => sql`select sprint_id, owner_id, category, status from sprint_standings x where ${which}`;
  const asked = JSON.stringify(keys.map((key) => ({ key, category: scopes[key].category })));
  const { rows } = await queries.execute<TrendRow>(sql`
    with ${weeksOf(sprintIds)},
    scope as (select * from json_to_recordset(${asked}) as k (key text, category text)),
    owner as materialized (select p.id, k.key as team from people p left join scope k on k.key = p.team where not p.top5_invisible),
    -- Of settled weeks only the categories. Few rows to compare with the scopes, for any number of tasks.
    tally as (
      select x.sprint_id, p.team, x.category, ${liveSum('approved')} as approved, ${liveSum('completed')} as completed
      from (${live(inOpenWeeks)} union all ${live(sql`${inWeeks(sql`settled`)} and x.category = any(${textArray(categoriesOf(keys))})`)}) x
        join owner p on p.id = x.owner_id
      group by x.sprint_id, p.team, x.category),
    share as (
      select k.key, w.place, ${recordedSum('approved')} as approved, ${recordedSum('completed')} as completed
      from scope k join people p on p.team = k.key and not p.top5_invisible
        join sprint_results r on r.person_id = p.id and r.counts is not null join weeks w on w.id = r.sprint_id and w.settled
      group by k.key, w.place
      union all
      select k.key, w.place, t.approved, t.completed
      from tally t join weeks w on w.id = t.sprint_id join scope k on (t.team = k.key and not w.settled) or (t.team is distinct from k.key and t.category = k.category)),
    week as (select key, place, sum(approved) as approved, sum(completed) as completed from share group by key, place)
    select key, ${listed} from week group by key`);
  return rows;
}
