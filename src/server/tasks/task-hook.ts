// What tasks report to the areas above them, in the change's transaction.
import type { SQL } from 'drizzle-orm';
import type { WorkCalendar } from '#core/base/working-hours.ts';
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

export type NewTask = {
  readonly id: string;
  readonly ownerId: string;
  readonly title: string;
  readonly now: Temporal.Instant;
};

export type WrittenNote = {
  readonly id: string;
  /** The text before an edit; null if the note was added. */
  readonly before: string | null;
  readonly taskId: string;
  readonly text: string;
  readonly task: Task;
  readonly owner: TaskOwner;
  readonly now: Temporal.Instant;
};

export type TypedNote = Pick<WrittenNote, 'before' | 'text' | 'owner'>;

export type ClosedWeek = {
  readonly sprintId: string;
  readonly sprintName: string;
  readonly displayName: string;
  readonly learned: string;
  readonly owner: TaskOwner;
  readonly now: Temporal.Instant;
};

export type RemovedNote = Pick<WrittenNote, 'id' | 'taskId'> & { readonly authorId: string | null };
export type RestoredNote = RemovedNote & Pick<WrittenNote, 'text'> & { readonly authorName: string };

export const taskHook = createHook<{
  /**
   * `insteadOf`: the name of the absent approver that a delegate decided for. Returns parts of the changing
   * statement, which only write for rows of `changed`.
   */
  taskChanged(
    context: RequestContext,
    before: TaskBefore,
    at: Temporal.Instant,
    change: Pick<TaskPlan, 'event' | 'undoes'> & { readonly insteadOf: string | null },
  ): readonly ((changed: SQL) => SQL)[];
  taskCreated(context: RequestContext, queries: Queries, task: NewTask): Promise<void>;
  /** Returns the text with each mention under its person's name. `before`: the text before an edit. */
  nameMentions(context: RequestContext, queries: Queries, note: TypedNote): Promise<string>;
  /** A note was added or edited. */
  noteWritten(context: RequestContext, queries: Queries, note: WrittenNote): Promise<void>;
  noteRemoved(context: RequestContext, queries: Queries, note: RemovedNote): Promise<void>;
  noteRestored(context: RequestContext, queries: Queries, note: RestoredNote): Promise<void>;
  /** The person closed the week for the first time. */
  weekClosed(context: RequestContext, queries: Queries, week: ClosedWeek): Promise<void>;
  recapEdited(context: RequestContext, queries: Queries, week: ClosedWeek): Promise<void>;
  /** The result of the sprint, as it was at `until`, was recorded. */
  sprintSettled(
    queries: Queries,
    sprint: WorkCalendar & { readonly sprintId: string; readonly until: string },
  ): Promise<void>;
}>('taskHook');
