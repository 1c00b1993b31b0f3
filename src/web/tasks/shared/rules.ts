// The core's rules applied to a task from the API.
import { isRefusal } from '#core/base/refusals.ts';
import type { SprintPhase } from '#core/tasks/sprint.ts';
import { planUpdate, type Task, type TaskActions, type TaskOwner, taskActions } from '#core/tasks/task.ts';
import { movableStatuses } from '#core/tasks/task-status.ts';
import { readOnlyReason, type SignedIn } from '#web/api/viewer.ts';
import type { BoardTask, FullTask, Sprint } from './queries.ts';
import { useSprints } from './queries.ts';

export type TaskRules = { readonly task: Task; readonly owner: TaskOwner; readonly actions: TaskActions };

/** While viewing as someone else, nothing can be moved or written. Decisions are shown but disabled. */
const nothingOfOnesOwn = {
  edit: false,
  resubmit: false,
  moves: [],
  withdraw: false,
  carryOver: false,
  leaveUndone: false,
  note: false,
  attach: false,
} as const satisfies Partial<TaskActions>;

function phaseOf(sprints: readonly Sprint[], sprintId: string): SprintPhase {
  const phase = sprints.find(({ id }) => id === sprintId)?.phase;
  // Before the sprints are loaded, nothing is offered that the server might refuse.
  return (phase as SprintPhase | undefined) ?? 'settled';
}

export function rulesOf(viewer: SignedIn, task: BoardTask | FullTask, sprints: readonly Sprint[]): TaskRules {
  const owner: TaskOwner = { id: task.userId, approverIds: task.ownerApproverIds };
  const known: Task = {
    ownerId: task.userId,
    status: task.status,
    title: task.title,
    // A card has no summary, and no rule reads it.
    summary: 'summary' in task ? task.summary : '',
    category: task.category,
    change: task.change,
    reason: task.reason,
    version: task.version,
    withdrawn: task.withdrawn,
    leftUndone: task.leftUndone,
    phase: phaseOf(sprints, task.sprintId),
  };
  const actions = taskActions(viewer, known, owner);
  return {
    task: known,
    owner,
    actions: readOnlyReason(viewer) === null ? actions : { ...actions, ...nothingOfOnesOwn },
  };
}

export function useTaskRules(viewer: SignedIn, task: BoardTask | FullTask): TaskRules {
  return rulesOf(viewer, task, useSprints());
}

/** Why the viewer can't move this task, from the rule; null if they can. */
export function whyLocked(viewer: SignedIn, { task, owner, actions }: TaskRules): string | null {
  if (actions.moves.length > 0) return null;
  const readOnly = readOnlyReason(viewer);
  if (readOnly !== null) return readOnly;
  const to = movableStatuses.find((status) => status !== task.status);
  const answer = to && planUpdate(viewer, task, owner, { status: to });
  return answer && isRefusal(answer) ? answer.message : null;
}
