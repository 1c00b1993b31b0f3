// What tasks report to the areas above them, in the change's transaction.
import type { SQL } from 'drizzle-orm';
import type { Task, TaskOwner, TaskPlan } from '#core/tasks/task.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { createHook } from '#server/platform/hook.ts';

/** The task as it was before the change. */
export type TaskBefore = {
  readonly id: string;
  readonly ownerId: string;
  readonly title: string;
  readonly version: number;
};

export type WrittenNote = {
  readonly id: string;
  readonly taskId: string;
  readonly text: string;
  readonly task: Task;
  readonly owner: TaskOwner;
  readonly now: Temporal.Instant;
};

export const taskHook = createHook<{
  /** Returns a part of the changing statement, or undefined. The part only writes for rows of `changed`. */
  taskChanged(
    context: RequestContext,
    before: TaskBefore,
    at: Temporal.Instant,
    change: Pick<TaskPlan, 'event'>,
  ): ((changed: SQL) => SQL) | undefined;
  /** A note was added or edited. */
  noteWritten(context: RequestContext, queries: Queries, note: WrittenNote): Promise<void>;
  noteRemoved(context: RequestContext, queries: Queries, noteId: string): Promise<void>;
  /** The result of the sprint was recorded. */
  sprintSettled(queries: Queries, sprintId: string, resultAt: string): Promise<void>;
}>('taskHook');
