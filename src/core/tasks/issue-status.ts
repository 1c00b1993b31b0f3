// Decides how approved tasks appear as issues in the employee stats, with the spec's labels (spec 4, D21).
// Used by getIssuesByUserBySprint and the employee stats page.
import type { TaskStatus } from './task-status.ts';

/** The labels don't seem to match the names, but spec 4 defines them so. */
export const issueStatuses = {
  'to do': { label: 'In Review' },
  'in progress': { label: 'Approved' },
  'in review': { label: 'In Progress' },
  done: { label: 'Done' },
} as const;

export type IssueStatus = keyof typeof issueStatuses;
export const issueStatusKeys = Object.keys(issueStatuses) as IssueStatus[];

const issueStatusOfTask: Readonly<Partial<Record<TaskStatus, IssueStatus>>> = {
  TODO: 'to do',
  INPROGRESS: 'in progress',
  INREVIEW: 'in review',
  DONE: 'done',
};

/** An approved task's issue status; null for a task that isn't an issue yet. */
export function issueStatusOf(status: TaskStatus): IssueStatus | null {
  return issueStatusOfTask[status] ?? null;
}
