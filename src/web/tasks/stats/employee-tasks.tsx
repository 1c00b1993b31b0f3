import { useQuery } from '@tanstack/react-query';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { StatusPill } from '#web/ui/status-pill.tsx';
import classes from './employee-tasks.module.css';
import { type EmployeeStats, issuesQuery } from './stats-queries.ts';

type Props = { readonly employee: EmployeeStats; readonly sprintId: string | null };

/** The approved tasks of a person, one line each; the rest is only counted, as it is nobody else's business yet. */
export function EmployeeTasks({ employee, sprintId }: Props) {
  const issues = useQuery(issuesQuery(sprintId));
  const own = issues.data?.find(({ userId }) => userId === employee.person.id)?.issues ?? [];
  const { INAPPROVAL, DENIED } = employee.counts;
  const apart = [
    INAPPROVAL > 0 && `${INAPPROVAL} ${taskStatuses.INAPPROVAL.title}`,
    DENIED > 0 && `${DENIED} ${taskStatuses.DENIED.title}`,
  ].filter(Boolean);
  if (issues.isError) {
    return (
      <PanelError
        sentence="The tasks could not be loaded."
        onRetry={() => void issues.refetch()}
        requestId={issues.error.requestId}
      />
    );
  }
  return (
    <Loading loading={issues.isPending} skeleton={<SkeletonBlock width={280} height={20} />}>
      <ul className={classes.tasks}>
        {own.map((issue) => (
          <li key={issue.id}>
            <StatusPill status={issue.taskStatus} />
            <span>{issue.summary}</span>
          </li>
        ))}
        {own.length === 0 && <li className={classes.quiet}>No approved task in this sprint.</li>}
        {apart.length > 0 && <li className={classes.quiet}>Not counted yet: {apart.join(', ')}.</li>}
      </ul>
    </Loading>
  );
}
