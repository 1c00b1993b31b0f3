// The one way in which a task is changed: lock it, ask the core, write what it planned with history, audit and notice to
// everybody who looks at it. All of it happens in one transaction, or nothing does.
import { isRefusal, type Refusal, refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import {
  changesFullRefusal,
  contentFields,
  historyFullRefusal,
  isLongChange,
  type NothingToDo,
  type Task,
  type TaskEventKind,
  type TaskOwner,
  type TaskPlan,
} from '#core/tasks/task.ts';
import { type AuditEntry, recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { instantText } from '#server/platform/instant-text.ts';
import type { TaskChange } from '#server/platform/live/live.service.ts';
import { keepSprints, SprintsBehind } from './sprints/keep-sprints.ts';
import { isRecordDue } from './sprints/sprint-records.service.ts';
import { phaseOf } from './sprints/sprint-week.ts';
import * as store from './task-changes.store.ts';
import { allTaskParts, type TaskPart } from './task-columns.ts';
import { taskHook } from './task-hook.ts';
import { readTask, type TaskView } from './task-view.ts';

/** A task that is held for a change, as the rules ask for it. */
export type TaskSubject = {
  readonly id: string;
  readonly task: Task;
  readonly owner: TaskOwner;
  readonly statusAt: string;
  /** The server's time, read after the task was locked. */
  readonly now: Temporal.Instant;
};

/** What is to be written. `statusAt` and `sprintId` only where the core's plan does not tell them. */
export type TaskWork = TaskPlan & { readonly statusAt?: string; readonly sprintId?: string };
type Answer = TaskWork | NothingToDo | Refusal;

/** Changes the task as `plan` says and gives it as it is then. A refusal of the plan is thrown, and nothing was written. */
export function changeTask(
  context: RequestContext,
  taskId: string,
  plan: (subject: TaskSubject, queries: Queries) => Answer | Promise<Answer>,
  parts: readonly TaskPart[] = allTaskParts,
): Promise<TaskView> {
  return inTaskTransaction(context, async (queries) => {
    const row = await store.lockTask(queries, taskId);
    if (!row) throw new RefusalError(refuse('NOT_FOUND'));
    const subject = subjectOf(context, row);
    const answer = await plan(subject, queries);
    if (isRefusal(answer)) throw new RefusalError(answer);
    if (answer.kind === 'plan') await assertRoom(queries, subject, answer);
    if (answer.kind === 'plan') await write(context, queries, row, subject, answer);
    return readTask(context, queries, taskId, parts);
  });
}

async function assertRoom(queries: Queries, { id, task }: TaskSubject, work: TaskWork): Promise<void> {
  const refusal =
    changesFullRefusal(task, work.event.kind) ??
    (isLongChange(work) ? historyFullRefusal(await store.bytesOfHistory(queries, id)) : null);
  if (refusal) throw new RefusalError(refusal);
}

/** The task with its rules' facts, read and let go again; for questions that change nothing. */
export function inspectTask<Result>(
  context: RequestContext,
  taskId: string,
  ask: (subject: TaskSubject) => Result,
): Promise<Result | Refusal> {
  return inTaskTransaction(context, async (queries) => {
    const row = await store.lockTask(queries, taskId);
    return row ? ask(subjectOf(context, row)) : refuse('NOT_FOUND');
  });
}

/** The facts of the rules. Throws SprintsBehind while something of the task's sprint is still to be recorded. */
export function subjectOf(context: RequestContext, row: store.ChangedTask): TaskSubject {
  const now = context.clock.now();
  const { settlingHours } = context.settings();
  if (isRecordDue(row, now, settlingHours)) throw new SprintsBehind();
  const task = { ...row, phase: phaseOf(row, now, settlingHours) };
  return { id: row.id, task, owner: { id: row.ownerId, approverIds: row.approverIds }, statusAt: row.statusAt, now };
}

/** The task and its line of history as they are to be written. */
export function workOf(
  { viewer }: RequestContext,
  row: store.ChangedTask,
  { now, task }: TaskSubject,
  work: TaskWork,
): { readonly write: store.TaskWrite; readonly history: store.NewHistory } {
  const at = instantText(now);
  const { kind, ...event } = work.event;
  const moves = event.from !== event.to;
  return {
    write: {
      changes: work.changes,
      at,
      statusAt: work.statusAt ?? (moves ? at : row.statusAt),
      sprintId: work.sprintId,
    },
    history: {
      ...event,
      event: kind,
      taskId: row.id,
      sprintId: row.sprintId,
      at,
      version: row.version + 1,
      actorId: viewer.id,
      actorName: displayName(viewer),
      waited: moves ? secondsBetween(row.statusAt, now) : 0,
      correction: task.phase === 'settled',
    },
  };
}

async function write(
  context: RequestContext,
  queries: Queries,
  row: store.ChangedTask,
  subject: TaskSubject,
  work: TaskWork,
): Promise<void> {
  const { write: change, history } = workOf(context, row, subject, work);
  const wrote = await store.writeChange(
    queries,
    change,
    history,
    taskHook.handlers().taskChanged(context, row, subject.now, work),
  );
  // The row is held since it was read, so this says that somebody writes around this way.
  if (!wrote) throw new Error(`task ${row.id} changed while it was locked`);
  await tell(context, queries, toldOf(row, work));
}

export type ToldChange = {
  readonly taskId: string;
  readonly ownerId: string;
  readonly sprintId: string;
  readonly version: number;
  readonly event: TaskEventKind;
  readonly approverIds: readonly string[];
  readonly before: Record<string, unknown>;
  readonly after: Record<string, unknown>;
};

export const toldOf = (row: store.ChangedTask, { event, sprintId }: TaskWork): ToldChange => ({
  taskId: row.id,
  ownerId: row.ownerId,
  sprintId: sprintId ?? row.sprintId,
  version: row.version + 1,
  event: event.kind,
  approverIds: row.approverIds,
  before: { status: event.from, ...event.before },
  after: { status: event.to, ...event.after },
});

/** The change as the audit log and the other servers are told it. */
export function wordsOf(
  { viewer }: RequestContext,
  { ownerId, before, after, ...change }: ToldChange,
): { readonly audit: AuditEntry; readonly message: TaskChange } {
  return {
    audit: { action: auditAction(change.event), subjectType: 'task', subjectId: change.taskId, before, after },
    message: { ...change, userId: ownerId, actorId: viewer.id },
  };
}

/** Leaves the change in the audit log and tells all servers, in the transaction that made it. */
export async function tell(context: RequestContext, queries: Queries, change: ToldChange): Promise<void> {
  const { audit, message } = wordsOf(context, change);
  await recordAudit(queries, context, audit);
  await context.live.publish(queries, 'taskChanged', message);
}

/** `taskApproved`, `taskNoteAdded`. */
function auditAction(event: TaskEventKind): string {
  return `task${event.charAt(0).toUpperCase()}${event.slice(1)}`;
}

function secondsBetween(start: string, end: Temporal.Instant): number {
  return Math.max(0, Math.round((end.epochMilliseconds - Temporal.Instant.from(start).epochMilliseconds) / 1000));
}

/** The fields that moved on after the version that the caller knows: what a conflict tells (D25). */
export async function changedSince(
  queries: Queries,
  { id, task }: TaskSubject,
  version: number | undefined,
): Promise<string[]> {
  if (version === undefined || version >= task.version) return [];
  const changed = new Set<string>();
  for (const { event, movedStatus, after } of await store.eventsSince(queries, id, version)) {
    for (const field of contentFields) if (after[field] !== undefined) changed.add(field);
    if (movedStatus) changed.add('status');
    const besides = fieldsBesides[event];
    if (besides) changed.add(besides);
  }
  return [...changed];
}

const fieldsBesides: Readonly<Partial<Record<TaskEventKind, string>>> = {
  noteAdded: 'notes',
  noteEdited: 'notes',
  noteRemoved: 'notes',
  noteRestored: 'notes',
  fileAdded: 'attachments',
  fileRemoved: 'attachments',
  fileRestored: 'attachments',
  carriedOver: 'sprintId',
  withdrawn: 'withdrawn',
};

const attempts = 4;

/** A transaction over a task. What came before the sprints were up with the clock is tried again when they are. */
export async function inTaskTransaction<Result>(
  context: RequestContext,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.database.transaction(work);
    } catch (error) {
      if (attempt === attempts || !(error instanceof SprintsBehind)) throw error;
      await keepSprints(context);
    }
  }
}
