// Decides what can be done with a task, who can do it, and the result (spec 4, D15 to D18, D24, D25, D38,
// D39). Used by the server before every change, and by the web for its buttons.

import { can, isAdmin, isApprovedByManager, type Viewer } from '../access/access.ts';
import { countWords, listWords } from '../base/formats.ts';
import { isHalfUsed, taskLimits } from '../base/limits.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import type { Repeat } from './repeat.ts';
import { type SprintPhase, sprintRefusal } from './sprint.ts';
import {
  awaitingStatuses,
  type Decision,
  decisionBetween,
  isTaskStatus,
  movableStatuses,
  statusRule,
  type TaskStatus,
  taskStatuses,
  taskStatusKeys,
} from './task-status.ts';

/**
 * A task as the rules need it. `reason` is what the last denial or send-back asked for, until the next
 * approval.
 */
export type Task = {
  readonly ownerId: string;
  readonly status: TaskStatus;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly change: string;
  readonly reason: string | null;
  readonly version: number;
  readonly withdrawn: boolean;
  /** Unfinished when its sprint ended, and its owner let it go. Completing it or carrying it over continues it. */
  readonly leftUndone: boolean;
  readonly repeats: Repeat | null;
  /** A later sprint has this task again, because it repeated and wasn't withdrawn there. */
  readonly addedAgain?: boolean;
  readonly phase: SprintPhase;
};

/** The approvers of a person's approvers, who also decide a task that waited too long (D41). */
export type HandOver = {
  readonly nextInLine: readonly { readonly id: string; readonly approverId: string }[];
  /** Nobody is next in line, or nobody who is here: admins find it in their inbox. */
  readonly toAdmins: boolean;
};

/** The person whose task it is. `handOver`: of a task that was handed over. */
export type TaskOwner = {
  readonly id: string;
  readonly approverIds: readonly string[];
  readonly handOver?: HandOver | null | undefined;
};

/** What a task says, which a repeated one takes over. */
export const workFields = ['title', 'summary', 'category'] as const;
export type Work = { readonly [Key in (typeof workFields)[number]]: string };
export const contentFields = [...workFields, 'change'] as const;
export type ContentField = (typeof contentFields)[number];

/** A field's title in the forms. */
export const fieldTitles: Record<ContentField, string> = {
  title: 'Title',
  summary: 'Summary',
  category: 'Brand',
  change: 'Change',
};

/**
 * A task's events, as its history records them. The first four are decisions and can be undone for a while.
 */
export const taskEvents = {
  approved: 'approved',
  denied: 'denied',
  signedOff: 'signed off',
  sentBack: 'sent back',
  created: 'created',
  edited: 'edited',
  resubmitted: 'resubmitted',
  moved: 'moved',
  undone: 'undid the decision',
  movedToSprint: 'moved it to another sprint',
  sprintMoveUndone: 'moved it back to its sprint',
  withdrawn: 'withdrew',
  carriedOver: 'carried over',
  leftUndone: 'left it undone',
  carryOverUndone: 'undid the carry-over',
  reopened: 'reopened',
  restored: 'restored',
  noteAdded: 'added a note',
  noteEdited: 'edited a note',
  noteRemoved: 'removed a note',
  noteRestored: 'restored a note',
  fileAdded: 'attached a file',
  fileRemoved: 'removed a file',
  fileRestored: 'restored a file',
  repeatSet: 'set it to repeat',
  repeatStopped: 'stopped repeating it',
  imported: 'imported',
} as const;
export type TaskEventKind = keyof typeof taskEvents;

/** Where the task's name doesn't just follow the words. */
const eventsOnTask: Partial<Record<TaskEventKind, string>> = {
  undone: 'undid the decision on {task}',
  movedToSprint: 'moved {task} to another sprint',
  sprintMoveUndone: 'moved {task} back to its sprint',
  leftUndone: 'left {task} undone',
  carryOverUndone: 'undid the carry-over of {task}',
  noteAdded: 'added a note to {task}',
  noteEdited: 'edited a note on {task}',
  noteRemoved: 'removed a note from {task}',
  noteRestored: 'restored a note on {task}',
  fileAdded: 'attached a file to {task}',
  fileRemoved: 'removed a file from {task}',
  fileRestored: 'restored a file on {task}',
  repeatSet: 'set {task} to repeat',
  repeatStopped: 'stopped repeating {task}',
};

/** "Farah Haddad left this task undone" */
export const eventSentence = (actorName: string, event: TaskEventKind, task: string): string =>
  `${actorName} ${(eventsOnTask[event] ?? `${taskEvents[event]} {task}`).replace('{task}', () => task)}`;

export const taskEventKinds = Object.keys(taskEvents) as TaskEventKind[];
export const decisionEvents = [
  'approved',
  'denied',
  'signedOff',
  'sentBack',
] as const satisfies readonly TaskEventKind[];
export const isDecisionEvent = (event: TaskEventKind): boolean =>
  (decisionEvents as readonly TaskEventKind[]).includes(event);

/** Notes, files and repeating. They change nothing that was decided, so they never prevent an undo (D15). */
export const besideEvents = [
  'noteAdded',
  'noteEdited',
  'noteRemoved',
  'noteRestored',
  'fileAdded',
  'fileRemoved',
  'fileRestored',
  'repeatSet',
  'repeatStopped',
] as const satisfies readonly TaskEventKind[];

/** The owner's steps that can be undone for a while, with the event of the undo. */
const undoOfStep = {
  carriedOver: 'carryOverUndone',
  movedToSprint: 'sprintMoveUndone',
  leftUndone: 'reopened',
  withdrawn: 'restored',
} as const satisfies Partial<Record<TaskEventKind, TaskEventKind>>;

/** What undoes a decision or such a step. */
export const undoEvents: readonly TaskEventKind[] = ['undone', ...Object.values(undoOfStep)];

type PastEntry = {
  readonly event: TaskEventKind;
  readonly change: string | null;
  readonly before: string;
  readonly after: string;
};

/**
 * The history, oldest first, as this person reads it: an owner sees no reason of an undone decision (D15),
 * and nobody the earlier text of a note.
 */
export function historyFor<Entry extends PastEntry>(
  { id }: Pick<Viewer, 'id'>,
  ownerId: string,
  entries: readonly Entry[],
): Entry[] {
  return entries.map((entry, index) => {
    if (entry.event === 'noteEdited') return { ...entry, before: '{}', after: '{}' };
    const isHidden = id === ownerId && (entry.event === 'undone' || wasUndone(entries, index));
    return isHidden ? { ...entry, change: null, before: '{}', after: '{}' } : entry;
  });
}

/** Whether the entry of this history, oldest first, is a decision that was undone. */
export function wasUndone(entries: readonly Pick<PastEntry, 'event'>[], index: number): boolean {
  if (!isDecisionEvent(entries[index]!.event)) return false;
  const next = entries.find(({ event }, later) => later > index && (event === 'undone' || isDecisionEvent(event)));
  return next?.event === 'undone';
}

/**
 * How long a decision or such a step can be undone, in seconds of the server's clock (D15). A step of several
 * tasks can take as long itself: its time begins with its last task.
 */
export const undoSeconds = 30;

export type TaskChanges = { -readonly [Key in ContentField]?: string } & {
  status?: TaskStatus;
  reason?: string | null;
  withdrawn?: boolean;
  /** False: back to the sprint it came from. */
  carriedOver?: boolean;
  leftUndone?: boolean;
  /** The text of a note before and after an edit. */
  note?: string;
  /** What was removed or restored: nothing else names it. */
  noteId?: string;
  fileId?: string;
  repeats?: Repeat | null;
};

/** Whether the approver couldn't decide the task after the step, or had time. Undoing it continues the wait. */
export const interruptsWait = (step: TaskEventKind): boolean => step === 'withdrawn' || step === 'movedToSprint';

/** Whether a task's wait ends with the change, and a new one begins. */
export const startsNewWait = ({ kind, from, to }: TaskPlan['event']): boolean => from !== to || interruptsWait(kind);

/** What to write in one transaction: the new values and the history entry. */
export type TaskPlan = {
  readonly kind: 'plan';
  /** For an undo: the task's version after the undone change. */
  readonly undoes?: number;
  readonly changes: TaskChanges;
  readonly event: {
    readonly kind: TaskEventKind;
    readonly from: TaskStatus;
    readonly to: TaskStatus;
    readonly change: string | null;
    readonly before: TaskChanges;
    readonly after: TaskChanges;
  };
};

/** A valid call that changes nothing (a repeated move). */
export type NothingToDo = { readonly kind: 'unchanged' };

export type TaskUpdate = { readonly [Key in ContentField]?: string | undefined } & {
  readonly status?: TaskStatus | undefined;
  readonly version?: number | undefined;
};

const isOwner = (viewer: Viewer, owner: TaskOwner): boolean => viewer.id === owner.id;

/** Whether the viewer is one of the person's approvers, or the delegate of an absent one (D40). */
export function actsAsApprover(viewer: Viewer, { approverIds }: Pick<TaskOwner, 'approverIds'>): boolean {
  return approverIds.includes(viewer.id) || approverIds.some((id) => viewer.delegateOf?.includes(id));
}

/** A task's approvers and, once it was handed over, the next in line. Their delegates aren't listed. */
export const approversAndNextInLine = ({ approverIds, handOver }: TaskOwner): string[] => [
  ...new Set([...approverIds, ...(handOver?.nextInLine.map(({ id }) => id) ?? [])]),
];

const placeInLine = (viewer: Viewer, { handOver }: TaskOwner) =>
  handOver?.nextInLine.find(({ id }) => id === viewer.id || viewer.delegateOf?.includes(id));

/** Whether the task was handed over to the viewer, who isn't its approver or a delegate of one (D41). */
export function isHandedTo(viewer: Viewer, owner: TaskOwner): boolean {
  if (isOwner(viewer, owner) || actsAsApprover(viewer, owner)) return false;
  return placeInLine(viewer, owner) !== undefined || (isAdmin(viewer) && owner.handOver?.toAdmins === true);
}

/**
 * The approver that the viewer decides this task for: an absent one, or one whose task was handed over. Null
 * in their own right.
 */
export function decidesInsteadOf(viewer: Viewer, owner: TaskOwner): string | null {
  const { approverIds } = owner;
  if (isOwner(viewer, owner) || approverIds.includes(viewer.id)) return null;
  if (isHandedTo(viewer, owner)) return placeInLine(viewer, owner)?.approverId ?? approverIds[0] ?? null;
  return approverIds.find((absent) => viewer.delegateOf?.includes(absent)) ?? null;
}

/**
 * Whether the viewer decides this person's tasks: as their approver, a delegate or the next in line with the
 * permission, or as an admin; never their own (D15, D38, D40, D41).
 */
export function isDecider(viewer: Viewer, owner: TaskOwner): boolean {
  if (isOwner(viewer, owner)) return false;
  if (isAdmin(viewer)) return true;
  return can(viewer, 'VIEW_TOP_5_APPROVALS') && (actsAsApprover(viewer, owner) || isHandedTo(viewer, owner));
}

/**
 * Whether the viewer can see this person's tasks. To everyone else they look as if they didn't exist (D38).
 */
export function canSeeTasksOf(viewer: Viewer, owner: TaskOwner): boolean {
  return isDecider(viewer, owner) || (isOwner(viewer, owner) && can(viewer, 'VIEW_TOP_5'));
}

/**
 * An update's plan, or its refusal. `changedSince` lists the fields that changed after the version the caller
 * knows.
 */
export function planUpdate(
  viewer: Viewer,
  task: Task,
  owner: TaskOwner,
  update: TaskUpdate,
  changedSince: readonly string[] = [],
): TaskPlan | NothingToDo | Refusal {
  const barred = barredFrom(viewer, task, owner);
  if (barred) return barred;
  const stale = staleRefusal(task, update, changedSince);
  if (stale) return stale;
  const content = contentFields.filter((field) => update[field] !== undefined);
  if (content.length === 0 && update.status === undefined) return refuse('BAD_INPUT', 'Nothing to change');
  return isOwner(viewer, owner) ? planOwnUpdate(task, update, content) : planDecision(task, update, content);
}

/** Changed after the version the caller knows. How it repeats changes nothing of what they saw (D25). */
function staleRefusal(
  task: Task,
  { version }: Pick<TaskUpdate, 'version'>,
  changedSince: readonly string[],
): Refusal | null {
  if (version === undefined || version === task.version) return null;
  const onlyRepeats = changedSince.length > 0 && changedSince.every((field) => field === 'repeats');
  return onlyRepeats ? null : refuse('CONFLICT', undefined, { changed: changedSince });
}

function barredFrom(viewer: Viewer, task: Task, owner: TaskOwner): Refusal | null {
  if (!canSeeTasksOf(viewer, owner)) return refuse('NOT_FOUND');
  return task.withdrawn ? refuse('TRANSITION_NOT_ALLOWED', 'This task was withdrawn') : null;
}

function planOwnUpdate(
  task: Task,
  update: TaskUpdate,
  content: readonly ContentField[],
): TaskPlan | NothingToDo | Refusal {
  const resubmits = content.length > 0 ? statusRule(task.status).update : undefined;
  const to = resubmits ?? update.status ?? task.status;
  const refusal =
    contentRefusal(task, update, content) ??
    (resubmits ? resubmitRefusal(resubmits, update) : moveRefusal(task, update.status));
  if (refusal) return refusal;
  const changes: TaskChanges = changedIn(task, update, content);
  if (to !== task.status) changes.status = to;
  if (changes.status && task.leftUndone) changes.leftUndone = false;
  if (Object.keys(changes).length === 0) return { kind: 'unchanged' };
  const kind = resubmits ? 'resubmitted' : changes.status ? 'moved' : 'edited';
  return plan(task, kind, changes, update.change ?? null);
}

/** The new texts of these fields, where they differ. */
function changedIn(task: Task, update: TaskUpdate, content: readonly ContentField[]): TaskChanges {
  const changes: TaskChanges = {};
  for (const field of content) if (update[field] !== task[field]) changes[field] = update[field] as string;
  return changes;
}

function contentRefusal(task: Task, update: TaskUpdate, content: readonly ContentField[]): Refusal | null {
  if (content.length === 0) return null;
  if (task.status === 'DONE')
    return refuse(
      'TRANSITION_NOT_ALLOWED',
      `A task that is ${taskStatuses.DONE.title} is final. You can still add notes`,
    );
  if (update.title !== undefined && update.title.trim() === '')
    return refuse('BAD_INPUT', 'title must not be blank', { field: 'title' });
  return sprintRefusal(task.phase, 'edit');
}

/** A denied task that is edited goes back to approval and nowhere else. */
function resubmitRefusal(to: TaskStatus, update: TaskUpdate): Refusal | null {
  return update.status === undefined || update.status === to
    ? null
    : refuse('TRANSITION_NOT_ALLOWED', 'Editing a denied task sends it for approval again. Leave out the status');
}

function moveRefusal(task: Task, to: TaskStatus | undefined): Refusal | null {
  if (to === undefined) return null;
  if (!statusRule(task.status).movable || !statusRule(to).movable)
    return refuse('TRANSITION_NOT_ALLOWED', whyNotMoved(task.status));
  return to === task.status ? null : sprintRefusal(task.phase, to === 'INREVIEW' ? 'complete' : 'move');
}

const finalWords = `${taskStatuses.DONE.title} is final`;

const titlesOf = (statuses: readonly TaskStatus[]): string[] => statuses.map((status) => taskStatuses[status].title);

/** Why the owner can't move a task from this status to another. Boards show it at the task. */
function whyNotMoved(from: TaskStatus): string {
  if (from === 'DONE') return finalWords;
  if (from === 'DENIED') return 'This task was denied. Edit and resend it first';
  return statusRule(from).approved
    ? `You can only move this task between ${listWords(titlesOf(movableStatuses))}`
    : 'Waiting for approval. You can start it once it’s approved';
}

/** Why no decision leads from this status to another. */
function whyNotDecided(from: TaskStatus): string {
  if (from === 'DONE') return finalWords;
  const { approve, deny } = statusRule(from);
  return approve && deny
    ? `You can only ${approve.verb.toLowerCase()} or ${deny.verb.toLowerCase()} this task`
    : `Approvers only decide on tasks that are ${listWords(titlesOf(awaitingStatuses), 'or')}`;
}

/** Both statuses are results of deciding the same status: of two approvers at once, one wins (D25). */
function answersTheSame(first: TaskStatus, second: TaskStatus): boolean {
  return awaitingStatuses.some((awaiting) => {
    const { approve, deny } = statusRule(awaiting);
    return [first, second].every((status) => status === approve?.to || status === deny?.to);
  });
}

function planDecision(task: Task, update: TaskUpdate, content: readonly ContentField[]): TaskPlan | Refusal {
  if (update.status === undefined) return refuse('FORBIDDEN', 'Only the owner can edit this task');
  const decision = decisionBetween(task.status, update.status);
  if (decision === null && answersTheSame(task.status, update.status))
    return refuse(
      'TRANSITION_NOT_ALLOWED',
      `This task already has a decision. It’s ${taskStatuses[task.status].title} now`,
    );
  if (decision === null) return refuse('TRANSITION_NOT_ALLOWED', whyNotDecided(task.status));
  const edited = content.filter((field) => field !== 'change');
  const refusal =
    sprintRefusal(task.phase, 'decide') ??
    editedDecisionRefusal(task, decision, edited) ??
    contentRefusal(task, update, edited);
  if (refusal) return refusal;
  const changes: TaskChanges = { status: update.status, ...changedIn(task, update, edited) };
  if (update.change !== undefined && update.change !== task.change) changes.change = update.change;
  const reason = decision === 'approve' ? null : update.change || task.reason;
  if (reason !== task.reason) changes.reason = reason;
  return plan(task, eventOfDecision(task.status, decision), changes, update.change ?? null);
}

/** An approver edits a task only in the step that approves it (D17). */
function editedDecisionRefusal({ status }: Task, decision: Decision, edited: readonly ContentField[]): Refusal | null {
  const takesEdits = decision === 'approve' && statusRule(status).approve?.takesEdits === true;
  return edited.length === 0 || takesEdits
    ? null
    : refuse('FORBIDDEN', 'Approvers can edit a task only while they approve it');
}

/**
 * The plan of an approver's decision, named by the decision instead of its result: approve and sign off, or
 * deny and send back. The owner's own move to the same status isn't a decision and is refused here.
 */
export function planDecide(
  viewer: Viewer,
  task: Task,
  owner: TaskOwner,
  decision: Decision,
  update: Omit<TaskUpdate, 'status'>,
  changedSince: readonly string[] = [],
): TaskPlan | NothingToDo | Refusal {
  const barred = barredFrom(viewer, task, owner);
  if (barred) return barred;
  if (!isDecider(viewer, owner)) return refuse('FORBIDDEN', 'You can’t approve your own tasks');
  const step = statusRule(task.status)[decision];
  if (step) return planUpdate(viewer, task, owner, { ...update, status: step.to }, changedSince);
  return (
    staleRefusal(task, update, changedSince) ??
    refuse('TRANSITION_NOT_ALLOWED', `This task is ${taskStatuses[task.status].title}. There is nothing to decide`)
  );
}

function eventOfDecision(from: TaskStatus, decision: Decision): TaskEventKind {
  if (from === 'INAPPROVAL') return decision === 'approve' ? 'approved' : 'denied';
  return decision === 'approve' ? 'signedOff' : 'sentBack';
}

/** The plan with the previous values, for the history and for undo. */
function plan(task: Task, kind: TaskEventKind, changes: TaskChanges, change: string | null): TaskPlan {
  const before: TaskChanges = {};
  for (const field of contentFields) if (changes[field] !== undefined) before[field] = task[field];
  if (changes.reason !== undefined) before.reason = task.reason;
  if (changes.leftUndone !== undefined) before.leftUndone = task.leftUndone;
  if (changes.repeats !== undefined) before.repeats = task.repeats;
  return {
    kind: 'plan',
    changes,
    event: {
      kind,
      from: task.status,
      to: changes.status ?? task.status,
      change: change || null,
      before,
      after: changes,
    },
  };
}

/** The last entry of a task's history that isn't about a note or file, as undo needs it. */
export type LastEvent = {
  readonly kind: TaskEventKind;
  readonly actorId: string;
  readonly at: Temporal.Instant;
  readonly from: TaskStatus;
  readonly version: number;
  readonly before: TaskChanges;
  /** When a step of several tasks ended. */
  readonly stepEnd?: Temporal.Instant | undefined;
};

/**
 * Undoes one's own decision within 30 s if nobody changed the task since (D15). The history keeps both.
 */
export function planUndo(
  viewer: Viewer,
  task: Task,
  owner: TaskOwner,
  last: LastEvent | null,
  now: Temporal.Instant,
): TaskPlan | Refusal {
  const barred = barredFrom(viewer, task, owner);
  if (barred) return barred;
  if (last === null || !isDecisionEvent(last.kind)) return refuse('CONFLICT', undoRefused('decision'));
  return (
    lastRefusal(viewer, last, now, 'decision') ?? {
      ...plan(task, 'undone', { ...last.before, status: last.from }, null),
      undoes: last.version,
    }
  );
}

const undoRefused = (what: string): string =>
  `You can only undo your own last ${what}, and only if nobody has changed the task since`;

/** Why a step of several tasks isn't undone: this one can't be. */
export const noneUndone = (refusal: Refusal, { title }: Pick<Task, 'title'>): Refusal =>
  refusal.code === 'CONFLICT' || refusal.code === 'TRANSITION_NOT_ALLOWED'
    ? { ...refusal, message: `Nothing was undone, because of “${title}”: ${refusal.message}` }
    : refusal;

function lastRefusal(viewer: Viewer, last: LastEvent, now: Temporal.Instant, what: string): Refusal | null {
  if (last.actorId !== viewer.id) return refuse('CONFLICT', undoRefused(what));
  const isOver = (since: Temporal.Instant, until: Temporal.Instant) =>
    Temporal.Instant.compare(until, since.add({ seconds: undoSeconds })) > 0;
  const { at, stepEnd = at } = last;
  return isOver(at, stepEnd) || isOver(stepEnd, now)
    ? refuse('TOO_LATE', `It’s too late to undo this ${what}. You can undo one for ${undoSeconds} seconds`)
    : null;
}

/**
 * Undoes the owner's completion, step to another sprint, withdrawal or leaving undone, within the same time
 * and if nobody changed the task since. The history keeps both.
 */
export function planUndoStep(
  viewer: Viewer,
  task: Task,
  owner: TaskOwner,
  last: LastEvent | null,
  now: Temporal.Instant,
): TaskPlan | Refusal {
  if (!canSeeTasksOf(viewer, owner)) return refuse('NOT_FOUND');
  if (!isOwner(viewer, owner)) return refuse('FORBIDDEN', 'Only the owner can undo this step');
  if (last?.kind === 'moved' && task.status === 'INREVIEW')
    return (
      lastRefusal(viewer, last, now, 'step') ??
      sprintRefusal(task.phase, 'complete') ??
      plan(task, 'moved', { ...last.before, status: last.from }, null)
    );
  if (last === null || !isUndoableStep(last.kind)) return refuse('CONFLICT', undoRefused('step'));
  const changes: Record<keyof typeof undoOfStep, TaskChanges> = {
    carriedOver: { ...last.before, carriedOver: false },
    movedToSprint: {},
    leftUndone: { leftUndone: false },
    withdrawn: { withdrawn: false },
  };
  return lastRefusal(viewer, last, now, 'step') ?? plan(task, undoOfStep[last.kind], changes[last.kind], null);
}

/** Whether the step took the task to another sprint. Its undo takes it back. */
export const changesSprint = (step: TaskEventKind): boolean => step === 'carriedOver' || step === 'movedToSprint';

/**
 * Why such a step can't be undone, or null. `left`: the sprint it left, with when its result was recorded. A
 * carry-over leaves a sprint that is over (D39).
 */
export function returnRefusal(
  { kind, at }: Pick<LastEvent, 'kind' | 'at'>,
  left: { readonly phase: SprintPhase; readonly resultAt: string | null },
): Refusal | null {
  return kind === 'carriedOver' ? carryOverUndoRefusal({ at }, left.resultAt) : sprintRefusal(left.phase, 'create');
}

function carryOverUndoRefusal({ at }: Pick<LastEvent, 'at'>, resultAt: string | null): Refusal | null {
  return resultAt !== null && Temporal.Instant.compare(at, resultAt) < 0
    ? refuse('TOO_LATE', 'The sprint’s result was recorded with this carry-over, so it can’t be undone')
    : null;
}

/** Why a withdrawn task isn't restored while an earlier one that it repeats is in its sprint. */
export const restoredTwice = refuse(
  'TRANSITION_NOT_ALLOWED',
  'The earlier task was carried over, so this one would be there twice. Undo the carry-over first',
);

const isUndoableStep = (kind: TaskEventKind): kind is keyof typeof undoOfStep => Object.hasOwn(undoOfStep, kind);

/** The owner withdraws a task that nobody approved: excluded from every count, kept in the history (D15). */
export function planWithdraw(viewer: Viewer, task: Task, owner: TaskOwner, reason = ''): TaskPlan | Refusal {
  const barred = barredFrom(viewer, task, owner);
  if (barred) return barred;
  if (!isOwner(viewer, owner)) return refuse('FORBIDDEN', 'Only the owner can withdraw this task');
  if (task.status !== 'INAPPROVAL' && task.status !== 'DENIED') {
    return refuse(
      'TRANSITION_NOT_ALLOWED',
      `Only a task that is ${taskStatuses.INAPPROVAL.title} or ${taskStatuses.DENIED.title} can be withdrawn`,
    );
  }
  return sprintRefusal(task.phase, 'withdraw') ?? plan(task, 'withdrawn', { withdrawn: true }, reason);
}

/** Whether an approval comes after the sprint, before its result is final: there it isn't completed (D39). */
export function isApprovedLate({ status, phase }: Pick<Task, 'status' | 'phase'>): boolean {
  const { approve } = statusRule(status);
  return phase === 'settling' && approve !== undefined && statusRule(approve.to).open;
}

/**
 * The owner moves a task that isn't approved to another sprint that still takes new ones (D18). An approved
 * one was approved for its week: unfinished, it can be carried over. `isSame`: it is in that sprint already.
 */
export function planMoveToSprint(
  viewer: Viewer,
  task: Task,
  owner: TaskOwner,
  to: { readonly phase: SprintPhase; readonly isSame: boolean },
  { version }: Pick<TaskUpdate, 'version'> = {},
  changedSince: readonly string[] = [],
): TaskPlan | NothingToDo | Refusal {
  const barred = barredFrom(viewer, task, owner);
  if (barred) return barred;
  if (!isOwner(viewer, owner)) return refuse('FORBIDDEN', 'Only the owner can move this task to another sprint');
  if (to.isSame) return { kind: 'unchanged' };
  const stale = staleRefusal(task, { version }, changedSince);
  if (stale) return stale;
  if (statusRule(task.status).approved)
    return refuse('TRANSITION_NOT_ALLOWED', 'This task was approved for its sprint, so it can’t move to another one');
  const closed = sprintRefusal(to.phase, 'create');
  return (
    sprintRefusal(task.phase, 'changeSprint') ??
    (closed && { ...closed, field: 'sprintId' }) ??
    plan(task, 'movedToSprint', {}, null)
  );
}

/**
 * The owner carries an unfinished task over to the current sprint; approval and status stay (D39). One that
 * was added to a later sprint again would be there twice.
 */
export function planCarryOver(viewer: Viewer, task: Task, owner: TaskOwner): TaskPlan | Refusal {
  const barred = barredFrom(viewer, task, owner);
  if (barred) return barred;
  if (!isOwner(viewer, owner)) return refuse('FORBIDDEN', 'Only the owner can carry this task over');
  if (!statusRule(task.status).open)
    return refuse(
      'TRANSITION_NOT_ALLOWED',
      `This task is ${taskStatuses[task.status].title}, so there’s nothing left to finish`,
    );
  const changes: TaskChanges = task.leftUndone ? { carriedOver: true, leftUndone: false } : { carriedOver: true };
  const twice = task.addedAgain ? carriedTwiceRefusal(task.status) : null;
  return sprintRefusal(task.phase, 'carryOver') ?? twice ?? plan(task, 'carriedOver', changes, null);
}

/** The owner lets an approved, unfinished task of a past sprint go; it counts as not done as before (D39). */
export function planLeaveUndone(viewer: Viewer, task: Task, owner: TaskOwner, reason = ''): TaskPlan | Refusal {
  const barred = barredFrom(viewer, task, owner);
  if (barred) return barred;
  if (!isOwner(viewer, owner)) return refuse('FORBIDDEN', 'Only the owner can leave this task undone');
  const { title, open, approved } = statusRule(task.status);
  if (!open) return refuse('TRANSITION_NOT_ALLOWED', `This task is ${title}, so there’s nothing left to finish`);
  if (!approved) return refuse('TRANSITION_NOT_ALLOWED', `This task is ${title}. Withdraw it instead`);
  if (task.leftUndone) return refuse('TRANSITION_NOT_ALLOWED', 'This task was already left undone');
  return sprintRefusal(task.phase, 'leaveUndone') ?? plan(task, 'leftUndone', { leftUndone: true }, reason);
}

/**
 * The owner sets in which sprints the task is added again, or stops that, in any status, because it only
 * changes later sprints. A withdrawn task can only stop. A task of a past sprint may have passed its rule on,
 * so it gets no new one; `passedOn` says so of one that was carried over. `others`: how many of the owner's
 * tasks repeat.
 */
export function planRepeat(
  viewer: Viewer,
  task: Task,
  owner: TaskOwner,
  repeats: Repeat | null,
  { passedOn = false, others = 0 } = {},
): TaskPlan | NothingToDo | Refusal {
  const barred = barredFrom(viewer, repeats === null ? { ...task, withdrawn: false } : task, owner);
  if (barred) return barred;
  if (!isOwner(viewer, owner)) return refuse('FORBIDDEN', 'Only the owner can repeat this task');
  // Also to stop it here: the later task would go on repeating.
  if (task.repeats === null && passedOn) return rulePassedOn;
  if (repeats === task.repeats) return { kind: 'unchanged' };
  const refusal = task.repeats === null ? (sprintRefusal(task.phase, 'repeat') ?? repeatLimitRefusal(others)) : null;
  return refusal ?? plan(task, repeats === null ? 'repeatStopped' : 'repeatSet', { repeats }, null);
}

const repeatLimitRefusal = (others: number): Refusal | null =>
  others < taskLimits.repeating
    ? null
    : refuse('TRANSITION_NOT_ALLOWED', `At most ${taskLimits.repeating} of your tasks can repeat. Stop one first`);

const addedToLater = 'This task was already added to a later sprint';

const carriedTwiceRefusal = (status: TaskStatus): Refusal =>
  refuse(
    'TRANSITION_NOT_ALLOWED',
    `${addedToLater}, because it repeats. ${statusRule(status).approved ? 'Leave this one undone' : 'Withdraw this one'}`,
  );
const rulePassedOn = refuse('TRANSITION_NOT_ALLOWED', `${addedToLater}. Open that task to change how it repeats`);

type TaskState = { readonly keepsTasks: boolean; readonly disabled: boolean };

/** Why nobody can create a task for this person, or null. `keepsTasks`: has the top-5 permission. */
export function noNewTasksReason({ keepsTasks, disabled }: TaskState): string | null {
  if (disabled) return 'This account is disabled';
  return keepsTasks ? null : 'This person doesn’t use S.T.A.R.T';
}

/**
 * Why a task can't be created for this person, or null; new ones await approval (D18). `keepsTasks`: the
 * owner has VIEW_TOP_5.
 */
export function createRefusal(viewer: Viewer, owner: TaskOwner & TaskState, phase: SprintPhase): Refusal | null {
  if (!canSeeTasksOf(viewer, owner))
    return refuse('NOT_FOUND', 'No such person, or you can’t create tasks for them', { field: 'userId' });
  if (isOwner(viewer, owner) && !isApprovedByManager(viewer)) return refuse('NOT_APPROVED_BY_MANAGER');
  const reason = noNewTasksReason(owner);
  if (reason) return refuse('BAD_INPUT', `${reason}. Choose someone else`, { field: 'userId' });
  const refusal = sprintRefusal(phase, 'create');
  return refusal && { ...refusal, field: 'sprintId' };
}

/** Why the viewer can't add a note, or null. Notes stay possible on a final task. */
export function noteRefusal(viewer: Viewer, task: Task, owner: TaskOwner): Refusal | null {
  return barredFrom(viewer, task, owner) ?? sprintRefusal(task.phase, 'note');
}

/** `written`: the author's notes of the last hour, in all tasks. */
export function notesOfHourRefusal(written: number): Refusal | null {
  const { notesInHour } = taskLimits;
  if (written < notesInHour) return null;
  return refuse('TOO_MANY_ATTEMPTS', `You wrote ${notesInHour} notes within an hour. Try again later`);
}

/** The other visible notes of the task, of its owner or of everyone else. */
export type NotesSize = { readonly count: number; readonly characters: number };

/** Why the task has no room for a note of this length, or null. */
export function notesFullRefusal(shown: NotesSize, text: string): Refusal | null {
  const { notes } = taskLimits;
  if (shown.count >= notes)
    return refuse(
      'TRANSITION_NOT_ALLOWED',
      `A task can have up to ${notes} notes from its owner and ${notes} from other people. Remove one, or edit an earlier note`,
    );
  return shown.characters + text.length > taskLimits.noteText
    ? refuse(
        'TRANSITION_NOT_ALLOWED',
        'This task’s notes are too long in total. Shorten one, or attach the text as a file',
      )
    : null;
}

/** Whether so much room is used that the note needs a recent proof; never to shorten one. */
export const needsProofOfNotes = ({ count, characters }: NotesSize, text: string, before: string | null): boolean =>
  before === null
    ? isHalfUsed(count, taskLimits.notes) || isHalfUsed(characters, taskLimits.noteText)
    : text.length > before.length && isHalfUsed(characters, taskLimits.noteText);

/** Why the person can't get another task in this sprint, or null. */
export function sprintFullRefusal(tasks: number, advice = 'Choose another sprint'): Refusal | null {
  return tasks >= taskLimits.tasksInSprint
    ? refuse('BAD_INPUT', `A person can have up to ${taskLimits.tasksInSprint} tasks in a sprint. ${advice}`, {
        field: 'sprintId',
      })
    : null;
}

/** `created`: the creator's tasks of the last hour for other people. */
export function tasksOfHourRefusal(created: number): Refusal | null {
  const { tasksForOthersInHour } = taskLimits;
  if (created < tasksForOthersInHour) return null;
  return refuse(
    'TOO_MANY_ATTEMPTS',
    `You created ${tasksForOthersInHour} tasks for other people within an hour. Try again later`,
  );
}

const lastChanges: ReadonlySet<TaskEventKind> = new Set(['withdrawn', 'carriedOver', 'leftUndone']);
const edits: ReadonlySet<TaskEventKind> = new Set(['edited', ...besideEvents]);

/** How many changes and `undoEvents` a task's history has, of its owner or of everyone else. */
export type HistorySize = { readonly changes: number; readonly undone: number };

/**
 * Why the history has no room for this change, or null. Others' changes never use up what the owner needs.
 * Never for a decision: each one needs a move of the owner or an undo before the next.
 */
export function changesFullRefusal({ changes, undone }: HistorySize, kind: TaskEventKind): Refusal | null {
  if (undoEvents.includes(kind))
    return undone >= taskLimits.undone
      ? refuse(
          'TRANSITION_NOT_ALLOWED',
          `${kind === 'undone' ? 'Decisions' : 'Steps'} on this task were already undone ${taskLimits.undone} times. This one can’t be undone`,
        )
      : null;
  if (lastChanges.has(kind) || isDecisionEvent(kind)) return null;
  const most = edits.has(kind) ? taskLimits.edits : taskLimits.changes;
  return changes >= most
    ? refuse(
        'TRANSITION_NOT_ALLOWED',
        `This task has reached the limit of ${countWords(most)} changes. Create a new task to continue`,
      )
    : null;
}

/**
 * Whether so much of the task's history is used that another change needs a recent proof: of the changes,
 * which all count against the edits, of the undone ones, or of the texts' `bytes`. Never for a decision:
 * nobody is asked in the middle of many.
 */
export function needsProofOfHistory({ changes, undone }: HistorySize, bytes: number, kind: TaskEventKind): boolean {
  if (isDecisionEvent(kind)) return false;
  if (isHalfUsed(bytes, taskLimits.historyText)) return true;
  if (undoEvents.includes(kind)) return isHalfUsed(undone, taskLimits.undone);
  return !lastChanges.has(kind) && isHalfUsed(changes, taskLimits.edits);
}

/** With a proof, the owner can empty a sprint that a stolen token filled. */
const exits = { mostPerHour: taskLimits.tasksInSprint, unproven: 50 };

/** Of the events of a person's tasks, how many in an hour need no recent proof: new ones, and lost work. */
export const hourlyLimits: {
  readonly [Kind in TaskEventKind]?: { readonly unproven: number; readonly mostPerHour?: number };
} = {
  created: { unproven: taskLimits.tasksForOthersInHour / 2 },
  withdrawn: exits,
  leftUndone: exits,
  repeatSet: { unproven: taskLimits.repeating / 2 },
  repeatStopped: { unproven: 5 },
  noteEdited: { unproven: 10 },
  noteRemoved: { unproven: 5 },
  fileRemoved: { unproven: 5 },
};

const texts = [...contentFields, 'reason', 'note'] as const;
const lengthOf = (values: TaskChanges, fields: readonly (typeof texts)[number][] = texts): number =>
  fields.reduce((sum, field) => sum + (values[field]?.length ?? 0), 0);

/**
 * Whether a change's texts are long enough to count against the task's history: of a decision, its reason and
 * the approver's edit. A long summary can always be shortened, because it was counted when it was written.
 */
export function isLongChange({ event: { kind, before, after, change } }: TaskPlan): boolean {
  const others = isDecisionEvent(kind)
    ? lengthOf(after, workFields)
    : lengthOf(after) + (kind === 'edited' ? 0 : lengthOf(before));
  return others + (change?.length ?? 0) > taskLimits.longChange;
}

/** Why the history has no room for another long change, or null. */
export function historyFullRefusal(bytes: number): Refusal | null {
  return bytes > taskLimits.historyText
    ? refuse('TRANSITION_NOT_ALLOWED', 'This task’s history is almost full. Shorten your text, or create a new task')
    : null;
}

/** Why the viewer can't attach a file, or null: never to a final task (D15). */
export function attachRefusal(viewer: Viewer, task: Task, owner: TaskOwner): Refusal | null {
  const final =
    task.status === 'DONE'
      ? refuse('TRANSITION_NOT_ALLOWED', `You can’t add or remove files once a task is ${taskStatuses.DONE.title}`)
      : null;
  return barredFrom(viewer, task, owner) ?? final ?? sprintRefusal(task.phase, 'attach');
}

/** Only the author can edit this note (spec 3: `edited`). */
export function editNoteRefusal(viewer: Viewer, task: Task, owner: TaskOwner, authorId: string | null): Refusal | null {
  return (
    barredFrom(viewer, task, owner) ??
    (authorId === viewer.id ? null : refuse('FORBIDDEN', 'Only the author can edit this note'))
  );
}

/** Only the author or an admin removes a note or a file (D24); a final task's files stay. */
export function removalRefusal(
  viewer: Viewer,
  task: Task,
  owner: TaskOwner,
  authorId: string | null,
  what: 'note' | 'file',
): Refusal | null {
  const barred = barredFrom(viewer, task, owner);
  if (barred) return barred;
  if (authorId !== viewer.id && !isAdmin(viewer))
    return refuse('FORBIDDEN', `Only the author or an admin can remove this ${what}`);
  return what === 'file' ? attachRefusal(viewer, task, owner) : null;
}

/** The same for restoring: what an admin removed, its author doesn't bring back. */
export function restoringRefusal(
  viewer: Viewer,
  task: Task,
  owner: TaskOwner,
  removed: { readonly authorId: string | null; readonly removedBy: string | null } | undefined,
  what: 'note' | 'file',
): Refusal | null {
  const refusal = removalRefusal(viewer, task, owner, removed?.authorId ?? null, what);
  if (refusal || isAdmin(viewer) || !removed?.removedBy || removed.removedBy === viewer.id) return refusal;
  return refuse('FORBIDDEN', `Someone else removed this ${what}. Ask an admin to restore it from the task’s history`);
}

export type TaskActions = {
  readonly edit: boolean;
  /** An update sends the denied task back to approval. */
  readonly resubmit: boolean;
  /** Where the viewer can move it, as its owner. */
  readonly moves: readonly TaskStatus[];
  /** The results of the viewer's decisions, or null if they can't decide it. */
  readonly decisions: { readonly approve: TaskStatus; readonly deny: TaskStatus } | null;
  /** The viewer can change its texts while approving it. */
  readonly approveEdited: boolean;
  readonly withdraw: boolean;
  /** To one that takes new tasks. */
  readonly moveToSprint: boolean;
  readonly carryOver: boolean;
  readonly leaveUndone: boolean;
  readonly repeat: boolean;
  readonly note: boolean;
  readonly attach: boolean;
};

/** The owner's next step with a task, or null where none is open: started, then completed. */
export function nextMove({ status }: Pick<Task, 'status'>, { moves }: Pick<TaskActions, 'moves'>): TaskStatus | null {
  const next = movableStatuses[movableStatuses.indexOf(status) + 1];
  return statusRule(status).movable && next !== undefined && moves.includes(next) ? next : null;
}

/** The owner's moves as buttons, menus and number keys have them: the next step first. */
export function movesInOrder(task: Pick<Task, 'status'>, actions: Pick<TaskActions, 'moves'>): TaskStatus[] {
  const next = nextMove(task, actions);
  const others = movableStatuses.filter((status) => status !== next && actions.moves.includes(status));
  return next ? [next, ...others] : others;
}

/** Where the owner completes a task to, or null where that isn't open or was done. */
export function completingMove({ moves }: Pick<TaskActions, 'moves'>): TaskStatus | null {
  return moves.find((status) => statusRule(status).completed) ?? null;
}

const allowed = (answer: { readonly kind: string } | null): boolean => answer?.kind !== 'refusal';

/** The buttons to show, by the same rules that the server checks. */
export function taskActions(viewer: Viewer, task: Task, owner: TaskOwner): TaskActions {
  const own = isOwner(viewer, owner);
  const { approve, deny, update } = statusRule(task.status);
  const decides = isDecider(viewer, owner) && !task.withdrawn && approve !== undefined && deny !== undefined;
  const edit = own && allowed(planUpdate(viewer, task, owner, { summary: task.summary }));
  return {
    edit,
    resubmit: edit && update !== undefined,
    moves: own
      ? taskStatusKeys.filter(
          (to) => to !== task.status && isTaskStatus(to) && allowed(planUpdate(viewer, task, owner, { status: to })),
        )
      : [],
    decisions: decides ? { approve: approve.to, deny: deny.to } : null,
    approveEdited: !own && allowed(planDecide(viewer, task, owner, 'approve', { summary: task.summary })),
    withdraw: allowed(planWithdraw(viewer, task, owner)),
    moveToSprint: allowed(planMoveToSprint(viewer, task, owner, { phase: 'active', isSame: false })),
    carryOver: allowed(planCarryOver(viewer, task, owner)),
    leaveUndone: allowed(planLeaveUndone(viewer, task, owner)),
    repeat: task.withdrawn
      ? task.repeats !== null && allowed(planRepeat(viewer, task, owner, null))
      : allowed(planRepeat(viewer, task, owner, 'weekly')),
    note: allowed(noteRefusal(viewer, task, owner)),
    attach: allowed(attachRefusal(viewer, task, owner)),
  };
}
