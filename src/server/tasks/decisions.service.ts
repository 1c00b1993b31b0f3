// Approvers' decisions: made, undone, waiting and past (D15).
import { isAdmin } from '#core/access/access.ts';
import type { PageAfter } from '#core/base/inputs.ts';
import { limits } from '#core/base/limits.ts';
import { isRefusal, type RefusalCode } from '#core/base/refusals.ts';
import { searchParts } from '#core/base/search-words.ts';
import { decisionEvents, planDecide, planUndo, type TaskUpdate, undoSeconds } from '#core/tasks/task.ts';
import type { Decision, TaskStatus } from '#core/tasks/task-status.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { failureOf } from '#server/platform/graphql/failures.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { readCaller } from '#server/platform/viewer.ts';
import { changedSince, changeTask, type LockedTask, undoStep } from './change-task.ts';
import { handOverDue } from './hand-over.ts';
import { type LastStep, waitedSince } from './task-changes.store.ts';
import type { TaskPart, TaskRow } from './task-columns.ts';
import * as store from './tasks.store.ts';
import { decidesForOthers, isVisibleTo } from './visible-tasks.ts';

export type TaskDecision = Omit<TaskUpdate, 'status'> & { readonly taskId: string; readonly decision: Decision };
export type DecisionResult =
  | { readonly taskId: string; readonly ok: true; readonly task: TaskRow; readonly code: null; readonly message: null }
  | {
      readonly taskId: string;
      readonly ok: false;
      readonly task: null;
      readonly code: RefusalCode;
      readonly message: string;
    };

/** Each decision has its own transaction: one's failure doesn't affect the others. */
export async function decideTasks(
  context: RequestContext,
  decisions: readonly TaskDecision[],
  parts: readonly TaskPart[],
): Promise<DecisionResult[]> {
  const results: DecisionResult[] = [];
  for (const decision of decisions) {
    const last = results.at(-1);
    // Doesn't retry a lost or stuck database for a hundred more tasks.
    results.push(
      last?.code === 'UNAVAILABLE' || last?.code === 'TOO_SLOW'
        ? { ...last, taskId: decision.taskId }
        : await decideTask(context, decision, parts),
    );
  }
  return results;
}

async function decideTask(
  context: RequestContext,
  { taskId, decision, ...update }: TaskDecision,
  parts: readonly TaskPart[],
): Promise<DecisionResult> {
  try {
    // Two hundred decisions take a while: they end with the rights or the session of who sent them.
    const viewer = await readCaller(context, context);
    const task = await changeTask(
      { ...context, viewer },
      taskId,
      async (locked, queries) => {
        const changed = await changedSince(queries, locked, update.version);
        return planDecide(locked.viewer, locked.task, locked.owner, decision, update, changed);
      },
      parts,
    );
    return { taskId, ok: true, task, code: null, message: null };
  } catch (error) {
    const { refusal, statusCode } = failureOf(error);
    if (statusCode >= 500) context.log.error({ err: error, taskId, requestId: context.requestId }, 'a decision failed');
    return { taskId, ok: false, task: null, code: refusal.code, message: refusal.message };
  }
}

/**
 * Undoes the caller's decisions on these tasks, all or none, if nobody changed the tasks since. Their waiting
 * time continues as if never interrupted.
 */
export function undoDecisions(
  context: RequestContext,
  taskIds: readonly string[],
  parts?: readonly TaskPart[],
): Promise<TaskRow[]> {
  const planOf = ({ viewer, task, owner, now }: LockedTask, last: LastStep | null) => {
    const plan = planUndo(viewer, task, owner, last, now);
    return isRefusal(plan) || last === null ? plan : { ...plan, statusAt: waitedSince(last) };
  };
  return undoStep(context, taskIds, planOf, parts);
}

const deciderOf = (context: RequestContext) => ({
  ...context.viewer,
  alsoUnapproved: isAdmin(context.viewer),
  due: handOverDue(context),
});

/**
 * What waits for the caller's decision, later sprints last, oldest first. Admins also see
 * tasks of people without an approver.
 */
export async function inbox(
  context: RequestContext,
  { limit = limits.page, ...page }: store.Page & { readonly taskId?: string | undefined },
  parts: readonly TaskPart[],
): Promise<TaskRow[]> {
  const { database, budget, clock } = context;
  const at = instantText(clock.now());
  const decider = deciderOf(context);
  return budget.read((allowance) =>
    store.findAwaiting(database.drizzle, decider, { limit, at, ...page }, allowance, parts),
  );
}

export type InboxPage = { readonly tasks: readonly TaskRow[]; readonly next: string | null };

type InboxPageWish = Omit<store.InboxList, 'parts'> & {
  readonly find?: string | undefined;
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
};

/** A list's pages are all of the moment of its first one: what becomes overdue since then keeps its place. */
export async function inboxPage(
  context: RequestContext,
  { limit = limits.page, after, find = '', ...list }: InboxPageWish,
  parts: readonly TaskPart[],
): Promise<InboxPage> {
  const { database, budget, clock } = context;
  const [since = String(clock.now().epochMilliseconds), ...place] = after?.split('_') ?? [];
  const at = instantText(Temporal.Instant.fromEpochMilliseconds(Number(since)));
  const found = await store.findInboxPlaces(
    database.drizzle,
    deciderOf(context),
    { ...list, parts: searchParts(find) },
    { at, after: place, limit: limit + 1 },
  );
  const shown = found.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  const tasks = await budget.read((allowance) => store.awaitingInOrder(database.drizzle, ids, allowance, parts));
  const last = found.length > limit ? shown.at(-1) : undefined;
  return { tasks, next: last ? [since, ...last.place].join('_') : null };
}

const nothingWaits: store.InboxCounts = { waiting: 0, overdue: 0, later: 0 };

export type InboxOverview = {
  readonly people: number;
  readonly duePeople: number;
  readonly toApprove: store.InboxCounts;
  readonly toSignOff: store.InboxCounts;
};

/** What waits for the caller's decision, in numbers. */
export async function inboxOverview(context: RequestContext): Promise<InboxOverview> {
  const { database, clock } = context;
  const counts = await store.countInbox(database.drizzle, deciderOf(context), instantText(clock.now()));
  const countsOf = (status: TaskStatus | null) => counts.find((row) => row.status === status);
  return {
    people: countsOf(null)?.people ?? 0,
    duePeople: countsOf(null)?.duePeople ?? 0,
    toApprove: countsOf('INAPPROVAL') ?? nothingWaits,
    toSignOff: countsOf('INREVIEW') ?? nothingWaits,
  };
}

/** How many wait, by kind; none for people who decide no tasks. */
export async function inboxCount(context: RequestContext): Promise<{ toApprove: number; toSignOff: number }> {
  const { viewer, database } = context;
  if (!decidesForOthers(viewer)) return { toApprove: 0, toSignOff: 0 };
  const { INAPPROVAL = 0, INREVIEW = 0 } = await store.countAwaiting(database.drizzle, deciderOf(context));
  return { toApprove: INAPPROVAL, toSignOff: INREVIEW };
}

export type DecidedTask = {
  readonly entry: store.HistoryRow;
  readonly task: TaskRow;
  readonly undoUntil: string | null;
};

/** The caller's decisions, newest first. `undoUntil` is set while the decision can be undone. */
export async function decided(
  context: RequestContext,
  { limit = limits.page, after }: PageAfter,
  parts: readonly TaskPart[],
): Promise<DecidedTask[]> {
  const { viewer, database, clock, budget } = context;
  const now = clock.now();
  const decisions = { actorId: viewer.id, events: decisionEvents };
  const visible = isVisibleTo(viewer, handOverDue(context));
  const rows = await budget.read((allowance) =>
    store.findDecided(database.drizzle, visible, { ...decisions, limit, after }, allowance, parts),
  );
  return rows.map(({ entry, task }) => {
    const until = Temporal.Instant.from(entry.at).add({ seconds: undoSeconds });
    const isOpen = entry.isLast && Temporal.Instant.compare(now, until) <= 0;
    return {
      entry: { ...entry, at: instantText(Temporal.Instant.from(entry.at)) },
      task,
      undoUntil: isOpen ? instantText(until) : null,
    };
  });
}
