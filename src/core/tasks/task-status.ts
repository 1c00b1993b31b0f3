// Decides a task's states: titles, who can move it and what a decision leads to (spec 4). Used by the task
// rules, the database's and API's enums, and every place that shows a status.

import { plural } from '../base/formats.ts';

export type StatusRule = {
  readonly title: string;
  /** The owner can move a task into and out of it. */
  readonly movable: boolean;
  /** The owner's verb for moving a task on to it. */
  readonly verb?: string;
  /** Approved at least once and not denied since: counts in "% completed" (D20). */
  readonly approved: boolean;
  /** Counted as completion (spec 4, D20). */
  readonly completed: boolean;
  /** Unfinished at the end of a sprint: can be carried over (D39). */
  readonly open: boolean;
  /** An approver's decision: result and verb. `takesEdits`: it may change the task's texts (D17). */
  readonly approve?: {
    readonly to: TaskStatusKey;
    readonly verb: string;
    readonly done: string;
    readonly takesEdits?: true;
  };
  readonly deny?: { readonly to: TaskStatusKey; readonly verb: string; readonly done: string };
  /** The result of the owner's edit. */
  readonly update?: TaskStatusKey;
};

type TaskStatusKey = 'INAPPROVAL' | 'DENIED' | 'TODO' | 'INPROGRESS' | 'INREVIEW' | 'DONE';

export const taskStatuses = {
  INAPPROVAL: {
    title: 'Awaiting Approval',
    movable: false,
    approved: false,
    completed: false,
    open: true,
    approve: { to: 'TODO', verb: 'Approve', done: 'approved', takesEdits: true },
    deny: { to: 'DENIED', verb: 'Deny', done: 'denied' },
  },
  DENIED: { title: 'Task Denied', movable: false, approved: false, completed: false, open: true, update: 'INAPPROVAL' },
  TODO: { title: 'To Do', movable: true, approved: true, completed: false, open: true },
  INPROGRESS: { title: 'In Progress', movable: true, verb: 'Start', approved: true, completed: false, open: true },
  INREVIEW: {
    title: 'Completed',
    movable: true,
    verb: 'Complete',
    approved: true,
    completed: true,
    open: false,
    approve: { to: 'DONE', verb: 'Sign off', done: 'signed off' },
    deny: { to: 'INPROGRESS', verb: 'Send back', done: 'sent back' },
  },
  DONE: { title: 'Signed Off', movable: false, approved: true, completed: true, open: false },
} as const satisfies Record<TaskStatusKey, StatusRule>;

export type TaskStatus = TaskStatusKey;
export const taskStatusKeys = Object.keys(taskStatuses) as TaskStatus[];

/** A status's rule with its optional parts, for generic code. */
export function statusRule(status: TaskStatus): StatusRule {
  return taskStatuses[status];
}

/** Denied, or sent back and not completed since: its reason asks the owner for something. */
export function needsOwner({
  status,
  reason,
}: {
  readonly status: TaskStatus;
  readonly reason: string | null;
}): boolean {
  const { update, approved, completed } = statusRule(status);
  return update !== undefined || (approved && !completed && reason !== null);
}

/** A denied task isn't planned until its owner sends it again. */
export const isPlanned = ({ status }: { readonly status: TaskStatus }): boolean =>
  statusRule(status).update === undefined;

export function isTaskStatus(text: string): text is TaskStatus {
  return Object.hasOwn(taskStatuses, text);
}

/** The statuses that the owner can move a task between. */
export const movableStatuses = taskStatusKeys.filter((status) => taskStatuses[status].movable);

/** "Start", "Complete", "Back to To Do": what the owner does by moving a task. */
export function moveVerb(from: TaskStatus, to: TaskStatus): string {
  const { title, verb } = statusRule(to);
  return verb !== undefined && taskStatusKeys.indexOf(from) < taskStatusKeys.indexOf(to) ? verb : `Back to ${title}`;
}

/** The statuses in which a task waits for an approver's decision. */
export const awaitingStatuses = taskStatusKeys.filter((status) => statusRule(status).approve !== undefined);

export type Decision = 'approve' | 'deny';

/** The decision that leads from one status to another, or null. */
export function decisionBetween(from: TaskStatus, to: TaskStatus): Decision | null {
  const rule = statusRule(from);
  if (rule.approve?.to === to) return 'approve';
  return rule.deny?.to === to ? 'deny' : null;
}

/** The number of tasks per status. */
export type StatusCounts = Readonly<Record<TaskStatus, number>>;

export const noTasks: StatusCounts = { INAPPROVAL: 0, DENIED: 0, TODO: 0, INPROGRESS: 0, INREVIEW: 0, DONE: 0 };

const sum = (counts: StatusCounts, part: 'approved' | 'completed'): number =>
  taskStatusKeys.reduce((total, status) => total + (taskStatuses[status][part] ? counts[status] : 0), 0);

export const approvedCount = (counts: StatusCounts): number => sum(counts, 'approved');
export const completedCount = (counts: StatusCounts): number => sum(counts, 'completed');

/** A share as a percentage from 0 to 100 with one decimal, or null of zero. */
export function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
}

/**
 * "% completed" (D20): (INREVIEW + DONE) / (TODO + INPROGRESS + INREVIEW + DONE), 0 to 100, null without an
 * approved task.
 */
export function completionPercentage(counts: StatusCounts): number | null {
  return percentage(completedCount(counts), approvedCount(counts));
}

/** "4 of 5 approved tasks, 1 carried over": how many were completed. */
export function resultWords(counts: StatusCounts, carriedOut: number): string {
  const approved = plural(approvedCount(counts), 'approved task');
  return `${completedCount(counts)} of ${approved}${carriedOut > 0 ? `, ${carriedOut} carried over` : ''}`;
}

/** The formula shown next to the number (D20). */
export const completionFormula = '(Completed + Signed Off) / (To Do + In Progress + Completed + Signed Off)';
