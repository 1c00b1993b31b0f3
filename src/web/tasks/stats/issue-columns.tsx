import type { IssueStatus } from '#core/tasks/issue-status.ts';
import { percentCell } from '#web/charts/percent.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { DefinitionCard } from './definition-card.tsx';
import employee from './employee-columns.module.css';
import type { EmployeeColumn } from './employee-table.tsx';
import classes from './issue-pill.module.css';
import { type IssueCounts, IssueStrip, isIssueStatus } from './issue-pill.tsx';
import { ShareBar } from './share-bar.tsx';
import type { UserIssues } from './stats-queries.ts';

export function issueCounts({ issues }: UserIssues): IssueCounts {
  const counts: Record<IssueStatus, number> = { 'to do': 0, 'in progress': 0, 'in review': 0, done: 0 };
  for (const { status } of issues) if (isIssueStatus(status)) counts[status] += 1;
  return counts;
}

/** The three columns of the issue table, and no more (spec 2, 9). */
export const issueColumns: readonly EmployeeColumn<UserIssues>[] = [
  {
    id: 'employee',
    title: 'Employee',
    sortBy: ({ displayName }) => displayName,
    cell: ({ displayName }) => (
      <>
        <Avatar name={displayName} />
        <span className={employee.name}>{displayName}</span>
      </>
    ),
  },
  {
    id: 'tasks',
    title: 'Sprint Tasks',
    sortBy: ({ issues }) => issues.length,
    cell: (user) => (
      <span className={classes.cell}>
        <span className={classes.count}>{user.issues.length}</span>
        <IssueStrip counts={issueCounts(user)} />
      </span>
    ),
    phone: 'below',
  },
  {
    id: 'completed',
    title: '% Completed',
    info: <DefinitionCard of="completed" />,
    numeric: true,
    sortBy: ({ completionPercentage }) => completionPercentage,
    cell: ({ completionPercentage }) => (
      <span className={employee.completed}>
        {percentCell(completionPercentage)}
        <ShareBar share={completionPercentage} />
      </span>
    ),
    phone: 'value',
  },
];
