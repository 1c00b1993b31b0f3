// What happens beside the content and the status of a task, as a plan: the history and the version tell it, nothing else moves.
import type { Task, TaskChanges, TaskEventKind, TaskPlan } from '#core/tasks/task.ts';

export function annotation(
  { status }: Task,
  kind: TaskEventKind,
  before: TaskChanges = {},
  after: TaskChanges = {},
): TaskPlan {
  return { kind: 'plan', changes: {}, event: { kind, from: status, to: status, change: null, before, after } };
}
