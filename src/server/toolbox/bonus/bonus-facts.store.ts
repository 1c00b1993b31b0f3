// What the bonus counts in a sprint, read from tasks and their histories: each task with how long it waited
// for its approver, and how often it was sent back and signed off. The core draws the conclusions.
import { type SQL, sql } from 'drizzle-orm';
import { decisionEvents } from '#core/tasks/task.ts';
import { awaitingStatuses } from '#core/tasks/task-status.ts';
import type { BonusTask } from '#core/toolbox/bonus.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type TaskFactRow = BonusTask & {
  readonly ownerId: string;
  readonly team: string | null;
  /** Excluded from team results (D23). */
  readonly invisible: boolean;
};

const literals = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(', '));
const awaiting = literals(awaitingStatuses);
// Only a decision ends a wait that counts: owners could make themselves one by moving a task back.
const decisions = literals(decisionEvents);

/** Seconds of a wait that ends at `to`, within the sprint's start and `until`. */
const secondsWithin = (from: SQL, to: SQL, until: string): SQL =>
  sql`greatest(0, extract(epoch from least(${to}, ${until}::timestamptz) - greatest(${from}, s.start_at)))`;

/**
 * The sprint's tasks as they count at `until`, for people that match `about`, a condition on `p` (people).
 * Later corrections are ignored.
 */
export async function taskFacts(queries: Queries, sprintId: string, until: string, about: SQL): Promise<TaskFactRow[]> {
  const waitBefore = secondsWithin(sql`e.at - make_interval(secs => e.waited)`, sql`e.at`, until);
  const { rows } = await queries.execute<TaskFactRow>(sql`
    with standing as materialized (
      select x.task_id, x.owner_id, x.status, x.carried_out, p.team, p.top5_invisible as invisible
      from sprint_standings x join people p on p.id = x.owner_id where x.sprint_id = ${sprintId} and ${about}),
    events as (
      select h.task_id, h.event, h.at, h.from_status, h.to_status, h.waited,
        lead(h.event) over (partition by h.task_id order by h.id) as next_event
      from standing x join task_history h on h.task_id = x.task_id and h.sprint_id = ${sprintId} and not h.correction),
    past as (
      select e.task_id,
        sum(${waitBefore}) filter (where e.event in (${decisions})) as waited,
        count(*) filter (where e.event = 'sentBack')::int as send_backs,
        count(*) filter (where e.event = 'signedOff')::int as sign_offs
      from events e join sprints s on s.id = ${sprintId}
      where e.next_event is distinct from 'undone' group by e.task_id),
    corrected as (
      select distinct on (h.task_id) h.task_id, h.from_status as status, h.at - make_interval(secs => h.waited) as since
      from standing x join task_history h on h.task_id = x.task_id and h.sprint_id = ${sprintId} and h.correction and h.from_status <> h.to_status
      order by h.task_id, h.id),
    counted as (
      select x.*, coalesce(c.status, x.status) as counts_as, coalesce(c.since, t.status_at) as since
      from standing x join tasks t on t.id = x.task_id left join corrected c on c.task_id = x.task_id)
    select x.owner_id::text as "ownerId", x.team, x.invisible, x.task_id::text as "taskId", x.counts_as as status, x.carried_out as "carriedOut",
      round(coalesce(past.waited, 0) + case when x.counts_as in (${awaiting}) and not x.carried_out
        then ${secondsWithin(sql`x.since`, sql`${until}::timestamptz`, until)} else 0 end)::int as "waitedSeconds",
      coalesce(past.send_backs, 0) as "sendBacks", coalesce(past.sign_offs, 0) as "signOffs"
    from counted x join sprints s on s.id = ${sprintId} left join past on past.task_id = x.task_id
    order by x.owner_id, x.task_id`);
  return rows;
}

export const everybody = sql`true`;

/** The person and everyone whose tasks count in the person's team result. */
export const personAndTeam = (personId: string): SQL => sql`(p.id = ${personId} or not exists (
  select from people q where q.id = ${personId} and q.team is not null and p.team is distinct from q.team))`;
