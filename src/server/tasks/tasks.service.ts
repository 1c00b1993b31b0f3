// Tasks: reading them, creating them, and their owner's and approver's actions. The core decides what is
// allowed.
import { defaultCategory } from '#core/access/brands.ts';
import { isHalfUsed, limits, taskLimits } from '#core/base/limits.ts';
import { isRefusal, type Refusal, refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import type { Repeat } from '#core/tasks/repeat.ts';
import {
  changesSprint,
  createRefusal,
  hourlyLimits,
  interruptsWait,
  planCarryOver,
  planLeaveUndone,
  planMoveToSprint,
  planRepeat,
  planUndoStep,
  planUpdate,
  planWithdraw,
  restoredTwice,
  returnRefusal,
  sprintFullRefusal,
  type TaskUpdate,
  tasksOfHourRefusal,
} from '#core/tasks/task.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import { assertOwnChanges, assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { type Owner, ownerOf } from '#server/people/people.service.ts';
import { batchedRead } from '#server/platform/batched-read.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { instantText } from '#server/platform/instant-text.ts';
import {
  changedSince,
  changeTask,
  inTaskTransaction,
  type LockedTask,
  publishNewTask,
  readTask,
  undoStep,
} from './change-task.ts';
import { handOverDue } from './hand-over.ts';
import { countRepeating, lockCarriedOver, readAddedAgain, readPassedOn } from './repeats.store.ts';
import { isRecordDue, phaseOf, SprintNotReady } from './sprints/sprint-week.ts';
import {
  countForOthers,
  countInSprint,
  insertTask,
  type LastStep,
  type LockedSprint,
  lockSprint,
  waitedSince,
} from './task-changes.store.ts';
import type { TaskPart, TaskRow } from './task-columns.ts';
import { taskHook } from './task-hook.ts';
import { findTaskIds } from './task-search.ts';
import * as store from './tasks.store.ts';
import { isVisibleTo } from './visible-tasks.ts';

export type TaskQuery = store.Page & {
  readonly find?: string | undefined;
  readonly taskId?: string | undefined;
  readonly userId?: string | undefined;
  readonly sprintId?: string | undefined;
  readonly status?: readonly TaskStatus[] | undefined;
};

/**
 * Without a filter: all of the caller's own, newest first. One's own tasks have no page limit, others' do;
 * invisible ones are left out. `find` looks among everyone's, for the newest few.
 */
export async function listTasks(
  context: RequestContext,
  { userId, find, ...query }: TaskQuery,
  parts: readonly TaskPart[],
): Promise<TaskRow[]> {
  const { viewer } = context;
  const due = handOverDue(context);
  const ids = find === undefined ? undefined : await findTaskIds(context.database, viewer, due, find);
  if (ids?.length === 0) return [];
  const ownerId = userId ?? (query.taskId === undefined && ids === undefined ? viewer.id : undefined);
  const limit = query.limit ?? (ownerId === viewer.id ? undefined : limits.page);
  const filter = { ...query, ids, ownerId, limit };
  const { drizzle } = context.database;
  const visible = isVisibleTo(viewer, due);
  return context.budget.read((allowance) => store.findTasks(drizzle, visible, filter, allowance, parts));
}

/** The current state of a task the caller created earlier. */
async function readVisibleTask(context: RequestContext, queries: Queries, taskId: string): Promise<TaskRow> {
  const [row] = await context.budget.readWithoutWaiting((allowance) =>
    store.findTasks(queries, isVisibleTo(context.viewer), { taskId }, allowance),
  );
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return row;
}

/** The visible tasks of these people, by owner and then by sprint (spec 3: tasks grouped by sprint). */
export async function tasksBySprint(
  context: RequestContext,
  ownerIds: readonly string[],
): Promise<Map<string, Map<string, TaskRow[]>>> {
  const { drizzle } = context.database;
  const rows = await context.budget.read((allowance) =>
    store.tasksOfPeople(drizzle, isVisibleTo(context.viewer), ownerIds, allowance),
  );
  const byOwner = Map.groupBy(rows, ({ ownerId }) => ownerId);
  return new Map([...byOwner].map(([ownerId, tasks]) => [ownerId, Map.groupBy(tasks, ({ sprintId }) => sprintId)]));
}

/** The history of each task, oldest first. The caller has checked that they are visible. */
const historyByTask = batchedRead(async ({ database, budget }: RequestContext, taskIds) => {
  const lines = await budget.read((allowance) => store.historyOf(database.drizzle, taskIds, allowance));
  return Map.groupBy(lines, ({ taskId }) => taskId);
});

/** Oldest first. */
export async function historyOfTask(context: RequestContext, taskId: string): Promise<readonly store.HistoryRow[]> {
  return context.budget.handOut((await historyByTask(context, taskId)) ?? [], store.historyLineBytes);
}

export async function editsByTask(
  { database }: RequestContext,
  taskIds: readonly string[],
): Promise<Map<string, store.EditedSince>> {
  return new Map((await store.editsOf(database.drizzle, taskIds)).map(({ id, since }) => [id, since]));
}

/** Those of these tasks that a later sprint has again, because they repeated. */
export async function tasksAddedAgain(
  { database }: RequestContext,
  taskIds: readonly string[],
): Promise<Map<string, true>> {
  return new Map((await readAddedAgain(database.drizzle, taskIds)).map((id) => [id, true]));
}

export type NewTaskInput = {
  readonly title: string;
  readonly userId: string;
  readonly summary?: string | undefined;
  readonly category?: string | undefined;
  /** The current sprint by default (D18). */
  readonly sprintId?: string | undefined;
};

/** Creates a task that awaits approval, for oneself or for someone whose tasks one decides. */
export function createTask(context: RequestContext, input: NewTaskInput): Promise<TaskRow> {
  const call = callKey(context, 'createTask', input);
  return inTaskTransaction(context, async (queries) => {
    const before = await findReplay(queries, context, call);
    if (before !== null) return readVisibleTask(context, queries, before);
    const owner = await ownerOf(queries, input.userId);
    const now = context.clock.now();
    const sprint = await lockSprint(queries, instantText(now), input.sprintId);
    // No sprint was named, and the clock has reached a week that doesn't exist yet.
    if (sprint === null && input.sprintId === undefined) throw new SprintNotReady();
    const refusal = newTaskRefusal(context, owner, sprint, now);
    if (refusal) throw new RefusalError(refusal);
    await assertRoomInHour(context, queries, (owner as Owner).id, now);
    await assertRoomInSprint(context, queries, (owner as Owner).id, (sprint as LockedSprint).id);
    await assertOwnChanges(queries, context, 'taskCreated', hourlyLimits.created);
    const id = await writeNewTask(context, queries, input, owner as Owner, sprint as LockedSprint, now);
    await recordResult(queries, context, call, id);
    return readTask(context, queries, id);
  });
}

/** Throws if the caller created too many tasks for others. */
async function assertRoomInHour(context: RequestContext, queries: Queries, ownerId: string, now: Temporal.Instant) {
  const { viewer } = context;
  if (ownerId === viewer.id) return;
  const created = await countForOthers(queries, viewer.id, instantText(now.subtract({ hours: 1 })));
  const ofHour = tasksOfHourRefusal(created);
  if (ofHour) throw new RefusalError(ofHour);
}

/** Throws if the owner has too many tasks in the sprint for another one. */
async function assertRoomInSprint(
  context: RequestContext,
  queries: Queries,
  ownerId: string,
  sprintId: string,
  advice?: string,
): Promise<void> {
  const inSprint = await countInSprint(queries, ownerId, sprintId);
  const full = sprintFullRefusal(inSprint, advice);
  if (full) throw new RefusalError(full);
  if (isHalfUsed(inSprint, taskLimits.tasksInSprint)) await assertRecentProof(queries, context);
}

/** People who can't create tasks for this person learn nothing about sprints. */
function newTaskRefusal(
  { viewer, settings }: RequestContext,
  owner: Owner | null,
  sprint: LockedSprint | null,
  now: Temporal.Instant,
): Refusal | null {
  const { settlingHours } = settings();
  const phase = sprint ? phaseOf(sprint, now, settlingHours) : 'active';
  const refusal = createRefusal(viewer, owner ?? unknownOwner, phase);
  if (refusal) return refusal;
  if (sprint === null) return sprintNotFound;
  if (isRecordDue(sprint, now, settlingHours)) throw new SprintNotReady();
  return null;
}

const sprintNotFound = refuse('NOT_FOUND', 'Sprint not found', { field: 'sprintId' });

// No person has this id: creating a task for an unknown person is refused like for a stranger.
const unknownOwner = { id: '0', approverIds: [], keepsTasks: false, disabled: false };

async function writeNewTask(
  context: RequestContext,
  queries: Queries,
  input: NewTaskInput,
  owner: Owner,
  sprint: LockedSprint,
  now: Temporal.Instant,
): Promise<string> {
  const { viewer } = context;
  const at = instantText(now);
  const content = { title: input.title, summary: input.summary ?? '', category: input.category ?? defaultCategory };
  const status = 'INAPPROVAL' as const;
  const taskId = await insertTask(
    queries,
    { ...content, ownerId: owner.id, sprintId: sprint.id, status, createdBy: viewer.id, at },
    {
      ...{
        sprintId: sprint.id,
        at,
        actorId: viewer.id,
        actorName: displayName(viewer),
        event: 'created',
        from: status,
        to: status,
      },
      ...{ change: null, before: {}, after: content, version: 1, waited: 0, correction: false },
    },
  );
  await publishNewTask(context, queries, {
    taskId,
    ownerId: owner.id,
    sprintId: sprint.id,
    version: 1,
    event: 'created',
    approverIds: owner.approverIds,
    before: {},
    after: { ...content, status },
  });
  await taskHook.handlers().taskCreated(context, queries, { id: taskId, ownerId: owner.id, title: content.title, now });
  return taskId;
}

/** The owner's edits and moves, and the approver's decisions by their resulting status (D15, D17). */
export function updateTask(
  context: RequestContext,
  id: string,
  update: TaskUpdate,
  parts: readonly TaskPart[],
): Promise<TaskRow> {
  return changeTask(
    context,
    id,
    async (locked, queries) => {
      const changed = await changedSince(queries, locked, update.version);
      return planUpdate(locked.viewer, locked.task, locked.owner, update, changed);
    },
    parts,
  );
}

type Dropped = { readonly taskId: string; readonly reason?: string | undefined };

export function withdrawTask(context: RequestContext, { taskId, reason }: Dropped): Promise<TaskRow> {
  return changeTask(context, taskId, ({ viewer, task, owner }) => planWithdraw(viewer, task, owner, reason));
}

/**
 * Carries an unfinished task of a closed sprint over to the current one; the history entry belongs to the old
 * sprint (D39).
 */
export function carryOver(context: RequestContext, id: string): Promise<TaskRow> {
  return changeTask(context, id, async ({ viewer, task, owner, now }, queries) => {
    // Read after locking the task: what adds it to a sprint again locks it too.
    const addedAgain = (await readAddedAgain(queries, [id])).length > 0;
    const plan = planCarryOver(viewer, { ...task, addedAgain }, owner);
    if (isRefusal(plan)) return plan;
    const { id: sprintId } = await targetSprint(context, queries, now);
    await assertRoomInSprint(context, queries, owner.id, sprintId, 'Leave this task undone, or withdraw it');
    return { ...plan, sprintId };
  });
}

/** Moves a task that isn't approved to another sprint; the history entry belongs to the old one, as above. */
export function moveToSprint(context: RequestContext, { taskId, sprintId, version }: MovedToSprint): Promise<TaskRow> {
  return changeTask(context, taskId, async (locked, queries) => {
    const { viewer, task, owner, now } = locked;
    const sprint = await lockSprint(queries, instantText(now), sprintId);
    const { settlingHours } = context.settings();
    const to = {
      phase: sprint ? phaseOf(sprint, now, settlingHours) : 'active',
      isSame: locked.sprintId === sprintId,
    } as const;
    const plan = planMoveToSprint(viewer, task, owner, to, { version }, await changedSince(queries, locked, version));
    if (plan.kind !== 'plan') return plan;
    // People who can't move the task learn nothing about sprints.
    if (sprint === null) return sprintNotFound;
    if (isRecordDue(sprint, now, settlingHours)) throw new SprintNotReady();
    await assertRoomInSprint(context, queries, owner.id, sprintId);
    return { ...plan, sprintId };
  });
}

type MovedToSprint = {
  readonly taskId: string;
  readonly sprintId: string;
  readonly version?: number | undefined;
};

/** The current sprint or this one, locked, for a task that moves there; throws SprintNotReady. */
async function targetSprint(
  { settings }: RequestContext,
  queries: Queries,
  now: Temporal.Instant,
  id?: string,
): Promise<LockedSprint> {
  const sprint = await lockSprint(queries, instantText(now), id);
  if (!sprint || isRecordDue(sprint, now, settings().settlingHours)) throw new SprintNotReady();
  return sprint;
}

/** Lets an unfinished task of a closed sprint go. */
export function leaveUndone(context: RequestContext, { taskId, reason }: Dropped): Promise<TaskRow> {
  return changeTask(context, taskId, ({ viewer, task, owner }) => planLeaveUndone(viewer, task, owner, reason));
}

/** Sets in which sprints the task is added again, or stops that. */
export function repeatTask(
  context: RequestContext,
  { taskId, repeats }: { readonly taskId: string; readonly repeats?: Repeat | undefined },
): Promise<TaskRow> {
  return changeTask(context, taskId, async ({ viewer, task, owner }, queries) => {
    const passedOn = await readPassedOn(queries, taskId);
    const others = repeats ? await countRepeating(queries, owner.id) : 0;
    const plan = planRepeat(viewer, task, owner, repeats ?? null, { passedOn, others });
    // Its tasks come back when the session has ended.
    const needsProof = task.repeats === null && isHalfUsed(others, taskLimits.repeating);
    if (needsProof && !isRefusal(plan)) await assertRecentProof(queries, context);
    return plan;
  });
}

/** Undoes the caller's own last step: completion, withdrawal, leaving undone, or to another sprint. */
export function undoTaskSteps(
  context: RequestContext,
  taskIds: readonly string[],
  parts?: readonly TaskPart[],
): Promise<TaskRow[]> {
  const planOf = async ({ id, viewer, task, owner, now }: LockedTask, last: LastStep | null, queries: Queries) => {
    const plan = planUndoStep(viewer, task, owner, last, now);
    if (isRefusal(plan) || last === null) return plan;
    if (last.kind === 'withdrawn' && (await lockCarriedOver(queries, id))) return restoredTwice;
    // Without the time since the step: the approver couldn't decide then.
    const waits = interruptsWait(last.kind) ? { statusAt: waitedSince({ at: now, waited: last.waited }) } : {};
    if (!changesSprint(last.kind)) return { ...plan, ...waits };
    const left = await targetSprint(context, queries, now, last.sprintId);
    const phase = phaseOf(left, now, context.settings().settlingHours);
    return returnRefusal(last, { ...left, phase }) ?? { ...plan, ...waits, sprintId: left.id };
  };
  return undoStep(context, taskIds, planOf, parts);
}
