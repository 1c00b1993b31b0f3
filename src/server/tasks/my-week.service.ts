// The caller's week: its tasks, and unfinished ones of earlier weeks (D39).
import { statusRule, taskStatusKeys } from '#core/tasks/task-status.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { instantText } from '#server/platform/instant-text.ts';
import type { SprintWeek } from './sprints/sprint-week.ts';
import { type ListedSprint, listSprints } from './sprints/sprints.service.ts';
import type { TaskPart, TaskRow } from './task-columns.ts';
import { tasksOfWeek } from './tasks.store.ts';
import { isOwnVisible } from './visible-tasks.ts';

export type MyWeek = {
  readonly sprint: ListedSprint;
  readonly previousSprint: ListedSprint | null;
  readonly tasks: readonly TaskRow[];
  readonly openAtClose: readonly TaskRow[];
};

/** Half a year: older unfinished tasks aren't shown anymore. */
const weeksAskedAbout = 26;
const openStatuses = taskStatusKeys.filter((status) => statusRule(status).open);

export async function myWeek(context: RequestContext, parts: readonly TaskPart[]): Promise<MyWeek> {
  const sprints = await listSprints(context, {});
  const current = sprints.findIndex(({ phase }) => phase === 'active');
  const sprint = sprints[current];
  if (!sprint) throw new Error('no sprint lies at the present time');
  const tasks = await ownTasksOfWeek(context, sprint, parts);
  return {
    sprint,
    previousSprint: sprints[current - 1] ?? null,
    tasks: tasks.filter(({ sprintId }) => sprintId === sprint.id),
    openAtClose: tasks.filter(({ sprintId }) => sprintId !== sprint.id),
  };
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
