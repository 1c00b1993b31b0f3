// What the bonus counts in a sprint, read from tasks and their histories: each task with its waits for its
// approver, and how often it was sent back and signed off; of a team only the sum. The core draws the
// conclusions.
import { type SQL, sql } from 'drizzle-orm';
import { type WorkCalendar, workingSpans } from '#core/base/working-hours.ts';
import { decisionEvents } from '#core/tasks/task.ts';
import { awaitingStatuses, type TaskStatus } from '#core/tasks/task-status.ts';
import {
  addShares,
  approverDelay,
  type BonusTask,
  type Share,
  signedOffShare,
  waitBounds,
} from '#core/toolbox/bonus.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';

export type TaskFactRow = BonusTask & {
  readonly ownerId: string;
  readonly team: string | null;
  /** Excluded from team results (D23). */
  readonly invisible: boolean;
};

const awaiting = literals(awaitingStatuses);
const decisions = literals(decisionEvents);

/** Milliseconds since the epoch. */
const msOf = (at: SQL): SQL => sql`(extract(epoch from ${at}) * 1000)::float8`;
const atMs = (ms: number | null): SQL => sql`to_timestamp(${ms}::float8 / 1000)`;

type Waits = {
  readonly approvalFrom: number | null;
  readonly approvalTo: number | null;
  readonly waitsSince: number | null;
};
type Row = Omit<TaskFactRow, 'waitedSeconds' | 'signOffSeconds'> & Waits;
/** Tasks of a team that count alike. */
type TeamRow = Waits & { readonly status: TaskStatus; readonly tasks: number };

/**
 * Everyone, with their team and invisibility (D23) when the sprint ended (D39), or now if it still runs.
 * Later changes change no one's bonus for it.
 */
export const peopleAtEnd = (sprintId: string): SQL => sql`
  with earlier as (
    select distinct on (person_id) person_id, team, top5_invisible from earlier_teams
    where until >= (select end_at from sprints where id = ${sprintId}) order by person_id, until)
  select id, team, top5_invisible as invisible from people where not exists (select from earlier where person_id = id)
  union all select * from earlier`;

/** What is counted: the sprint until an instant, in the company's working hours. */
export type Counting = WorkCalendar & { readonly sprintId: string; readonly until: string };

/** The sprint's tasks as they count at `until`, of a person or of everyone. Later corrections are ignored. */
export async function taskFacts(queries: Queries, counting: Counting, personId?: string): Promise<TaskFactRow[]> {
  const { sprintId } = counting;
  const { waitedSeconds } = await clockOf(queries, counting);
  const standings = sql`select * from sprint_standings where sprint_id = ${sprintId}`;
  const about = personId === undefined ? standings : sql`${standings} and owner_id = ${personId} offset 0`;
  const { rows } = await queries.execute<Row>(sql`
    with ${countedTasks(sprintId, about, sql`select task_id from standing`)}
    select x.owner_id::text as "ownerId", x.team, x.invisible, x.task_id::text as "taskId", x.status, x.carried_out as "carriedOut",
      ${msOf(sql`x.approval_from`)} as "approvalFrom", ${msOf(sql`x.approval_to`)} as "approvalTo",
      ${msOf(sql`x.waits_since`)} as "waitsSince", x.send_backs as "sendBacks", x.sign_offs as "signOffs"
    from counted x order by x.owner_id, x.task_id`);
  return rows.map(({ approvalFrom, approvalTo, waitsSince, ...row }) => ({
    ...row,
    waitedSeconds: waitedSeconds({ approvalFrom, approvalTo, waitsSince }),
    signOffSeconds: waitedSeconds({ approvalFrom: null, approvalTo: null, waitsSince }),
  }));
}

/** The signed-off share of a team, or of everyone, without invisible people (D23). */
export async function teamShare(
  queries: Queries,
  counting: Counting,
  team: string | null,
  fairHours: number,
): Promise<Share> {
  const { sprintId } = counting;
  const { waitedSeconds, ...clock } = await clockOf(queries, counting);
  const { heldUpSince, approvedUntil } = waitBounds(clock.working, clock.sprintEnd, clock.until, fairHours);
  const approvedLate = sql`
    select distinct h.task_id from standing x join task_history h on h.task_id = x.task_id and h.sprint_id = ${sprintId}
      and h.event = 'approved' and not h.correction and h.at > ${atMs(approvedUntil)}`;
  const { rows } = await queries.execute<TeamRow>(sql`
    with ${countedTasks(sprintId, standingsOfTeam(sprintId, team), approvedLate)}
    select x.status, ${msOf(sql`x.approval_from`)} as "approvalFrom", ${msOf(sql`x.approval_to`)} as "approvalTo",
      case when x.approval_to is not null then ${msOf(sql`x.waits_since`)}
        when x.waits_since <= ${atMs(heldUpSince)} then ${heldUpSince}::float8 end as "waitsSince",
      count(*)::int as tasks
    from counted x group by 1, 2, 3, 4`);
  return addShares(
    rows.map(({ status, tasks, ...waits }) => {
      const { part, whole } = signedOffShare([{ status, waitedSeconds: waitedSeconds(waits) }], fairHours);
      return { part: part * tasks, whole: whole * tasks };
    }),
  );
}

/** The sprint's end and working hours until then or `until`, and how to count a wait in them. */
async function clockOf(queries: Queries, counting: Counting) {
  const { rows } = await queries.execute<{ startAt: string; endAt: string }>(
    sql`select start_at as "startAt", end_at as "endAt" from sprints where id = ${counting.sprintId}`,
  );
  const { startAt, endAt } = rows[0] as { startAt: string; endAt: string };
  const [end, at] = [Temporal.Instant.from(endAt), Temporal.Instant.from(counting.until)];
  const last = Temporal.Instant.compare(at, end) > 0 ? at : end;
  const working = workingSpans(Temporal.Instant.from(startAt), last, counting);
  const [sprintEnd, until] = [end.epochMilliseconds, at.epochMilliseconds];
  const waitedSeconds = ({ approvalFrom, approvalTo, waitsSince }: Waits): number => {
    const approval = approvalFrom === null || approvalTo === null ? null : { from: approvalFrom, to: approvalTo };
    const now = waitsSince === null ? null : { from: waitsSince, to: until };
    return approverDelay({ approval, now }, working, sprintEnd);
  };
  return { working, sprintEnd, until, waitedSeconds };
}

/** Rows of sprint_standings, with `person` of `countedTasks`. */
function standingsOfTeam(sprintId: string, team: string | null): SQL {
  if (team === null)
    return sql`select x.* from sprint_standings x join person p on p.id = x.owner_id and not p.invisible where x.sprint_id = ${sprintId}`;
  const isMember = sql`p.team = ${team} and not p.invisible`;
  // Member by member, because a sprint's tasks of all people are many more; of the carried-over ones few.
  return sql`
    select x.* from person p, lateral (
      select * from sprint_standings where sprint_id = ${sprintId} and owner_id = p.id and not carried_out offset 0) x
    where ${isMember}
    union all
    select x.* from sprint_standings x join person p on p.id = x.owner_id
    where x.sprint_id = ${sprintId} and x.carried_out and ${isMember}`;
}

/** `counted`: the tasks of `standings`, rows of sprint_standings; of those in `ids` with their history. */
const countedTasks = (sprintId: string, standings: SQL, ids: SQL): SQL => sql`
  person as not materialized (${peopleAtEnd(sprintId)}),
  standing as materialized (
    select x.task_id, x.owner_id, x.status, x.carried_out, x.status_at, p.team, p.invisible
    from (${standings}) x join person p on p.id = x.owner_id),
  with_history as materialized (${ids}),
  events as (
    select h.task_id, h.event, h.at, h.waited,
      lead(h.event) over (partition by h.task_id order by h.id) as next_event
    from with_history x join task_history h on h.task_id = x.task_id and h.sprint_id = ${sprintId} and not h.correction
      and h.event in (${decisions}, 'undone')),
  past as (
    select e.task_id,
      max(e.at - make_interval(secs => e.waited)) filter (where e.event = 'approved') as approval_from,
      max(e.at) filter (where e.event = 'approved') as approval_to,
      count(*) filter (where e.event = 'sentBack')::int as send_backs,
      count(*) filter (where e.event = 'signedOff')::int as sign_offs
    from events e where e.event <> 'undone' and e.next_event is distinct from 'undone' group by e.task_id),
  corrected as (
    select distinct on (h.task_id) h.task_id, h.from_status as status, h.at - make_interval(secs => h.waited) as since
    from task_history h where h.sprint_id = ${sprintId} and h.correction and h.from_status <> h.to_status
    order by h.task_id, h.id),
  standing_then as (
    select x.*, coalesce(c.status, x.status) as counts_as, coalesce(c.since, x.status_at) as since
    from standing x left join corrected c on c.task_id = x.task_id),
  counted as (
    select x.task_id, x.owner_id, x.team, x.invisible, x.counts_as as status, x.carried_out,
      past.approval_from, past.approval_to, coalesce(past.send_backs, 0) as send_backs, coalesce(past.sign_offs, 0) as sign_offs,
      case when x.counts_as in (${awaiting}) and not x.carried_out then x.since end as waits_since
    from standing_then x left join past on past.task_id = x.task_id)`;
