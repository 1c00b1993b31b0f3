// Which statuses stand in which column, and what an empty one says.
import { noTasks, type StatusCounts, statusRule, type TaskStatus, taskStatusKeys } from '#core/tasks/task-status.ts';
import type { BoardTask } from '../shared/queries.ts';

/**
 * The columns from left to right. A status that an update leads out of stands under the one that it leads to:
 * denied tasks under those that await approval.
 */
export const boardColumns: readonly (readonly [TaskStatus, ...TaskStatus[]])[] = taskStatusKeys
  .filter((status) => statusRule(status).update === undefined)
  .map((status) => [status, ...taskStatusKeys.filter((below) => statusRule(below).update === status)]);

/** What an empty column says; null: it is left out. */
export const emptyTexts: Record<TaskStatus, string | null> = {
  INAPPROVAL: 'Nothing awaits approval',
  DENIED: null,
  TODO: 'Approved tasks start here',
  INPROGRESS: 'Nothing is in progress',
  INREVIEW: 'Nothing is completed yet',
  DONE: 'Nothing is signed off yet',
};

export function countsOf(tasks: readonly BoardTask[]): StatusCounts {
  const counts: Record<TaskStatus, number> = { ...noTasks };
  for (const { status } of tasks) counts[status] += 1;
  return counts;
}

/** The order in which they were written, so that a card stays where it is while its neighbours move. */
export function inOrder(tasks: readonly BoardTask[]): BoardTask[] {
  return tasks.toSorted((a, b) => a.created.localeCompare(b.created) || Number(a.id) - Number(b.id));
}

const fromLeft = boardColumns.flat();

/** Where a status stands on the board, for lists that follow it. */
export function statusOrder(status: TaskStatus): number {
  return fromLeft.indexOf(status);
}
