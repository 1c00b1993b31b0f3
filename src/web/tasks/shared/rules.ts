// The core's rules applied to a task from the API.

import type { Viewer } from '#core/access/access.ts';
import { dayInZone } from '#core/base/day-words.ts';
import { listWords } from '#core/base/formats.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { absenceDay } from '#core/people/absences.ts';
import type { SprintPhase } from '#core/tasks/sprint.ts';
import {
  isHandedTo,
  noteRefusal,
  planRepeat,
  planUpdate,
  type Task,
  type TaskActions,
  type TaskOwner,
  taskActions,
} from '#core/tasks/task.ts';
import { movableStatuses } from '#core/tasks/task-status.ts';
import { companyToday } from '#web/access/shared/absence-queries.ts';
import { config } from '#web/api/config.ts';
import { readOnlyReason, type SignedIn } from '#web/api/viewer.ts';
import type { PanelPart } from './panel-part.ts';
import type { BoardTask, FullTask, Sprint } from './queries.ts';
import { useSprints } from './queries.ts';

export type TaskRules = { readonly task: Task; readonly owner: TaskOwner; readonly actions: TaskActions };

/** While viewing as someone else, nothing can be moved or written. Decisions are shown but disabled. */
const nothingOfOnesOwn = {
  edit: false,
  resubmit: false,
  moves: [],
  approveEdited: false,
  withdraw: false,
  moveToSprint: false,
  carryOver: false,
  leaveUndone: false,
  repeat: false,
  note: false,
  attach: false,
} as const satisfies Partial<TaskActions>;

function phaseOf(sprints: readonly Sprint[], sprintId: string): SprintPhase {
  const phase = sprints.find(({ id }) => id === sprintId)?.phase;
  // Before the sprints are loaded, nothing is offered that the server might refuse.
  return (phase as SprintPhase | undefined) ?? 'settled';
}

type OwnedTask = Pick<BoardTask, 'userId' | 'ownerApproverIds' | 'handedOver'>;

const ownerOf = ({ userId, ownerApproverIds, handedOver }: OwnedTask): TaskOwner => ({
  ...{ id: userId, approverIds: ownerApproverIds, handOver: handedOver },
});

/** The hand-over of a task that was handed over to the viewer; otherwise null. */
export const handedToViewer = (viewer: Viewer, task: OwnedTask): OwnedTask['handedOver'] =>
  isHandedTo(viewer, ownerOf(task)) ? task.handedOver : null;

/** Of a waiting task whose owner is disabled or has no S.T.A.R.T anymore. */
export const ownerGoneWords = 'Owner can’t work on it anymore';

type DecidedFor = OwnedTask & Pick<BoardTask, 'decidedFor' | 'statusSince'>;

/**
 * The approver that the viewer decides for: an absent one, or one who hasn't decided a task that was handed
 * over. Otherwise null. "Ada North, who has had it since Tue 24 Nov"
 */
export function decidesForWords(viewer: Viewer, task: DecidedFor): string | null {
  const { decidedFor, statusSince } = task;
  if (decidedFor) return `${decidedFor.displayName}, away until ${absenceDay(decidedFor.until, companyToday())}`;
  const approvers = handedToViewer(viewer, task)?.approvers;
  if (!approvers) return null;
  const since = absenceDay(dayInZone(statusSince, config().companyTimeZone));
  return `${listWords(approvers, 'or')}, who ${approvers.length === 1 ? 'has' : 'have'} had it since ${since}`;
}

export function rulesOf(viewer: SignedIn, task: BoardTask | FullTask, sprints: readonly Sprint[]): TaskRules {
  const owner = ownerOf(task);
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
    repeats: task.repeats,
    addedAgain: task.addedAgain === true,
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

/** Why a key can't open this field of the task; null if it can. */
export function partRefusal(viewer: SignedIn, { task, owner, actions }: TaskRules, part: PanelPart): string | null {
  const answers: Partial<Record<NonNullable<PanelPart>, () => object | null>> = {
    title: () => (actions.approveEdited ? null : planUpdate(viewer, task, owner, { summary: task.summary })),
    resend: () => planUpdate(viewer, task, owner, { summary: task.summary }),
    repeat: () => (task.withdrawn && task.repeats ? null : planRepeat(viewer, task, owner, 'weekly')),
    note: () => noteRefusal(viewer, task, owner),
  };
  const answer = part && answers[part]?.();
  return answer && isRefusal(answer) ? answer.message : null;
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
