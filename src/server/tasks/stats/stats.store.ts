// SQL of the stats: visible people with their counts, the decisions on their tasks, and earlier weeks.
import { type SQL, sql } from 'drizzle-orm';
import { topFivePermission } from '#core/access/permissions.ts';
import { refuse } from '#core/base/refusals.ts';
import { searchParts } from '#core/base/search-words.ts';
import type { EmployeesChoice } from '#core/tasks/stats-inputs.ts';
import { decisionEvents } from '#core/tasks/task.ts';
import {
  awaitingStatuses,
  type StatusCounts,
  statusRule,
  type TaskStatus,
  taskStatusKeys,
} from '#core/tasks/task-status.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { byKey, folded, nameByLast, shownName } from '#server/platform/db/pages.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { isCorrection } from '../corrections.ts';
import { isInCategories, type StatsReach } from './stats-reach.ts';

/** The statuses whose tasks count as approved, or as completed. */
export const statusesOf = (part: 'approved' | 'completed'): TaskStatus[] =>
  taskStatusKeys.filter((status) => statusRule(status)[part]);
const decisions = literals(decisionEvents);

export type PersonNames = {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly team: string | null;
};

export type EmployeeRow = PersonNames & {
  readonly id: string;
  /** Excluded from totals and averages (D23). */
  readonly invisible: boolean;
  readonly counts: StatusCounts;
  /** The counts are the recorded result: all of the person's tasks count and the sprint is settled. */
  readonly recorded: boolean;
  readonly corrections: number;
};

/**
 * `p`: everyone who can be shown with tasks that may count, or those with these ids; `whole` if all of their
 * tasks count. `columns`: more of the person's.
 */
export const reached = (reach: StatsReach, ids?: readonly string[], columns = sql``): SQL => sql`
  reached as materialized (
    select p.id, p.top5_invisible as invisible, ${reach.wholePerson} as whole${columns} from people p
    where ${reach.shown} and ${reach.categories.length > 0 ? sql`true` : reach.wholePerson}
      and ${ids ? sql`p.id = any(${sql.param([...ids])}::bigint[])` : sql`true`})`;

type Counting = {
  readonly columns: SQL;
  /** Their rows have `id` and `whole`. */
  readonly people?: SQL;
  /** Conditions on `x`, for people all of whose tasks count and for the others. */
  readonly wholeIn: SQL;
  readonly categoriesIn?: SQL;
};

/** So few people or tasks that looking up each takes less than reading a week. PostgreSQL counts them once. */
const few = { reached: 200, counted: 1_000 } as const;
export const isFew = (rows: keyof typeof few): SQL => sql.raw(`(select count(*) <= ${few[rows]} from ${rows})`);

/**
 * The standings `x` that count of the people `p`: of few people one by one, which `offset 0` keeps PostgreSQL
 * from joining.
 */
export function countedTasks(
  reach: StatsReach,
  { columns, people = sql`reached`, wholeIn, categoriesIn = wholeIn }: Counting,
): SQL {
  const tasks = (who: SQL, which: SQL) => sql`
    select ${columns} from ${people} p
      cross join lateral (select * from sprint_standings x where x.owner_id = p.id and ${which} offset 0) x
      where ${who} and ${isFew('reached')}
    union all
    select ${columns} from ${people} p join sprint_standings x on x.owner_id = p.id and ${which}
      where ${who} and not ${isFew('reached')}`;
  const whole = tasks(sql`p.whole`, wholeIn);
  if (reach.categories.length === 0) return whole;
  // A separate part, because an index finds the tasks of a category.
  return sql`${whole} union all ${tasks(sql`not p.whole`, sql`${categoriesIn} and ${isInCategories(reach)}`)}`;
}

/** `counted`: their tasks of the sprint that count. */
export const counted = (reach: StatsReach, sprintId: string): SQL => {
  const columns = sql`x.task_id, x.owner_id, x.status, x.carried_out, x.created_at, x.carried_over, x.imported, p.invisible`;
  return sql`counted as materialized (${countedTasks(reach, { columns, wholeIn: sql`x.sprint_id = ${sprintId}` })})`;
};

const perStatus = (part: (status: TaskStatus) => string): SQL => sql.raw(taskStatusKeys.map(part).join(', '));

const employeeColumns = sql`, p.first_name, p.last_name, p.email, p.team,
  p.disabled_at is null and (${topFivePermission} = any(p.grants)
    or p.role in (select g.name from roles g where ${topFivePermission} = any(g.permissions))) as keeps_tasks, p.created_at`;

/**
 * `employee`: a sprint's people with visible tasks in it, and people without tasks, with a count per status.
 * Tasks are only read of people without a recorded result.
 */
const employees = (reach: StatsReach, sprintId: string, ids?: readonly string[]): SQL => sql`
  ${reached(reach, ids, employeeColumns)},
  result as materialized (
    select r.person_id, r.counts from reached p join sprint_results r on r.person_id = p.id and r.sprint_id = ${sprintId}
    where p.whole and r.counts is not null and exists (select from sprints where id = ${sprintId} and result_at is not null)),
  unrecorded as materialized (
    select p.id, p.whole from reached p where not exists (select from result r where r.person_id = p.id)),
  tally as (
    select owner_id, ${perStatus((status) => `(count(*) filter (where status = '${status}'))::int as "${status}"`)}
    from (${countedTasks(reach, { columns: sql`x.owner_id, x.status`, people: sql`unrecorded`, wholeIn: sql`x.sprint_id = ${sprintId}` })}) x
    group by owner_id),
  employee as materialized (
    select p.id, p.first_name, p.last_name, p.email, p.team, p.invisible, r.counts is not null as recorded,
      ${perStatus((status) => `coalesce(case when r.counts is null then t."${status}" else (r.counts->>'${status}')::int end, 0) as "${status}"`)}
    from reached p join sprints s on s.id = ${sprintId} left join tally t on t.owner_id = p.id
    left join result r on r.person_id = p.id
    where t.owner_id is not null or (p.whole and (r.counts is not null or (p.keeps_tasks and p.created_at < s.end_at))))`;

const sum = (statuses: readonly TaskStatus[]): SQL => sql.raw(statuses.map((status) => `p."${status}"`).join(' + '));
const share = (part: SQL, whole: SQL): SQL => sql`round((${part}) * 1000.0 / nullif(${whole}, 0))`;

/** As shown, so what looks the same is in the order of names. `q`: the person's row of quality. */
const sortKeys: Readonly<Record<NonNullable<EmployeesChoice['sort']>, SQL>> = {
  employee: folded(nameByLast('p')),
  tasks: sum(statusesOf('approved')),
  completed: share(sum(statusesOf('completed')), sum(statusesOf('approved'))),
  signedOff: share(sum(['DONE']), sum(statusesOf('approved'))),
  firstPass: share(sql`q."firstPass"`, sql`q."firstDecided"`),
  rework: sql`q."sendBacks"::float / nullif(q."signOffs", 0)`,
  waited: sql`round(q.waited / 360)`,
};
const needsQuality: readonly EmployeesChoice['sort'][] = ['firstPass', 'rework', 'waited'];

type Choice = EmployeesChoice & {
  readonly ids?: readonly string[] | undefined;
  readonly after?: string | undefined;
  /** Null: no limit. */
  readonly limit: number | null;
};

export type EmployeePage = {
  readonly rows: readonly EmployeeRow[];
  /** How many match the search. */
  readonly total: number;
  /** How many there are without a search. */
  readonly everyone: number;
};

/** A page of a sprint's employees in order, with one more than `limit` if there are more. */
export async function employeePage(
  queries: Queries,
  reach: StatsReach,
  sprintId: string,
  { ids, search = '', sort, desc, after, limit }: Choice,
): Promise<EmployeePage> {
  const hasQuality = needsQuality.includes(sort);
  const counts = perStatus((status) => `'${status}', page."${status}"`);
  type Row = EmployeeRow & Omit<EmployeePage, 'rows'> & { readonly isThere: boolean };
  const { rows } = await queries.execute<Row>(sql`
    with ${employees(reach, sprintId, ids)},
    ${hasQuality ? sql`${counted(reach, sprintId)}, ${decided(sprintId)}, quality as (select owner_id, ${quality} from decided group by owner_id),` : sql``}
    ordered as materialized (
      select p.*, ${contains(searchParts(search), `${shownName('p')} || ' ' || coalesce(p.team, '')`)} as matches,
        row_number() over (order by ${byKey(sort ? sortKeys[sort] : null, desc)}) as place
      from employee p ${hasQuality ? sql`left join quality q on q.owner_id = p.id` : sql``}),
    page as (
      select * from ordered where matches
        and ${after === undefined ? sql`true` : sql`place > (select place from ordered where id = ${after}::bigint)`}
      order by place limit ${limit === null ? null : limit + 1}),
    corrected as (
      select t.owner_id, count(*)::int as corrections from task_history h join tasks t on t.id = h.task_id
      where h.sprint_id = ${sprintId} and ${isCorrection} group by t.owner_id)
    select (select count(*)::int from ordered) as everyone, (select count(*)::int from ordered where matches) as total,
      ${after === undefined ? sql`true` : sql`exists (select from ordered where id = ${after}::bigint)`} as "isThere",
      page.id, page.first_name as "firstName", page.last_name as "lastName", page.email, page.team, page.invisible,
      page.recorded, json_build_object(${counts}) as counts, coalesce(corrected.corrections, 0) as corrections
    from (select) one left join page on true left join corrected on corrected.owner_id = page.id order by page.place`);
  const [{ everyone, total, isThere }] = rows as [Row, ...Row[]];
  // An empty page could pass for the end.
  if (!isThere)
    throw new RefusalError(refuse('BAD_INPUT', 'The list has changed. Load it from the start', { field: 'after' }));
  // A page without rows still has a row of counts.
  return { everyone, total, rows: rows.filter(({ id }) => id !== null) };
}

export type TotalCounts = { readonly people: number } & StatusCounts;

/** All employees together, without invisible ones (D23). */
export async function totalCounts(queries: Queries, reach: StatsReach, sprintId: string): Promise<TotalCounts> {
  const { rows } = await queries.execute<TotalCounts>(sql`
    with ${employees(reach, sprintId)}
    select count(*)::int as people, ${perStatus((status) => `coalesce(sum("${status}"), 0)::int as "${status}"`)}
    from employee where not invisible`);
  return rows[0]!;
}

export type IssueRow = {
  readonly ownerId: string;
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
};

/** The approved tasks of these people. */
export async function issuesOf(
  queries: Queries,
  reach: StatsReach,
  sprintId: string,
  ids: readonly string[],
): Promise<IssueRow[]> {
  const { rows } = await queries.execute<IssueRow>(sql`
    with ${reached(reach, ids)}, ${counted(reach, sprintId)}
    select c.owner_id as "ownerId", c.task_id as id, t.title, c.status from counted c join tasks t on t.id = c.task_id
    where c.status in (${literals(statusesOf('approved'))}) order by c.task_id`);
  return rows;
}

/**
 * Decisions on the counted tasks that weren't undone, without later corrections. They are looked up for few
 * tasks, and for a task that may have been in another sprint. Others only have decisions in this sprint.
 */
const decided = (sprintId: string): SQL => {
  const columns = sql`h.task_id, h.id, h.event, coalesce(h.for_id, h.actor_id) as approver_id, h.waited, h.correction, h.sprint_id`;
  const isEvent = sql`h.event in (${decisions}, 'undone')`;
  const isLookedUp = sql`(${isFew('counted')} or c.carried_over > 0 or c.imported)`;
  return sql`
  events as (
    select e.*, e.sprint_id = ${sprintId} as here, lead(event) over (partition by task_id order by id) as next_event
    from (
      select c.owner_id, c.invisible, h.* from counted c
        cross join lateral (select ${columns} from task_history h where h.task_id = c.task_id and ${isEvent} offset 0) h
        where ${isLookedUp}
      union all
      select c.owner_id, c.invisible, ${columns} from counted c
        join task_history h on h.task_id = c.task_id and h.sprint_id = ${sprintId} and ${isEvent}
        where not ${isLookedUp}) e),
  decided as (
    select *, bool_or(event = 'denied') over (partition by task_id) as was_denied
    from events where event <> 'undone' and next_event is distinct from 'undone' and not (correction and here))`;
};

export type Quality = {
  /** Tasks approved without ever being denied. */
  readonly firstPass: number;
  /** Tasks approved or denied at least once. */
  readonly firstDecided: number;
  readonly sendBacks: number;
  readonly signOffs: number;
  /** Median of the seconds that tasks waited for these decisions. */
  readonly waited: number | null;
};

const quality = sql`
  count(distinct task_id) filter (where event = 'approved' and not was_denied)::int as "firstPass",
  count(distinct task_id) filter (where event in ('approved', 'denied'))::int as "firstDecided",
  count(*) filter (where event = 'sentBack' and here)::int as "sendBacks",
  count(*) filter (where event = 'signedOff' and here)::int as "signOffs",
  percentile_cont(0.5) within group (order by waited) filter (where here) as waited`;

/** The decision statistics of everyone with decisions, or of these people. */
export async function qualityOf(
  queries: Queries,
  reach: StatsReach,
  sprintId: string,
  ids?: readonly string[],
): Promise<(Quality & { readonly ownerId: string })[]> {
  const { rows } = await queries.execute<Quality & { readonly ownerId: string }>(sql`
    with ${reached(reach, ids)}, ${counted(reach, sprintId)}, ${decided(sprintId)}
    select owner_id as "ownerId", ${quality} from decided group by owner_id`);
  return rows;
}

/** Those of everyone in the averages, together. */
export async function totalQuality(queries: Queries, reach: StatsReach, sprintId: string): Promise<Quality> {
  const { rows } = await queries.execute<Quality>(sql`
    with ${reached(reach)}, ${counted(reach, sprintId)}, ${decided(sprintId)}
    select ${quality} from decided where not invisible`);
  return rows[0]!;
}

export type TimeWithApproverRow = PersonNames & {
  readonly id: string;
  readonly decided: number;
  readonly waiting: number;
  /** Seconds that tasks waited for this approver. */
  readonly median: number | null;
  readonly p90: number | null;
};

/** How long the sprint's tasks waited for each approver, also if a delegate decided, and how many wait now. */
export async function readTimeWithApprovers(
  queries: Queries,
  reach: StatsReach,
  sprintId: string,
): Promise<TimeWithApproverRow[]> {
  const { rows } = await queries.execute<TimeWithApproverRow>(sql`
    with ${reached(reach)}, ${counted(reach, sprintId)}, ${decided(sprintId)},
    clock as (
      select approver_id, count(*)::int as decided, percentile_cont(0.5) within group (order by waited) as median,
        percentile_cont(0.9) within group (order by waited) as p90
      from decided where here and not invisible group by approver_id),
    waiting as (
      select a.approver_id, count(*)::int as waiting from counted c join effective_approvers a on a.person_id = c.owner_id
      where c.status in (${literals(awaitingStatuses)}) and not c.carried_out and not c.invisible group by a.approver_id)
    select q.id, q.first_name as "firstName", q.last_name as "lastName", q.email, q.team,
      coalesce(clock.decided, 0) as decided, coalesce(waiting.waiting, 0) as waiting, clock.median, clock.p90
    from people q left join clock on clock.approver_id = q.id left join waiting on waiting.approver_id = q.id
    where clock.approver_id is not null or waiting.approver_id is not null
    order by lower(q.last_name), lower(q.first_name), q.id`);
  return rows;
}
