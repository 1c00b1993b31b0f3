// Decides how approved tasks show as issues on the employee stats, with the labels as the spec gives them (spec 4, D21).
// Asked by getIssuesByUserBySprint and the employee stats page.
import type { TaskStatus } from './task-status.ts';

/** The labels look mismatched with the names; spec 4 takes the mapping as given. */
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

/** The issue status of an approved task; null for a task that is not an issue yet. */
export function issueStatusOf(status: TaskStatus): IssueStatus | null {
  return issueStatusOfTask[status] ?? null;
}
