// Writes to tasks and their history, always in a transaction that has locked the task's row.
import { type SQL, sql } from 'drizzle-orm';
import type { Repeat } from '#core/tasks/repeat.ts';
import {
  besideEvents,
  type ContentField,
  contentFields,
  type HistorySize,
  type LastEvent,
  type TaskChanges,
  type TaskEventKind,
  undoEvents,
  workFields,
} from '#core/tasks/task.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { isLocked } from '#server/platform/db/database-failures.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { waitsSince } from './awaiting-tasks.ts';
import { SprintNotReady } from './sprints/sprint-week.ts';

/** A locked task and its sprint's record. */
export type LockedRow = {
  readonly id: string;
  readonly ownerId: string;
  readonly sprintId: string;
  readonly reason: string | null;
  readonly status: TaskStatus;
  readonly version: number;
  readonly statusAt: string;
  readonly waitsSince: string;
  readonly withdrawn: boolean;
  readonly leftUndone: boolean;
  readonly repeats: Repeat | null;
  readonly approverIds: string[];
  /** Whether another change had the task. */
  readonly hasWaited: boolean;
} & Readonly<Record<ContentField, string>> &
  SprintRecord;

type SprintRecord = {
  readonly startAt: string;
  readonly endAt: string;
  readonly commitmentAt: string | null;
  readonly resultAt: string | null;
};

const sprintRecord = sql.raw(
  's.start_at as "startAt", s.end_at as "endAt", s.commitment_at as "commitmentAt", s.result_at as "resultAt"',
);

const contentColumns = sql.raw(contentFields.map((field) => `t.${field}`).join(', '));

/**
 * Task changes share a lock on the sprint's row, which keeps it from being recorded (see
 * sprint-records.service.ts). A recording can take long, so they throw SprintNotReady instead of waiting.
 */
function unlessRecording<Result>(locking: Promise<Result>): Promise<Result> {
  return locking.catch((error) => {
    // Without the cause: it would make the transaction retry at once.
    throw isLocked(error) ? new SprintNotReady('The sprint is being recorded') : error;
  });
}

type TaskOnly = Omit<LockedRow, 'approverIds' | 'hasWaited'>;

async function lockOnce(queries: Queries, taskId: string, taken: 'skip locked' | ''): Promise<TaskOnly | undefined> {
  const { rows } = await unlessRecording(
    executePrepared<TaskOnly>(
      queries,
      sql`
    select t.id, t.owner_id as "ownerId", t.sprint_id as "sprintId", ${contentColumns}, t.reason, t.status, t.version,
      t.status_at as "statusAt", ${sql.raw(waitsSince)} as "waitsSince", t.withdrawn_at is not null as withdrawn, t.left_undone_at is not null as "leftUndone", t.repeats, ${sprintRecord}
    from tasks t join sprints s on s.id = t.sprint_id
    where t.id = ${taskId} for no key update of t ${sql.raw(taken)} for key share of s nowait`,
    ),
  );
  return rows[0];
}

/** The current task, locked until the transaction ends; null if there is none. */
export async function lockTask(queries: Queries, taskId: string): Promise<LockedRow | null> {
  const free = await lockOnce(queries, taskId, 'skip locked');
  // A task carried over during the wait no longer matches the join: the last attempt sees its new sprint.
  const task = free ?? (await lockOnce(queries, taskId, '')) ?? (await lockOnce(queries, taskId, ''));
  return task ? { ...task, hasWaited: !free, approverIds: await approversOf(queries, task.ownerId) } : null;
}

/** Whether all these tasks are there and fulfil the condition on `t`. */
export async function areAllSeen(queries: Queries, ids: readonly string[], seen: SQL): Promise<boolean> {
  const { rows } = await queries.execute<{ count: number }>(
    sql`select count(*)::int as count from tasks t where t.id = any(${sql.param([...ids])}::bigint[]) and ${seen}`,
  );
  return rows[0]!.count === ids.length;
}

/** Read after locking: a waiting statement would see the owner's approvers from before the wait. */
async function approversOf(queries: Queries, ownerId: string): Promise<string[]> {
  const { rows } = await executePrepared<{ ids: string[] }>(
    queries,
    sql`select array(select approver_id::text from effective_approvers where person_id = ${ownerId} order by approver_id) as ids`,
  );
  return (rows[0] as { ids: string[] }).ids;
}

export type NewHistory = {
  readonly taskId: string;
  readonly sprintId: string;
  readonly at: string;
  readonly actorId: string;
  readonly actorName: string;
  /** The absent approver that the actor decides for. */
  readonly forId?: string | null;
  readonly event: TaskEventKind;
  readonly from: TaskStatus;
  readonly to: TaskStatus;
  readonly change: string | null;
  readonly before: TaskChanges;
  readonly after: TaskChanges;
  readonly version: number;
  readonly waited: number;
  readonly correction: boolean;
};

/** `source` is the CTE that wrote the task and returns its id: without its row there is no history either. */
function insertHistory(row: Omit<NewHistory, 'taskId'>, source: SQL): SQL {
  return sql`insert into task_history
      (task_id, sprint_id, at, actor_id, actor_name, for_id, event, from_status, to_status, change, before, after, version, waited, correction)
    select id, ${row.sprintId}::bigint, ${row.at}::timestamptz, ${row.actorId}::bigint, ${row.actorName}, ${row.forId ?? null}::bigint,
      ${row.event}::task_event, ${row.from}::task_status, ${row.to}::task_status, ${row.change}, ${JSON.stringify(row.before)}::jsonb,
      ${JSON.stringify(row.after)}::jsonb, ${row.version}::int, ${row.waited}::bigint, ${row.correction}::boolean
    from ${source}`;
}

export type TaskWrite = {
  readonly changes: TaskChanges;
  readonly at: string;
  /** When the task reached its status after the change. */
  readonly statusAt: string;
  /** The sprint it is carried over to, or back to. */
  readonly sprintId?: string | undefined;
};

/** What each kind of change sets in the task: nothing for a note, which has its own table. */
const sets: {
  readonly [Field in Exclude<keyof TaskChanges, ContentField>]-?: (changes: TaskChanges, at: string) => SQL | null;
} = {
  reason: ({ reason }) => sql`reason = ${reason}`,
  status: ({ status }) => sql`status = ${status}`,
  repeats: ({ repeats }) => sql`repeats = ${repeats}`,
  withdrawn: ({ withdrawn }, at) => sql`withdrawn_at = ${withdrawn ? at : null}`,
  leftUndone: ({ leftUndone }, at) => sql`left_undone_at = ${leftUndone ? at : null}`,
  carriedOver: ({ carriedOver }) => sql`carried_over = carried_over + ${carriedOver ? 1 : -1}`,
  note: () => null,
  noteId: () => null,
  fileId: () => null,
};

function assignments({ changes, at, statusAt, sprintId }: TaskWrite): SQL {
  const set = [sql`version = version + 1`, sql`status_at = ${statusAt}`];
  for (const field of contentFields)
    if (changes[field] !== undefined) set.push(sql`${sql.raw(field)} = ${changes[field]}`);
  for (const [field, of] of Object.entries(sets) as [keyof typeof sets, (typeof sets)[keyof typeof sets]][]) {
    const part = changes[field] === undefined ? null : of(changes, at);
    if (part !== null) set.push(part);
  }
  if (sprintId !== undefined) set.push(sql`sprint_id = ${sprintId}`);
  return sql.join(set, sql`, `);
}

/** Parts of the statement that write in addition to the change. Each only writes for rows of `changed`. */
export type SideEffects = {
  readonly notices: readonly ((changed: SQL) => SQL)[];
  readonly audit: (changed: SQL) => SQL;
  /** Tells all servers when the transaction commits. */
  readonly notify: SQL;
};

/**
 * Writes the change with everything related. False if the task no longer has the version it was read with.
 */
export async function writeChange(
  queries: Queries,
  write: TaskWrite,
  history: NewHistory,
  { notices, audit, notify }: SideEffects,
): Promise<boolean> {
  const changed = sql`changed`;
  const newNotices = notices.map((notice, index) => sql`new_notice${sql.raw(String(index))} as (${notice(changed)}),`);
  const { rowCount } = await executePrepared(
    queries,
    sql`
    with changed as (
      update tasks set ${assignments(write)} where id = ${history.taskId} and version = ${history.version - 1} returning id
    ),
    new_history as (${insertHistory(history, changed)}),
    ${sql.join(newNotices)}
    new_audit as (${audit(changed)})
    select ${notify} from changed`,
  );
  return rowCount === 1;
}

export type NewTask = {
  readonly ownerId: string;
  readonly sprintId: string;
  readonly status: TaskStatus;
  readonly createdBy: string;
  readonly at: string;
} & Readonly<Record<(typeof workFields)[number], string>>;

/** Creates the task with its first history entry and returns its id. */
export async function insertTask(
  queries: Queries,
  task: NewTask,
  history: Omit<NewHistory, 'taskId'>,
): Promise<string> {
  const work = sql.join(
    workFields.map((field) => sql`${task[field]}`),
    sql`, `,
  );
  const { rows } = await executePrepared<{ id: string }>(
    queries,
    sql`
    with made as (
      insert into tasks (owner_id, sprint_id, ${sql.raw(workFields.join(', '))}, status, created_by, created_at, status_at)
      values (${task.ownerId}, ${task.sprintId}, ${work}, ${task.status}, ${task.createdBy}, ${task.at}, ${task.at})
      returning id
    )
    ${insertHistory(history, sql`made`)} returning task_id as id`,
  );
  return (rows[0] as { id: string }).id;
}

type LastEventRow = Omit<LastEvent, 'at'> & { readonly at: string; readonly waited: string; readonly sprintId: string };

/** The task's last history entry, with its sprint and the seconds that it had waited before. */
export type LastStep = LastEvent & { readonly waited: number; readonly sprintId: string };
export async function lastEvent(queries: Queries, taskId: string): Promise<LastStep | null> {
  const { rows } = await executePrepared<LastEventRow>(
    queries,
    sql`
    select event as kind, actor_id as "actorId", at, from_status as "from", version, before, waited, sprint_id as "sprintId"
    from task_history where task_id = ${taskId} and event <> all(${sql.param([...besideEvents])}::task_event[])
    order by id desc limit 1`,
  );
  const [row] = rows;
  return row ? { ...row, at: Temporal.Instant.from(row.at), waited: Number(row.waited) } : null;
}

/** Since when a task has waited at an instant, if it waited so many seconds by then. */
export const waitedSince = ({ at, waited }: { readonly at: Temporal.Instant; readonly waited: number }): string =>
  instantText(at.subtract({ seconds: waited }));

/** The history's changes after the first, of its owner or of everyone else. */
export async function sizeOfHistory(queries: Queries, taskId: string, byOwner: boolean): Promise<HistorySize> {
  const { rows } = await executePrepared<HistorySize>(
    queries,
    sql`
    select (count(*) filter (where (h.actor_id = t.owner_id) = ${byOwner} and h.version > 1))::int as changes,
      (count(*) filter (where (h.actor_id = t.owner_id) = ${byOwner} and h.event = any(${sql.param([...undoEvents])}::task_event[])))::int as undone
    from task_history h join tasks t on t.id = h.task_id where h.task_id = ${taskId}`,
  );
  return rows[0] as HistorySize;
}

/** Bytes of texts in the task's history, of its owner or of everyone else. */
export async function bytesOfHistory(queries: Queries, taskId: string, byOwner: boolean): Promise<number> {
  const { rows } = await executePrepared<{ bytes: number }>(
    queries,
    sql`
    select coalesce(sum(octet_length(before::text) + octet_length(after::text) + coalesce(octet_length(h.change), 0)), 0)::float8 as bytes
    from task_history h join tasks t on t.id = h.task_id where h.task_id = ${taskId} and (h.actor_id = t.owner_id) = ${byOwner}`,
  );
  return (rows[0] as { bytes: number }).bytes;
}

export type EventSince = { readonly event: TaskEventKind; readonly movedStatus: boolean; readonly after: TaskChanges };

/** The task's events after a known version. */
export async function eventsSince(queries: Queries, taskId: string, version: number): Promise<EventSince[]> {
  const { rows } = await executePrepared<EventSince>(
    queries,
    sql`
    select event, from_status <> to_status as "movedStatus", after from task_history where task_id = ${taskId} and version > ${version}`,
  );
  return rows;
}

/** What counts as a person's tasks in a sprint: not what others created for them and they withdrew. */
export const countedInSprint = sql`(withdrawn_at is null or created_by = owner_id)`;

/** How many tasks the person has in the sprint. Locked, so concurrent creations can't exceed the limit. */
export async function countInSprint(queries: Queries, ownerId: string, sprintId: string): Promise<number> {
  const lock = `tasks of ${ownerId} in ${sprintId}`;
  await executePrepared(queries, sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
  const { rows } = await executePrepared<{ count: number }>(
    queries,
    sql`select count(*)::int as count from tasks where owner_id = ${ownerId} and sprint_id = ${sprintId} and ${countedInSprint}`,
  );
  return (rows[0] as { count: number }).count;
}

/** How many tasks the person created for others since then. Locked like `countInSprint`. */
export async function countForOthers(queries: Queries, creatorId: string, since: string): Promise<number> {
  const lock = `tasks by ${creatorId}`;
  await executePrepared(queries, sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
  const { rows } = await executePrepared<{ count: number }>(
    queries,
    sql`
    select count(*)::int as count from task_history h join tasks t on t.id = h.task_id
    where h.actor_id = ${creatorId} and h.at > ${since} and h.event = 'created' and t.owner_id <> h.actor_id`,
  );
  return (rows[0] as { count: number }).count;
}

export type LockedSprint = {
  readonly id: string;
  readonly startAt: string;
  readonly endAt: string;
  readonly commitmentAt: string | null;
  readonly resultAt: string | null;
};

/**
 * The sprint with this id or, without one, the current one at `now`; locked against a recording until the
 * transaction ends. Throws SprintNotReady during a recording.
 */
export async function lockSprint(queries: Queries, now: string, id?: string): Promise<LockedSprint | null> {
  const which =
    id === undefined ? sql`start_at <= ${now} and end_at > ${now} order by start_at desc limit 1` : sql`id = ${id}`;
  const { rows } = await unlessRecording(
    executePrepared<LockedSprint>(
      queries,
      sql`
    select id, start_at as "startAt", end_at as "endAt", commitment_at as "commitmentAt", result_at as "resultAt"
    from sprints where ${which} for key share nowait`,
    ),
  );
  return rows[0] ?? null;
}
