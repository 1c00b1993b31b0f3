// The board's columns with their statuses and empty texts.
import { noTasks, type StatusCounts, statusRule, type TaskStatus, taskStatusKeys } from '#core/tasks/task-status.ts';
import type { BoardTask } from '../shared/queries.ts';

/**
 * The columns from left to right. A status that an edit leads out of is below its target: denied tasks below
 * those awaiting approval.
 */
export const boardColumns: readonly (readonly [TaskStatus, ...TaskStatus[]])[] = taskStatusKeys
  .filter((status) => statusRule(status).update === undefined)
  .map((status) => [status, ...taskStatusKeys.filter((below) => statusRule(below).update === status)]);

/** An empty column's text; null hides the column. */
export const emptyTexts: Record<TaskStatus, string | null> = {
  INAPPROVAL: 'Nothing is awaiting approval',
  DENIED: null,
  TODO: 'Approved tasks start here',
  INPROGRESS: 'Nothing is in progress',
  INREVIEW: 'Nothing is completed',
  DONE: 'Nothing is signed off',
};

export function countsOf(tasks: readonly BoardTask[]): StatusCounts {
  const counts: Record<TaskStatus, number> = { ...noTasks };
  for (const { status } of tasks) counts[status] += 1;
  return counts;
}

/** In order of creation, so a card stays in place while its neighbors move. */
export function inOrder(tasks: readonly BoardTask[]): BoardTask[] {
  return tasks.toSorted((a, b) => a.created.localeCompare(b.created) || Number(a.id) - Number(b.id));
}

const fromLeft = boardColumns.flat();

/** A status's position on the board, for lists in the same order. */
export function statusOrder(status: TaskStatus): number {
  return fromLeft.indexOf(status);
}
