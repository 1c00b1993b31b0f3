import { useQuery } from '@tanstack/react-query';
import type { SprintPhase } from '#core/tasks/sprint.ts';
import { type TaskActions, taskActions } from '#core/tasks/task.ts';
import { useViewer } from '#web/api/viewer.ts';
import { sprintsQuery } from '../shared/queries.ts';
import { addedAgainQuery, type MyWeek, type WeekTask } from './my-week-queries.ts';

/** Whether a later sprint began with this unfinished task again. Until it is known, the server refuses. */
export function useAddedAgain(week: MyWeek): (task: Pick<WeekTask, 'id'>) => boolean {
  const { data } = useQuery({ ...addedAgainQuery(week), enabled: week.openAtClose.length > 0 });
  return ({ id }) => data?.ids.includes(id) ?? false;
}

export const addedAgainWords = 'Already added to a later sprint, because it repeats';

/** Without `meta`, a failure would open the error page, which leads back here. */
export const useSprintsOfWeek = (enabled: boolean) => useQuery({ ...sprintsQuery, meta: {}, enabled }).data ?? [];

/** What its owner can do with a task of the week or of a sprint before it. */
export function useOwnActionsOf(week: MyWeek): (task: WeekTask) => TaskActions {
  const viewer = useViewer();
  const ofWeek = [week.sprint, week.previousSprint].filter((sprint) => sprint != null);
  const isOfWeek = ({ sprintId }: WeekTask): boolean => ofWeek.some(({ id }) => id === sprintId);
  // After a short week, the sprint before the previous one can still be settling.
  const others = useSprintsOfWeek(!week.openAtClose.every(isOfWeek));
  const isAddedAgain = useAddedAgain(week);
  return (task) => {
    const known = [...ofWeek, ...others].find(({ id }) => id === task.sprintId)?.phase ?? 'settled';
    const phase = known as SprintPhase;
    // No rule about moving or carrying over reads the summary.
    return taskActions(
      viewer,
      { ...task, ownerId: task.userId, summary: '', phase, addedAgain: isAddedAgain(task) },
      { id: task.userId, approverIds: task.ownerApproverIds },
    );
  };
}

export const useOwnActions = (task: WeekTask, week: MyWeek): TaskActions => useOwnActionsOf(week)(task);

export const letGoVerbs = { leaveUndone: 'Leave undone', withdraw: 'Withdraw' } as const;

/** How its owner lets an unfinished task go: an approved one is left undone, any other is withdrawn. */
export const letGo = ({ leaveUndone, withdraw }: TaskActions): keyof typeof letGoVerbs | null =>
  leaveUndone ? 'leaveUndone' : withdraw ? 'withdraw' : null;
