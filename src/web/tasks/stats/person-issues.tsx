import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { refusalAt } from '#core/access/access.ts';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { permissions, topFivePermission } from '#core/access/permissions.ts';
import type { Path } from '#core/access/routes.ts';
import { useViewer } from '#web/api/viewer.ts';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { decidedPersonQuery } from '../shared/queries.ts';
import tasks from './employee-tasks.module.css';
import page from './stats-page.module.css';
import { type Employee, type Issue, issuesQuery } from './stats-queries.ts';

type Props = {
  readonly person: Employee['person'];
  readonly sprintId: string | null;
  readonly issueOf: (issue: Issue) => ReactNode;
  /** Shown after the tasks, as items of the list. */
  readonly children?: ReactNode;
};

/** What opens below an employee: the approved tasks, and the way to the board. */
export function PersonIssues({ person, sprintId, issueOf, children }: Props) {
  const { data, error, isPending, refetch } = useQuery(issuesQuery(sprintId, person.id));
  if (error && !data)
    return (
      <PanelError sentence="Couldn’t load the tasks." onRetry={() => void refetch()} requestId={error.requestId} />
    );
  return (
    <Loading loading={isPending} skeleton={<SkeletonBlock width={280} height={20} />}>
      <ul className={tasks.tasks}>
        {data?.map((issue) => (
          <li key={issue.id}>
            {issueOf(issue)}
            <span>{issue.summary}</span>
          </li>
        ))}
        {data?.length === 0 && <li className={tasks.quiet}>No approved tasks in this sprint.</li>}
        {children}
      </ul>
      <BoardLink userId={person.id} name={person.displayName} sprintId={sprintId} />
    </Loading>
  );
}

const boardPath = '/top-5/tasks' satisfies Path;

type LinkProps = { readonly userId: string; readonly name: string; readonly sprintId: string | null };

/** The way from a row to the person's week, for themselves and for the people who approve their tasks. */
function BoardLink({ userId, name, sprintId }: LinkProps) {
  const viewer = useViewer();
  const isOwn = userId === viewer.id;
  const decides = callRefusal(viewer, callAccess.decisions) === null;
  // Without the link, the row still shows what it can.
  const person = useQuery({ ...decidedPersonQuery(userId), enabled: decides && !isOwn });
  if (!isOwn && !person.data) return null;
  if (refusalAt(viewer, boardPath) !== null)
    return (
      <p className={tasks.quiet}>
        To open boards, you need the permission “{permissions[topFivePermission].title}”. Ask an admin.
      </p>
    );
  const search = { ...(isOwn ? {} : { person: userId }), ...(sprintId ? { sprint: sprintId } : {}) };
  return (
    <Link to={boardPath} search={search} className={page.link}>
      {isOwn ? 'Open my board' : `Open ${name}’s board`}
    </Link>
  );
}
