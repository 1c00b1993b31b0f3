// The commitment at a sprint's start and the result at the end of settling, recorded once and then immutable
// (D39).
//
// Both are computed from the current tasks, not from the history, and are exact whenever they run. A change
// of a task locks its sprint's row against a recording (`for key share`) and then reads the clock. It is
// refused with SprintNotReady while something of that sprint must still be recorded. So nothing changes
// between a record's instant and its writing, on any server.

import { refuse } from '#core/base/refusals.ts';
import { settledAt } from '#core/tasks/sprint.ts';
import { canSeeTasksOf } from '#core/tasks/task.ts';
import { completionPercentage, noTasks, type StatusCounts } from '#core/tasks/task-status.ts';
import { ownerOf } from '#server/people/people.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Database } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { taskHook } from '../task-hook.ts';
import * as store from './sprint-records.store.ts';
import { isCommitmentDue, isResultDue, spanOf } from './sprint-week.ts';
import { sprintOrCurrent } from './sprints.service.ts';

/** Records the tasks approved at the start, per person. Does nothing if that is done, or not due. */
export async function recordCommitments(
  database: Database,
  sprintId: string,
  now: Temporal.Instant,
  settlingHours: number,
): Promise<void> {
  await database.transaction(async (queries) => {
    const sprint = await store.lockForRecord(queries, sprintId);
    if (sprint && isCommitmentDue(sprint, now, settlingHours)) await store.insertCommitments(queries, sprintId);
  });
}

/**
 * Records the counts and the bonus per person at the end of settling. Does nothing if that is done, or not
 * due.
 */
export async function recordResults(
  database: Database,
  sprintId: string,
  now: Temporal.Instant,
  settlingHours: number,
): Promise<void> {
  await database.transaction(async (queries) => {
    const sprint = await store.lockForRecord(queries, sprintId);
    if (!sprint || !isResultDue(sprint, now, settlingHours)) return;
    const resultAt = instantText(settledAt(spanOf(sprint), settlingHours));
    await store.insertResults(queries, sprintId, resultAt);
    await taskHook.handlers().sprintSettled(queries, sprintId, resultAt);
  });
}

/** Records whatever is due, oldest sprint first. Several servers can call it at once. */
export async function recordDueSprints(
  database: Database,
  now: Temporal.Instant,
  settlingHours: number,
): Promise<void> {
  for (const sprint of await store.unrecordedSprints(database.drizzle, instantText(now))) {
    if (isResultDue(sprint, now, settlingHours)) await recordResults(database, sprint.id, now, settlingHours);
    if (isCommitmentDue(sprint, now, settlingHours)) await recordCommitments(database, sprint.id, now, settlingHours);
  }
}

export type SprintResult = {
  readonly committed: number | null;
  readonly counts: StatusCounts;
  readonly completionPercentage: number | null;
  readonly carriedOut: number;
  readonly corrections: number;
};

/**
 * A person's result in a sprint, the caller's by default: recorded once it's settled, until then from the
 * current tasks.
 */
export async function sprintResult(
  context: RequestContext,
  sprintId: string,
  userId: string = context.viewer.id,
): Promise<SprintResult> {
  const { database, viewer } = context;
  const owner = await ownerOf(database.drizzle, userId);
  if (!owner || !canSeeTasksOf(viewer, owner)) throw new RefusalError(refuse('NOT_FOUND'));
  await recordDueSprints(database, context.clock.now(), context.settings().settlingHours);
  const sprint = await sprintOrCurrent(context, sprintId);
  const row = await store.recordedResult(database.drizzle, sprintId, userId);
  const { counts, carriedOut } =
    sprint.resultAt === null ? await store.liveResult(database.drizzle, sprintId, userId) : row;
  return {
    committed: row.committed,
    counts: counts ?? noTasks,
    completionPercentage: completionPercentage(counts ?? noTasks),
    carriedOut: carriedOut ?? 0,
    corrections: row.corrections,
  };
}
