import { useQueryClient } from '@tanstack/react-query';
import type { Viewer } from '#core/access/access.ts';
import type { SprintPhase } from '#core/tasks/sprint.ts';
import { type TaskActions, taskActions } from '#core/tasks/task.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { shortened } from '../shared/mutations.ts';
import { allTasksKey } from '../shared/queries.ts';
import { complete, type MyWeek, myWeekQuery, type WeekTask } from './my-week-queries.ts';

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

export const letGoVerbs = { leaveUndone: 'Leave undone', withdraw: 'Withdraw' } as const;

/** How its owner lets an unfinished task go: an approved one is left undone, any other is withdrawn. */
export const letGo = ({ leaveUndone, withdraw }: TaskActions): keyof typeof letGoVerbs | null =>
  leaveUndone ? 'leaveUndone' : withdraw ? 'withdraw' : null;

/** Completes a task of an earlier sprint, which can't be undone. */
export function useFinish() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ task, status }: { task: WeekTask; status: WeekTask['status'] }) => complete(task, status),
    meta: { what: 'Completing the task' },
    onSuccess: async (_done, { task }) => {
      // It leaves the list immediately; the server's answer updates the rest.
      client.setQueryData(
        myWeekQuery.queryKey,
        (known) => known && { ...known, openAtClose: known.openAtClose.filter(({ id }) => id !== task.id) },
      );
      showToast({ message: `“${shortened(task.title)}” completed in its sprint` });
      await client.invalidateQueries({ queryKey: allTasksKey });
    },
    // A newer version: the list shows the current task.
    onError: () => client.invalidateQueries({ queryKey: allTasksKey }),
  });
}
