// The only way to change a task, in one transaction: lock it, ask the core, write the change with its
// history, notification and audit entry, and notify all servers.
import { setTimeout as sleep } from 'node:timers/promises';
import { taskLimits } from '#core/base/limits.ts';
import { isRefusal, type Refusal, refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { type SprintAct, sprintRefusal } from '#core/tasks/sprint.ts';
import {
  approversAndNextInLine,
  changesFullRefusal,
  contentFields,
  decidesInsteadOf,
  decisionEvents,
  historyFullRefusal,
  hourlyLimits,
  isLongChange,
  type NothingToDo,
  needsProofOfHistory,
  noneUndone,
  startsNewWait,
  type Task,
  type TaskChanges,
  type TaskEventKind,
  type TaskOwner,
  type TaskPlan,
  undoEvents,
} from '#core/tasks/task.ts';
import { assertOwnChanges, assertRecentProof, assertSameCaller } from '#server/access/auth/recent-proof.ts';
import { type Delegation, runningDelegations } from '#server/people/absences.service.ts';
import { type AuditEntry, insertAudit, recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, SignedInPerson } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { type CallKey, lockKey } from '#server/platform/idempotency/idempotency.service.ts';
import { instantText } from '#server/platform/instant-text.ts';
import type { TaskChange } from '#server/platform/live/live.service.ts';
import { handOverDue, handOverOf, type NamedHandOver } from './hand-over.ts';
import { keepSprints } from './sprints/keep-sprints.ts';
import { isRecordDue, phaseOf, SprintNotReady } from './sprints/sprint-week.ts';
import * as store from './task-changes.store.ts';
import { allTaskParts, type TaskPart, type TaskRow } from './task-columns.ts';
import { taskHook } from './task-hook.ts';
import { taskById } from './tasks.store.ts';
import { isVisibleTo } from './visible-tasks.ts';

/** A locked task with everything the rules need. */
export type LockedTask = {
  readonly id: string;
  readonly sprintId: string;
  /** The caller, without delegations that ended while the task was locked. */
  readonly viewer: SignedInPerson;
  /** The approver the caller decides for: absent, or of a task that was handed over. */
  readonly insteadOf: { readonly id: string; readonly name: string } | null;
  readonly task: Task;
  readonly owner: TaskOwner;
  /** The server's time, read after locking the task. */
  readonly now: Temporal.Instant;
};

/** The core's plan. `statusAt` and `sprintId` are set only if the core can't know them. */
type Plan = TaskPlan & { readonly statusAt?: string; readonly sprintId?: string };
type Answer = Plan | NothingToDo | Refusal;

/**
 * Changes the task as `decide` plans it and returns the new task. A refusal is thrown, and nothing is
 * written. The key of `call` is locked first: a call that waits for the task runs.
 */
export function changeTask(
  context: RequestContext,
  taskId: string,
  decide: (locked: LockedTask, queries: Queries) => Answer | Promise<Answer>,
  parts: readonly TaskPart[] = allTaskParts,
  call: CallKey = null,
): Promise<TaskRow> {
  return inTaskTransaction(context, async (queries) => {
    await lockKey(queries, context, call);
    await changeLocked(context, queries, taskId, decide);
    return readTask(context, queries, taskId, parts);
  });
}

async function changeLocked(
  context: RequestContext,
  queries: Queries,
  taskId: string,
  decide: (locked: LockedTask, queries: Queries) => Answer | Promise<Answer>,
): Promise<void> {
  const row = await store.lockTask(queries, taskId);
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  const locked = await lockedTask(context, queries, row);
  await writeAnswer(context, queries, { row, locked }, await decide(locked, queries));
}

type Held = { readonly row: store.LockedRow; readonly locked: LockedTask };

async function writeAnswer(context: RequestContext, queries: Queries, { row, locked }: Held, answer: Answer) {
  if (isRefusal(answer)) throw new RefusalError(answer);
  if (answer.kind !== 'plan') return;
  await assertRoomInHistory(context, queries, locked, answer);
  await writePlan(context, queries, row, locked, answer);
}

/** Undoes a step of one or more tasks, all of them or none. Its time begins with its last task. */
export function undoStep(
  context: RequestContext,
  taskIds: readonly string[],
  plan: (locked: LockedTask, last: store.LastStep | null, queries: Queries) => Answer | Promise<Answer>,
  parts: readonly TaskPart[] = allTaskParts,
): Promise<TaskRow[]> {
  // In one order, or two calls about the same tasks could wait for each other.
  const ids = [...new Set(taskIds)].toSorted();
  return inTaskTransaction(context, async (queries) => {
    // Nobody waits for a call about tasks that its caller can't see.
    const seen = isVisibleTo(context.viewer, handOverDue(context));
    if (!(await store.areAllSeen(queries, ids, seen))) throw new RefusalError(refuse('NOT_FOUND'));
    const steps: (Held & { readonly last: store.LastStep | null })[] = [];
    for (const id of ids) {
      const row = await store.lockTask(queries, id);
      if (!row) throw new RefusalError(refuse('NOT_FOUND'));
      // Ends here if the sprint is due to be recorded, which would wait for this transaction.
      const locked = await lockedTask(context, queries, row);
      steps.push({ row, locked, last: await store.lastEvent(queries, id) });
    }
    const stepEnd = steps
      .flatMap(({ last }) => last?.at ?? [])
      .toSorted(Temporal.Instant.compare)
      .at(-1);
    for (const { last, ...held } of steps) {
      const answer = await plan(held.locked, last ? { ...last, stepEnd } : null, queries);
      const named = isRefusal(answer) && ids.length > 1 ? noneUndone(answer, held.locked.task) : answer;
      await writeAnswer(context, queries, held, named);
    }
    const rows = [];
    for (const id of ids) rows.push(await readTask(context, queries, id, parts));
    return rows;
  });
}

/** The task in this transaction. The caller has checked that the viewer can see it. */
export async function readTask(
  context: RequestContext,
  queries: Queries,
  id: string,
  parts: readonly TaskPart[] = allTaskParts,
): Promise<TaskRow> {
  const [row] = await context.budget.readWithoutWaiting((allowance) => taskById(queries, id, allowance, parts));
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return row;
}

/** Read after locking: a delegate who waited would decide for an approver who is back. */
async function currentDelegations(context: RequestContext, queries: Queries): Promise<readonly Delegation[]> {
  const { viewer } = context;
  return viewer.delegateOf?.length ? runningDelegations(context, queries, { delegateId: viewer.id }) : [];
}

/** Throws SprintNotReady while the task's sprint has unrecorded results. */
async function lockedTask(context: RequestContext, queries: Queries, row: store.LockedRow): Promise<LockedTask> {
  if (row.hasWaited) await assertSameCaller(queries, context);
  const delegations = await currentDelegations(context, queries);
  const handOver = await handOverOf(context, queries, context.viewer, row);
  const now = context.clock.now();
  const { settlingHours } = context.settings();
  if (isRecordDue(row, now, settlingHours)) throw new SprintNotReady();
  const task = { ...row, phase: phaseOf(row, now, settlingHours) };
  const owner = { id: row.ownerId, approverIds: row.approverIds, handOver };
  const viewer = { ...context.viewer, delegateOf: delegations.map(({ approverId }) => approverId) };
  const insteadOf = namedApprover(decidesInsteadOf(viewer, owner), delegations, handOver);
  return { id: row.id, sprintId: row.sprintId, viewer, insteadOf, task, owner, now };
}

function namedApprover(
  id: string | null,
  delegations: readonly Delegation[],
  handOver: NamedHandOver | null,
): LockedTask['insteadOf'] {
  const name =
    delegations.find(({ approverId }) => approverId === id)?.approverName ??
    handOver?.approvers.find((approver) => approver.id === id)?.displayName;
  return id === null || name === undefined ? null : { id, name };
}

async function assertRoomInHistory(
  context: RequestContext,
  queries: Queries,
  { id, viewer, task, owner }: LockedTask,
  plan: Plan,
): Promise<void> {
  const { kind } = plan.event;
  const byOwner = viewer.id === owner.id;
  // Each change counts in the version: only long histories must be counted.
  const isLong = task.version > (undoEvents.includes(kind) ? taskLimits.undone : taskLimits.edits) / 2;
  const size = isLong ? await store.sizeOfHistory(queries, id, byOwner) : { changes: 0, undone: 0 };
  const limit = hourlyLimits[kind];
  if (limit) await assertOwnChanges(queries, context, auditAction(kind), limit);
  const bytes = isLongChange(plan) ? await store.bytesOfHistory(queries, id, byOwner) : 0;
  const refusal = changesFullRefusal(size, kind) ?? historyFullRefusal(bytes);
  if (refusal) throw new RefusalError(refusal);
  if (needsProofOfHistory(size, bytes, kind)) await assertRecentProof(queries, context);
}

async function writePlan(
  context: RequestContext,
  queries: Queries,
  row: store.LockedRow,
  { now, task, owner, insteadOf: absent }: LockedTask,
  plan: Plan,
): Promise<void> {
  const { viewer, live } = context;
  const { kind, ...event } = plan.event;
  const insteadOf = decisionEvents.some((decision) => decision === kind) ? absent : null;
  const at = instantText(now);
  const version = row.version + 1;
  const isNewWait = startsNewWait(plan.event);
  const { audit, message } = auditAndMessage(context, {
    taskId: row.id,
    ownerId: row.ownerId,
    sprintId: plan.sprintId ?? row.sprintId,
    version,
    event: kind,
    approverIds: approversAndNextInLine(owner),
    before: { status: event.from, ...event.before },
    after: { status: event.to, ...event.after, ...(insteadOf && { forId: insteadOf.id }) },
  });
  const written = await store.writeChange(
    queries,
    {
      changes: plan.changes,
      at,
      statusAt: plan.statusAt ?? (isNewWait ? at : row.statusAt),
      sprintId: plan.sprintId,
    },
    {
      ...event,
      event: kind,
      taskId: row.id,
      sprintId: row.sprintId,
      at,
      version,
      actorId: viewer.id,
      actorName: displayName(viewer),
      forId: insteadOf?.id ?? null,
      waited: isNewWait ? secondsBetween(row.statusAt, now) : 0,
      correction: task.phase === 'settled',
    },
    {
      notices: taskHook.handlers().taskChanged(context, row, now, { ...plan, insteadOf: insteadOf?.name ?? null }),
      audit: (changed) => insertAudit(context, audit, changed),
      notify: live.notification('taskChanged', message),
    },
  );
  // The row has been locked since it was read: only code that skips the lock can cause this.
  if (!written) throw new Error(`task ${row.id} changed while it was locked`);
}

function secondsBetween(start: string, end: Temporal.Instant): number {
  return Math.max(0, Math.round((end.epochMilliseconds - Temporal.Instant.from(start).epochMilliseconds) / 1000));
}

type ChangeEvent = {
  readonly taskId: string;
  readonly ownerId: string;
  readonly sprintId: string;
  readonly version: number;
  readonly event: TaskEventKind;
  readonly approverIds: readonly string[];
  readonly before: Record<string, unknown>;
  readonly after: Record<string, unknown>;
};

/** Such as `taskApproved`. */
const auditAction = (event: TaskEventKind): string => `task${event.charAt(0).toUpperCase()}${event.slice(1)}`;

/** The audit entry of a change, and the message to the other servers. */
function auditAndMessage(
  { viewer }: RequestContext,
  { ownerId, before, after, ...change }: ChangeEvent,
): { readonly audit: AuditEntry; readonly message: TaskChange } {
  return {
    audit: { action: auditAction(change.event), subjectType: 'task', subjectId: change.taskId, before, after },
    message: { ...change, userId: ownerId, actorId: viewer.id },
  };
}

/** Writes the audit entry of a new task and tells all servers, in the transaction that created it. */
export async function publishNewTask(context: RequestContext, queries: Queries, change: ChangeEvent): Promise<void> {
  const { audit, message } = auditAndMessage(context, change);
  await recordAudit(queries, context, audit);
  await context.live.publish(queries, 'taskChanged', message);
}

/** Asks about a task without changing it. */
export function inspectTask<Result>(
  context: RequestContext,
  taskId: string,
  ask: (locked: LockedTask) => Result,
): Promise<Result | Refusal> {
  return inTaskTransaction(context, async (queries) => {
    const row = await store.lockTask(queries, taskId);
    return row ? ask(await lockedTask(context, queries, row)) : refuse('NOT_FOUND');
  });
}

/** A plan for notes and files: only the task's history and version change. */
export function annotation(
  { status }: Task,
  kind: TaskEventKind,
  before: TaskChanges = {},
  after: TaskChanges = {},
): TaskPlan {
  return { kind: 'plan', changes: {}, event: { kind, from: status, to: status, change: null, before, after } };
}

/** The fields that changed after the caller's version, for a conflict's answer (D25). */
export async function changedSince(
  queries: Queries,
  { id, task }: LockedTask,
  version: number | undefined,
): Promise<string[]> {
  if (version === undefined || version >= task.version) return [];
  const changed = new Set<string>();
  for (const { event, movedStatus, after } of await store.eventsSince(queries, id, version)) {
    for (const field of contentFields) if (after[field] !== undefined) changed.add(field);
    if (movedStatus) changed.add('status');
    const otherField = otherFields[event];
    if (otherField) changed.add(otherField);
  }
  return [...changed];
}

const otherFields: Readonly<Partial<Record<TaskEventKind, string>>> = {
  noteAdded: 'notes',
  noteEdited: 'notes',
  noteRemoved: 'notes',
  noteRestored: 'notes',
  fileAdded: 'attachments',
  fileRemoved: 'attachments',
  fileRestored: 'attachments',
  carriedOver: 'sprintId',
  carryOverUndone: 'sprintId',
  movedToSprint: 'sprintId',
  sprintMoveUndone: 'sprintId',
  leftUndone: 'leftUndone',
  reopened: 'leftUndone',
  repeatSet: 'repeats',
  repeatStopped: 'repeats',
  withdrawn: 'withdrawn',
  restored: 'withdrawn',
};

/** How long a change waits for its sprint's record, without a database connection. */
const longestWaitMs = 10_000;
/** Another server may be recording. */
const pauseMs = 100;
const recording = refuse('UNAVAILABLE', 'The sprint is being updated. Try again in a moment');

/** A transaction on tasks. If a sprint wasn't ready, it is updated and the transaction runs again. */
export async function inTaskTransaction<Result>(
  context: RequestContext,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  const until = performance.now() + longestWaitMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.database.transaction(work);
    } catch (error) {
      if (!(error instanceof SprintNotReady)) throw error;
    }
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw new RefusalError(recording, { retryAfter: longestWaitMs / 1_000 });
    if (attempt > 1) await sleep(pauseMs);
    await Promise.race([keepSprints(context), sleep(leftMs, undefined, { ref: false })]);
  }
}

/** Locks the sprint until the transaction ends. Throws unless it allows the act. Returns the time of that. */
export async function assertSprintAllows(
  { clock, settings }: RequestContext,
  queries: Queries,
  sprintId: string,
  act: SprintAct,
): Promise<Temporal.Instant> {
  const sprint = await store.lockSprint(queries, instantText(clock.now()), sprintId);
  // Read after locking: while it waited, the sprint may have settled.
  const now = clock.now();
  if (!sprint) throw new RefusalError(refuse('NOT_FOUND', 'Sprint not found', { field: 'sprintId' }));
  const { settlingHours } = settings();
  if (isRecordDue(sprint, now, settlingHours)) throw new SprintNotReady();
  const refusal = sprintRefusal(phaseOf(sprint, now, settlingHours), act);
  if (refusal) throw new RefusalError(refusal);
  return now;
}
