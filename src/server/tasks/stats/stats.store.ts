// SQL of the stats: visible people with their counts, the decisions on their tasks, and earlier weeks.
import { type SQL, sql } from 'drizzle-orm';
import { topFivePermission } from '#core/access/permissions.ts';
import { decisionEvents } from '#core/tasks/task.ts';
import {
  awaitingStatuses,
  type StatusCounts,
  statusRule,
  type TaskStatus,
  taskStatusKeys,
} from '#core/tasks/task-status.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { countsByStatus } from '../sprints/counts-by-status.ts';
import type { StatsReach } from './stats-reach.ts';

const literals = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(', '));
const approved = taskStatusKeys.filter((status) => statusRule(status).approved);
const decisions = literals(decisionEvents);

export type PersonNames = {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly team: string | null;
};

export type IssueRow = { readonly id: string; readonly title: string; readonly status: TaskStatus };
export type EmployeeRow = PersonNames & {
  readonly id: string;
  /** Excluded from totals and averages (D23). */
  readonly invisible: boolean;
  readonly counts: StatusCounts | null;
  /** The recorded result, if all of the person's tasks count and the sprint is settled. */
  readonly recorded: StatusCounts | null;
  readonly corrections: number;
  readonly issues: readonly IssueRow[] | null;
};

/** `p`: everyone who can be shown; `whole` if all of their tasks count. */
const reached = ({ wholePerson, shown }: StatsReach): SQL => sql`
  reached as materialized (
    select p.id, p.first_name, p.last_name, p.email, p.team, p.top5_invisible as invisible, ${wholePerson} as whole,
      p.disabled_at is null and (${topFivePermission} = any(p.grants)
        or exists (select 1 from roles g where g.name = p.role and ${topFivePermission} = any(g.permissions))) as keeps_tasks,
      p.created_at
    from people p where ${shown})`;

const counted = (reach: StatsReach, sprintId: string): SQL => sql`
  counted as (
    select x.task_id, x.owner_id, x.status, x.carried_out, p.invisible
    from sprint_standings x join reached p on p.id = x.owner_id
    where x.sprint_id = ${sprintId} and (p.whole or ${reach.byCategory}))`;

/** A sprint's employees by name: people with visible tasks in it, and people without tasks. */
export async function employeesOf(
  queries: Queries,
  reach: StatsReach,
  sprintId: string,
  withIssues: boolean,
): Promise<EmployeeRow[]> {
  const issues = sql`json_agg(json_build_object('id', c.task_id::text, 'title', t.title, 'status', c.status) order by c.task_id)
    filter (where c.status in (${literals(approved)}))`;
  const { rows } = await queries.execute<EmployeeRow>(sql`
    with ${reached(reach)}, ${counted(reach, sprintId)},
    tally as (
      select c.owner_id, ${countsByStatus('c.status')} as counts, ${withIssues ? issues : sql`null::json`} as issues
      from counted c ${withIssues ? sql`join tasks t on t.id = c.task_id` : sql``} group by c.owner_id),
    corrected as (
      select t.owner_id, count(*)::int as corrections from task_history h join tasks t on t.id = h.task_id
      where h.sprint_id = ${sprintId} and h.correction and h.from_status <> h.to_status group by t.owner_id)
    select p.id, p.first_name as "firstName", p.last_name as "lastName", p.email, p.team, p.invisible, tally.counts, tally.issues,
      case when p.whole then r.counts end as recorded, coalesce(corrected.corrections, 0) as corrections
    from reached p join sprints s on s.id = ${sprintId}
    left join tally on tally.owner_id = p.id
    left join corrected on corrected.owner_id = p.id
    left join sprint_results r on r.sprint_id = s.id and r.person_id = p.id and s.result_at is not null
    where tally.owner_id is not null or (p.whole and (r.counts is not null or (p.keeps_tasks and p.created_at < s.end_at)))
    order by lower(p.last_name), lower(p.first_name), p.id`);
  return rows;
}

/** Decisions on the counted tasks that weren't undone, without later corrections. */
const decided = (sprintId: string): SQL => sql`
  events as (
    select h.task_id, c.owner_id, c.invisible, h.event, h.actor_id, h.waited, h.correction, h.sprint_id = ${sprintId} as here,
      lead(h.event) over (partition by h.task_id order by h.id) as next_event
    from counted c join task_history h on h.task_id = c.task_id),
  decided as (
    select *, bool_or(event = 'denied') over (partition by task_id) as was_denied
    from events where event in (${decisions}) and next_event is distinct from 'undone' and not (correction and here))`;

export type QualityRow = {
  /** Null: all visible people together. */
  readonly ownerId: string | null;
  /** Tasks approved without ever being denied. */
  readonly firstPass: number;
  readonly sendBacks: number;
  readonly signOffs: number;
  /** Median of the seconds that tasks waited for these decisions. */
  readonly waited: number | null;
};

/** Each person's decision statistics, and those of everyone in the averages. */
export async function qualityOf(queries: Queries, reach: StatsReach, sprintId: string): Promise<QualityRow[]> {
  const { rows } = await queries.execute<QualityRow>(sql`
    with ${reached(reach)}, ${counted(reach, sprintId)}, ${decided(sprintId)}
    select owner_id as "ownerId",
      count(distinct task_id) filter (where event = 'approved' and not was_denied)::int as "firstPass",
      count(*) filter (where event = 'sentBack' and here)::int as "sendBacks",
      count(*) filter (where event = 'signedOff' and here)::int as "signOffs",
      percentile_cont(0.5) within group (order by waited) filter (where here) as waited
    from decided group by grouping sets ((owner_id), (invisible))
    having owner_id is not null or not invisible`);
  return rows;
}

export type FairClockRow = PersonNames & {
  readonly id: string;
  readonly decided: number;
  readonly waiting: number;
  /** Seconds that tasks waited for this approver. */
  readonly median: number | null;
  readonly p90: number | null;
};

/** How long the sprint's tasks waited for each approver, and how many wait now. */
export async function fairClockOf(queries: Queries, reach: StatsReach, sprintId: string): Promise<FairClockRow[]> {
  const { rows } = await queries.execute<FairClockRow>(sql`
    with ${reached(reach)}, ${counted(reach, sprintId)}, ${decided(sprintId)},
    clock as (
      select actor_id, count(*)::int as decided, percentile_cont(0.5) within group (order by waited) as median,
        percentile_cont(0.9) within group (order by waited) as p90
      from decided where here and not invisible group by actor_id),
    waiting as (
      select a.approver_id, count(*)::int as waiting from counted c join effective_approvers a on a.person_id = c.owner_id
      where c.status in (${literals(awaitingStatuses)}) and not c.carried_out and not c.invisible group by a.approver_id)
    select q.id, q.first_name as "firstName", q.last_name as "lastName", q.email, q.team,
      coalesce(clock.decided, 0) as decided, coalesce(waiting.waiting, 0) as waiting, clock.median, clock.p90
    from people q left join clock on clock.actor_id = q.id left join waiting on waiting.approver_id = q.id
    where clock.actor_id is not null or waiting.approver_id is not null
    order by lower(q.last_name), lower(q.first_name), q.id`);
  return rows;
}
