// The commitment at a sprint's start and the result at the end of settling, recorded once and then immutable
// (D39).
//
// Both are computed from the current tasks, not from the history, and are exact whenever they run. A change
// of a task locks its sprint's row against a recording (`for key share`) and then reads the clock. It is
// refused with SprintNotReady while something of that sprint must still be recorded, or is being recorded. So
// nothing changes between a record's instant and its writing, on any server.
//
// Recording a large company's week takes seconds, so only the background does it. Reads show the current
// tasks until the record exists, and never wait for it.

import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '#core/base/refusals.ts';
import { settledAt } from '#core/tasks/sprint.ts';
import { canSeeTasksOf } from '#core/tasks/task.ts';
import { completionPercentage, noTasks, type StatusCounts } from '#core/tasks/task-status.ts';
import { ownerOf } from '#server/people/people.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { readSettings, settingsOf, workCalendar } from '#server/platform/settings/settings.service.ts';
import { taskHook } from '../task-hook.ts';
import * as store from './sprint-records.store.ts';
import { isCommitmentDue, isResultDue, spanOf } from './sprint-week.ts';
import { sprintOrCurrent } from './sprints.service.ts';
import type { SprintRow } from './sprints.store.ts';

type Recording = Pick<Services, 'database' | 'clock' | 'config' | 'settings'>;
type Due = { readonly now: Temporal.Instant; readonly settlingHours: number };

/** Records the tasks approved at the start, per person. Does nothing if that is done, or not due. */
async function recordCommitments({ database }: Recording, sprintId: string, due: Due): Promise<void> {
  await recordAlone(database, sprintId, async (queries, sprint) => {
    if (isCommitmentDue(sprint, due.now, due.settlingHours)) await store.insertCommitments(queries, sprintId);
  });
}

/**
 * Records the counts and the bonus per person at the end of settling. Does nothing if that is done, or not
 * due.
 */
async function recordResults(
  { database, ...context }: Recording,
  sprintId: string,
  { now, settlingHours }: Due,
): Promise<void> {
  await recordAlone(database, sprintId, async (queries, sprint) => {
    if (!isResultDue(sprint, now, settlingHours)) return;
    const resultAt = instantText(settledAt(spanOf(sprint), settlingHours));
    await store.insertResults(queries, sprintId, resultAt);
    await taskHook.handlers().sprintSettled(queries, { sprintId, until: resultAt, ...workCalendar(context) });
  });
}

const longestWaitMs = 10_000;
const pauseMs = 200;

/**
 * Waits while another server records the sprint: changes would ask for its row over and over, and keep that
 * server from it.
 */
async function recordAlone(
  database: Database,
  sprintId: string,
  record: (queries: Queries, sprint: SprintRow) => Promise<void>,
): Promise<void> {
  const work = async (queries: Queries) => {
    const sprint = await store.lockForRecord(queries, sprintId);
    if (sprint) await record(queries, sprint);
    return sprint !== null;
  };
  for (let waitedMs = 0; !(await database.transaction(work, { isLong: true })); waitedMs += pauseMs) {
    if (waitedMs >= longestWaitMs) return;
    await sleep(pauseMs);
  }
}

/**
 * Records whatever is due: the commitment first, because the running sprint's changes wait for it, then the
 * results, oldest sprint first. Several servers can call it at once.
 */
export async function recordDueSprints(context: Recording): Promise<void> {
  // Results are final: not by hours that this server missed a change of.
  const { settlingHours } = settingsOf(await readSettings(context.database.drizzle));
  const due = { now: context.clock.now(), settlingHours };
  const unrecorded = await store.unrecordedSprints(context.database.drizzle, instantText(due.now));
  for (const sprint of unrecorded)
    if (isCommitmentDue(sprint, due.now, due.settlingHours)) await recordCommitments(context, sprint.id, due);
  for (const sprint of unrecorded)
    if (isResultDue(sprint, due.now, due.settlingHours)) await recordResults(context, sprint.id, due);
}

export type SprintResult = {
  readonly sprintId: string;
  readonly startAt: string;
  readonly userId: string;
  readonly committed: number | null;
  readonly counts: StatusCounts;
  readonly completionPercentage: number | null;
  readonly carriedOut: number;
  readonly corrections: number;
  /** After the corrections. */
  readonly completionPercentageNow: number | null;
};

export const carriedTasks = (
  { database }: RequestContext,
  { sprintId, userId }: SprintResult,
): Promise<store.CarriedTasks[]> => store.carriedTasks(database.drizzle, sprintId, userId);

/** A person's result, the caller's by default: the recorded one, until then from the current tasks. */
export async function sprintResult(
  context: RequestContext,
  sprintId: string,
  userId: string = context.viewer.id,
): Promise<SprintResult> {
  const { database, viewer } = context;
  const owner = await ownerOf(database.drizzle, userId);
  if (!owner || !canSeeTasksOf(viewer, owner)) throw new RefusalError(refuse('NOT_FOUND'));
  const sprint = await sprintOrCurrent(context, sprintId);
  const row = await store.recordedResult(database.drizzle, sprintId, userId);
  const isRecorded = sprint.resultAt !== null;
  const live = isRecorded && row.corrections === 0 ? row : await store.liveResult(database.drizzle, sprintId, userId);
  const { counts, carriedOut } = isRecorded ? row : live;
  return {
    sprintId,
    startAt: sprint.startAt,
    userId,
    committed: row.committed,
    counts: counts ?? noTasks,
    completionPercentage: completionPercentage(counts ?? noTasks),
    carriedOut: carriedOut ?? 0,
    corrections: row.corrections,
    completionPercentageNow: completionPercentage(live.counts ?? noTasks),
  };
}
