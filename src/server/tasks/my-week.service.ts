// The caller's week: its tasks in the order the caller gave them, and unfinished ones of earlier weeks (D39).
import { orderRefusal } from '#core/tasks/task-order.ts';
import { statusRule, taskStatusKeys } from '#core/tasks/task-status.ts';
import { signedInBefore } from '#server/access/auth/account-events.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { once } from '#server/platform/once.ts';
import { assertSprintAllows, inTaskTransaction } from './change-task.ts';
import type { SprintWeek } from './sprints/sprint-week.ts';
import { type ListedSprint, listSprints } from './sprints/sprints.service.ts';
import type { TaskPart, TaskRow } from './task-columns.ts';
import { readTaskIds, readTaskOrder, saveTaskOrder } from './task-orders.store.ts';
import { readFirstTasks, tasksOfWeek } from './tasks.store.ts';
import { isOwnVisible } from './visible-tasks.ts';

export type MyWeek = {
  readonly sprint: ListedSprint;
  readonly previousSprint: ListedSprint | null;
  /** The tasks of this week, and the unfinished ones of earlier weeks: read once something asks for them. */
  readonly own: () => Promise<readonly TaskRow[]>;
  /** The ids of this week's tasks, as the caller ordered them. */
  readonly order: () => Promise<readonly string[]>;
  readonly firstWeek: () => Promise<FirstWeek | null>;
};

/** `hasTask`: wrote a task, which nobody has approved yet. */
export type FirstWeek = { readonly hasTask: boolean };

/** Half a year: older unfinished tasks aren't shown anymore. */
const weeksAskedAbout = 26;
const openStatuses = taskStatusKeys.filter((status) => statusRule(status).open);
const approvedStatuses = taskStatusKeys.filter((status) => statusRule(status).approved);

export async function myWeek(context: RequestContext, parts: readonly TaskPart[]): Promise<MyWeek> {
  const sprints = await listSprints(context, {});
  const current = sprints.findIndex(({ phase }) => phase === 'active');
  const sprint = sprints[current];
  if (!sprint) throw new Error('there is no current sprint');
  const previousSprint = sprints[current - 1] ?? null;
  const own = once(() => ownTasksOfWeek(context, sprint, parts));
  // Someone can join in the last hours of a sprint, so the next one counts too.
  const since = (previousSprint ?? sprint).startAt;
  return {
    ...{ sprint, previousSprint, own },
    order: () => readTaskOrder(context.database.drizzle, { ownerId: context.viewer.id, sprintId: sprint.id }),
    firstWeek: async () => firstWeekOf(context, await own(), since),
  };
}

/**
 * Null once a task was approved or its sprint ended, and for people without a task who signed in before
 * `since`. Most people have an approved task in their week, which answers it without another statement.
 */
async function firstWeekOf(
  { viewer, database: { drizzle }, clock }: RequestContext,
  own: readonly TaskRow[],
  since: string,
): Promise<FirstWeek | null> {
  if (!isOwnVisible(viewer) || own.some(({ status }) => statusRule(status).approved)) return null;
  const { hasTask, isPast } = await readFirstTasks(drizzle, viewer.id, approvedStatuses, instantText(clock.now()));
  if (isPast || (!hasTask && (await signedInBefore(drizzle, viewer.id, since)))) return null;
  return { hasTask };
}

/** Both lists in one statement. */
async function ownTasksOfWeek(
  context: RequestContext,
  { id: sprintId }: SprintWeek,
  parts: readonly TaskPart[],
): Promise<TaskRow[]> {
  const { viewer, database, clock, budget } = context;
  if (!isOwnVisible(viewer)) return [];
  const now = instantText(clock.now());
  const week = { ownerId: viewer.id, sprintId, open: openStatuses, now, weeks: weeksAskedAbout };
  return budget.read((allowance) => tasksOfWeek(database.drizzle, week, allowance, parts));
}

type Order = { readonly sprintId: string; readonly taskIds: readonly string[] };

/** Only an arrangement: it writes nothing to the tasks, their versions or their history. */
export function orderTasks(context: RequestContext, { sprintId, taskIds }: Order): Promise<readonly string[]> {
  const week = { ownerId: context.viewer.id, sprintId };
  return inTaskTransaction(context, async (queries) => {
    await assertSprintAllows(context, queries, sprintId, 'order');
    const refusal = orderRefusal(await readTaskIds(queries, week), taskIds);
    if (refusal) throw new RefusalError(refusal);
    // A signal that reaches only the person's own pages: nobody else sees the order.
    if (await saveTaskOrder(queries, week, taskIds))
      await context.live.publish(queries, 'noticesChanged', { personIds: [week.ownerId] });
    return taskIds;
  });
}
