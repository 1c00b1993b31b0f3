import type { Viewer } from '#core/access/access.ts';
import type { SprintPhase } from '#core/tasks/sprint.ts';
import { type TaskActions, taskActions } from '#core/tasks/task.ts';
import { useViewer } from '#web/api/viewer.ts';
import type { MyWeek, WeekTask } from './my-week-queries.ts';

/** Every sprint before the previous one is settled. */
function phaseOf({ sprintId }: WeekTask, { sprint, previousSprint }: MyWeek): SprintPhase {
  const known = [sprint, previousSprint].find((each) => each?.id === sprintId);
  return (known?.phase ?? 'settled') as SprintPhase;
}

/** What its owner can do with a task of the week or of a sprint before it. */
export function useOwnActions(task: WeekTask, week: MyWeek): TaskActions {
  return ownActions(useViewer(), task, week);
}

export function ownActions(viewer: Viewer, task: WeekTask, week: MyWeek): TaskActions {
  // No rule about moving or carrying over reads the summary.
  const known = { ...task, ownerId: task.userId, summary: '', phase: phaseOf(task, week) };
  return taskActions(viewer, known, { id: task.userId, approverIds: task.ownerApproverIds });
}
