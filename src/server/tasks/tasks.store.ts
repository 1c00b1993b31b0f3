// Reads tasks, with one statement per screen.
import { type SQL, sql } from 'drizzle-orm';
import type { PageAfter } from '#core/base/inputs.ts';
import { besideEvents, decisionEvents, type TaskEventKind, taskEventKinds, workFields } from '#core/tasks/task.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import type { ActingPerson } from '#server/platform/acts-for.ts';
import { contains } from '#server/platform/db/contains.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { literals } from '#server/platform/db/literals.ts';
import { shownName } from '#server/platform/db/pages.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';
import type { Sized } from '#server/platform/graphql/answer-budget.ts';
import { awaits, isLaterAt, isOverdueAt, ownersDecidedBy } from './awaiting-tasks.ts';
import { type HandOverDue, handedOverTo } from './hand-over.ts';
import { allTaskParts, selectTasks, type TaskPart, type TaskRow, type TaskSelection } from './task-columns.ts';

export type Page = { readonly limit?: number | undefined; readonly offset?: number | undefined };
export type TaskFilter = Page & {
  readonly taskId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly ownerId?: string | undefined;
  readonly sprintId?: string | undefined;
  readonly status?: readonly TaskStatus[] | undefined;
};

const pageOf = ({ limit, offset }: Page): SQL =>
  sql`${limit === undefined ? sql`` : sql`limit ${limit}`} ${offset ? sql`offset ${offset}` : sql``}`;

type SizedRow = { readonly readBytes: number };

const sized = <Row extends SizedRow>(rows: Row[]): Sized<Row> => ({ rows, bytes: rows.at(-1)?.readBytes ?? 0 });

async function readTasks(queries: Queries, selection: TaskSelection): Promise<Sized<TaskRow>> {
  const { rows } = await executePrepared<TaskRow & SizedRow>(queries, selectTasks(selection));
  return sized(rows);
}

/** The visible tasks that match the filter, newest first. A withdrawn task is only found by its id (D15). */
export async function findTasks(
  queries: Queries,
  visible: SQL,
  filter: TaskFilter,
  allowance: number,
  parts: readonly TaskPart[] = allTaskParts,
): Promise<Sized<TaskRow>> {
  const { taskId, ids, ownerId, sprintId, status } = filter;
  const conditions = [visible];
  if (taskId === undefined) conditions.push(sql`t.withdrawn_at is null`);
  else conditions.push(sql`t.id = ${taskId}`);
  if (ids !== undefined) conditions.push(sql`t.id = any(${sql.param([...ids])}::bigint[])`);
  if (ownerId !== undefined) conditions.push(sql`t.owner_id = ${ownerId}`);
  if (sprintId !== undefined) conditions.push(sql`t.sprint_id = ${sprintId}`);
  if (status !== undefined) conditions.push(sql`t.status = any(${sql.param([...status])}::task_status[])`);
  const order = sql`t.created_at desc, t.id desc`;
  return readTasks(queries, { parts, allowance, where: sql.join(conditions, sql` and `), order, page: pageOf(filter) });
}

/** The task with this id; the caller has checked that it is visible. */
export function taskById(
  queries: Queries,
  id: string,
  allowance: number,
  parts: readonly TaskPart[],
): Promise<Sized<TaskRow>> {
  return readTasks(queries, { parts, allowance, where: sql`t.id = ${id}`, order: sql`t.id` });
}

/** These people's visible tasks, for lists grouped by sprint. */
export function tasksOfPeople(
  queries: Queries,
  visible: SQL,
  ownerIds: readonly string[],
  allowance: number,
): Promise<Sized<TaskRow>> {
  const where = sql`${visible} and t.owner_id = any(${sql.param([...ownerIds])}::bigint[]) and t.withdrawn_at is null`;
  return readTasks(queries, { parts: allTaskParts, allowance, where, order: sql`t.sprint_id, t.id` });
}

/**
 * The person's tasks of this sprint, and unfinished ones, not left undone, of the latest `weeks` sprints that
 * ended before `now`; newest first.
 */
export function tasksOfWeek(
  queries: Queries,
  week: { ownerId: string; sprintId: string; open: readonly TaskStatus[]; now: string; weeks: number },
  allowance: number,
  parts: readonly TaskPart[],
): Promise<Sized<TaskRow>> {
  const { ownerId, sprintId, open, now, weeks } = week;
  const where = sql`t.owner_id = ${ownerId} and t.withdrawn_at is null and (t.sprint_id = ${sprintId} or (
      t.status = any(${sql.param([...open])}::task_status[]) and t.left_undone_at is null
      and t.sprint_id in (select id from sprints where end_at <= ${now} order by end_at desc limit ${weeks})))`;
  return readTasks(queries, { parts, allowance, where, order: sql`t.created_at desc, t.id desc` });
}

/** `isPast`: a task of this person was approved, or its sprint ended. `hasTask`: without withdrawn ones. */
export async function readFirstTasks(
  queries: Queries,
  ownerId: string,
  approved: readonly TaskStatus[],
  now: string,
): Promise<{ readonly hasTask: boolean; readonly isPast: boolean }> {
  const { rows } = await executePrepared<{ hasTask: boolean; isPast: boolean }>(
    queries,
    sql`
    select exists (select from tasks t where t.owner_id = ${ownerId}::bigint and t.withdrawn_at is null) as "hasTask",
      exists (select from tasks t join sprints s on s.id = t.sprint_id where t.owner_id = ${ownerId}::bigint
        and (t.status = any(${sql.param([...approved])}::task_status[]) or t.carried_over > 0 or s.end_at <= ${now}::timestamptz)) as "isPast"`,
  );
  return rows[0]!;
}

/** `alsoUnapproved`: an admin, who also decides for people without an approver. */
type Decider = ActingPerson & { readonly alsoUnapproved: boolean; readonly due: HandOverDue | null };

/** A condition on `t`: it waits for this person's decision. */
function awaitsDecisionOf({ due, alsoUnapproved, ...decider }: Decider): SQL {
  const own = sql`${awaits} and t.owner_id in (${ownersDecidedBy(decider, alsoUnapproved)})`;
  if (due === null) return own;
  return sql`t.id in (select t.id from tasks t where ${own} union all ${handedOverTo(decider, alsoUnapproved, due)})`;
}

/** What waits for this person's decision: what can wait for a later sprint last, the oldest of each first. */
export function findAwaiting(
  queries: Queries,
  decider: Decider,
  { taskId, at, ...page }: Page & { readonly taskId?: string | undefined; readonly at: string },
  allowance: number,
  parts: readonly TaskPart[],
): Promise<Sized<TaskRow>> {
  const one = taskId === undefined ? sql`` : sql`t.id = ${taskId} and `;
  const where = sql`${one}${awaitsDecisionOf(decider)}`;
  const isLater = sql`(select ${isLaterAt(at)} from sprints s where s.id = t.sprint_id)`;
  const order = sql`${isLater}, t.status_at, t.id`;
  return readTasks(queries, { parts, allowance, where, order, page: pageOf(page) });
}

export type InboxList = {
  readonly status: TaskStatus;
  /** Without those of later sprints. */
  readonly due?: boolean | undefined;
  /** All of a person's tasks together. */
  readonly byPerson?: boolean | undefined;
  readonly parts: readonly string[];
};

/** The place of a row in its list, as whole numbers that are compared one after the other. */
type Placed = { readonly id: string; readonly place: readonly string[] };

/**
 * The waiting tasks of this list after a place, as they were at `at`: one's own before handed-over ones,
 * overdue first, later sprints last, the oldest of each first.
 */
export async function findInboxPlaces(
  queries: Queries,
  decider: Decider,
  { status, due, byPerson, parts }: InboxList,
  { at, after, limit }: { readonly at: string; readonly after: readonly string[]; readonly limit: number },
): Promise<Placed[]> {
  const ofPerson = byPerson ? sql`min(w.own) over (partition by w.owner_id) || w.own` : sql`w.own`;
  const { due: handOver, ...person } = decider;
  const isHandedOver = handOver
    ? sql`case when t.owner_id in (${ownersDecidedBy(person, person.alsoUnapproved)}) then 0 else 1 end`
    : sql`0`;
  const text = `t.title || ' ' || ${shownName('o')} || ' ' || t.category`;
  const { rows } = await executePrepared<{ id: string; place: string }>(
    queries,
    sql`
    with w as (
      select t.id, t.owner_id,
        array[${isHandedOver}, case when ${isOverdueAt(at)} then 0 when ${isLaterAt(at)} then 2 else 1 end, (extract(epoch from t.status_at) * 1000)::bigint, t.id] as own
      from tasks t join sprints s on s.id = t.sprint_id ${parts.length > 0 ? sql`join people o on o.id = t.owner_id` : sql``}
      where t.status = ${status}::task_status and ${awaitsDecisionOf(decider)}
        ${due ? sql`and s.start_at <= ${at}::timestamptz` : sql``} and ${contains(parts, text)}),
    placed as (select w.id, ${ofPerson} as place from w)
    select id::text, array_to_string(place, '_') as place from placed
    where place > ${sql.param([...after])}::bigint[] order by placed.place limit ${limit}`,
  );
  return rows.map(({ id, place }) => ({ id, place: place.split('_') }));
}

/** Those of these tasks that still wait, in this order; the caller has checked that they are the viewer's. */
export function awaitingInOrder(
  queries: Queries,
  ids: readonly string[],
  allowance: number,
  parts: readonly TaskPart[],
): Promise<Sized<TaskRow>> {
  const list = sql`${sql.param([...ids])}::bigint[]`;
  const order = sql`array_position(${list}, t.id)`;
  return readTasks(queries, { parts, allowance, where: sql`t.id = any(${list}) and ${awaits}`, order });
}

export type InboxCounts = { readonly waiting: number; readonly overdue: number; readonly later: number };
type CountedInbox = { status: TaskStatus | null; people: number; duePeople: number } & InboxCounts;

/** How many wait by status, and of all together (`status` null), and of how many people. */
export async function countInbox(queries: Queries, decider: Decider, at: string): Promise<readonly CountedInbox[]> {
  const { rows } = await executePrepared<CountedInbox>(
    queries,
    sql`
    with w as (
      select t.status, t.owner_id, count(*) as waiting, count(*) filter (where ${isOverdueAt(at)}) as overdue,
        count(*) filter (where s.start_at > ${at}::timestamptz) as later
      from tasks t join sprints s on s.id = t.sprint_id
      where ${awaitsDecisionOf(decider)}
      group by t.status, t.owner_id)
    select status, coalesce(sum(waiting), 0)::int as waiting, coalesce(sum(overdue), 0)::int as overdue,
      coalesce(sum(later), 0)::int as later, count(distinct owner_id)::int as people,
      (count(distinct owner_id) filter (where waiting > later))::int as "duePeople"
    from w group by grouping sets ((status), ())`,
  );
  return rows;
}

/** How many wait, by status. */
export async function countAwaiting(queries: Queries, decider: Decider): Promise<Partial<Record<TaskStatus, number>>> {
  const { rows } = await executePrepared<{ status: TaskStatus; count: number }>(
    queries,
    sql`
    select t.status, count(*)::int as count from tasks t
    where ${awaitsDecisionOf(decider)}
    group by t.status`,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** How many wait for the decision of one of these approvers, each counted once. */
export async function countAwaitingAny(queries: Queries, approverIds: readonly string[]): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    select count(*)::int as count from tasks t where ${awaits} and t.owner_id in (
      select a.person_id from effective_approvers a
      where a.approver_id = any(${sql.param([...approverIds])}::bigint[]) and a.person_id <> a.approver_id)`);
  return rows[0]?.count ?? 0;
}

/** The tasks of these people in these statuses, of sprints that haven't ended. */
export async function countOwned(
  queries: Queries,
  ownerIds: readonly string[],
  statuses: readonly TaskStatus[],
  now: string,
): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    select count(*)::int as count from tasks t join sprints s on s.id = t.sprint_id
    where t.owner_id = any(${sql.param([...ownerIds])}::bigint[]) and t.withdrawn_at is null and s.end_at > ${now}::timestamptz
      and t.status = any(${sql.param([...statuses])}::task_status[])`);
  return rows[0]?.count ?? 0;
}

export type HistoryRow = {
  id: string;
  taskId: string;
  at: string;
  actorId: string | null;
  actorName: string;
  /** The absent approver that the actor decided for. */
  forName: string | null;
  event: TaskEventKind;
  from: TaskStatus;
  to: TaskStatus;
  change: string | null;
  /** JSON of the values, as text. */
  before: string;
  after: string;
  version: number;
  waited: string;
  correction: boolean;
};

/** Size in bytes of a history entry without its texts: fewer than it has, but their objects take as long. */
export const historyLineBytes = 1_000;
const lengthOfLine = sql.raw(
  `${historyLineBytes} + coalesce(octet_length(h.change), 0) + octet_length(h.before::text) + octet_length(h.after::text)`,
);

const nameOfAbsent = `(select ${shownName('f')}
  from people f where f.id = h.for_id) as "forName"`;
const historyColumns = sql.raw(`
  ${nameOfAbsent}, h.id, h.task_id as "taskId", h.at, h.actor_id as "actorId", h.actor_name as "actorName", h.event, h.from_status as "from", h.to_status as "to",
  h.change, h.before::text as before, h.after::text as after, h.version, h.waited, h.correction`);

/**
 * These tasks' history, oldest first, up to the first entry beyond the allowance. Without events that only a
 * newer version knows.
 */
export async function historyOf(
  queries: Queries,
  taskIds: readonly string[],
  allowance: number,
): Promise<Sized<HistoryRow>> {
  const { rows } = await executePrepared<HistoryRow & SizedRow>(
    queries,
    sql`
    select ${historyColumns}, h.read_bytes as "readBytes" from (
      select h.*, (${lengthOfLine})::float8 as row_bytes,
        sum((${lengthOfLine})::float8) over (order by h.id rows unbounded preceding) as read_bytes
      from task_history h where h.task_id = any(${sql.param([...taskIds])}::bigint[]) and h.event in (${literals(taskEventKinds)})
    ) h where h.read_bytes - h.row_bytes <= ${allowance}::float8 order by h.id`,
  );
  return sized(rows);
}

/** An undo follows its decision before any other. */
const decisionsAndUndo = literals([...decisionEvents, 'undone']);

/**
 * After which step the owner edited what the task says: its approval that still counts, or its completion.
 */
export type EditedSince = 'approval' | 'completion';

export async function editsOf(
  queries: Queries,
  taskIds: readonly string[],
): Promise<{ readonly id: string; readonly since: EditedSince }[]> {
  const { rows } = await executePrepared<{ id: string; since: EditedSince }>(
    queries,
    sql`
    with line as (select * from task_history where task_id = any(${sql.param([...taskIds])}::bigint[])),
      decision as (
        select task_id, id, event, lead(event) over (partition by task_id order by id) as next_event from line
        where event in (${decisionsAndUndo})),
      decided as (
        select distinct on (task_id) task_id, id, event from decision
        where event in ('approved', 'sentBack') and next_event is distinct from 'undone' order by task_id, id desc),
      step as (
        select task_id, max(id) filter (where before ?| array[${literals(workFields)}]) as edited,
          max(id) filter (where to_status = 'INREVIEW' and from_status <> 'INREVIEW' and event <> 'undone') as completed
        from line group by task_id)
    select s.task_id::text as id, case when s.edited > s.completed then 'completion' else 'approval' end as since
    from step s left join decided d on d.task_id = s.task_id
    where s.edited > s.completed or (d.event = 'approved' and s.edited > d.id)`,
  );
  return rows;
}

/** `isLast`: nobody changed the task after it, notes and files aside. */
export type DecidedRow = { readonly entry: HistoryRow & { readonly isLast: boolean }; readonly task: TaskRow };

/** A subquery of its row: a join would read the whole history. */
const isUndone = sql`(select u.event from task_history u
  where u.task_id = h.task_id and u.id > h.id and u.event in (${decisionsAndUndo}) order by u.id limit 1) is not distinct from 'undone'`;

/** Whether nothing but notes and files came after it. */
const isLast = sql`not exists (select from task_history l
  where l.task_id = h.task_id and l.id > h.id and l.event not in (${literals(besideEvents)}))`;

/** This person's decisions that weren't undone, on visible tasks, newest first, each with the current task. */
export async function findDecided(
  queries: Queries,
  visible: SQL,
  {
    actorId,
    events,
    limit,
    after,
  }: { readonly actorId: string; readonly events: readonly TaskEventKind[] } & PageAfter,
  allowance: number,
  parts: readonly TaskPart[],
): Promise<Sized<DecidedRow>> {
  const { rows } = await executePrepared<TaskRow & SizedRow & Pick<DecidedRow, 'entry'>>(
    queries,
    selectTasks({
      parts,
      allowance,
      where: sql`h.actor_id = ${actorId} and h.event = any(${sql.param([...events])}::task_event[]) and ${visible} and t.withdrawn_at is null
        and not ${isUndone}
        ${after === undefined ? sql`` : sql`and (h.at, h.id) < (select a.at, a.id from task_history a where a.id = ${after}::bigint)`}`,
      order: sql`h.at desc, h.id desc`,
      page: pageOf({ limit }),
      beside: {
        from: sql`join task_history h on h.task_id = t.id`,
        id: sql`h.id`,
        bytes: lengthOfLine,
        columns: sql`entry.json as entry`,
        join: sql`
          join task_history h on h.id = t.beside_id
          cross join lateral (select row_to_json(e) as json from (select ${sql.raw(nameOfAbsent)}, h.id::text, h.task_id::text as "taskId", h.at, h.actor_id::text as "actorId",
            h.actor_name as "actorName", h.event, h.from_status as "from", h.to_status as "to", h.change, h.before::text as before,
            h.after::text as after, h.version, h.waited::text as waited, h.correction, ${isLast} as "isLast") e) entry`,
      },
    }),
  );
  const { bytes } = sized(rows);
  return { bytes, rows: rows.map(({ entry, ...task }) => ({ entry, task })) };
}
