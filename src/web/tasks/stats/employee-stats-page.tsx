import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Path } from '#core/access/routes.ts';
import { type IssueStatus, issueStatuses, issueStatusKeys } from '#core/tasks/issue-status.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { percentCell } from '#web/charts/percent.ts';
import { navigationTarget } from '#web/shell/navigation-target.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { matches } from '#web/ui/matches.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { statusColors } from '#web/ui/status-glyph.tsx';
import { DefinitionCard } from './definition-card.tsx';
import employee from './employee-columns.module.css';
import issueClasses from './employee-stats-page.module.css';
import tasks from './employee-tasks.module.css';
import { ShareBar } from './share-bar.tsx';
import { SprintSelect } from './sprint-select.tsx';
import { sentenceShape, sprintSentence } from './sprint-words.ts';
import { useStatsChoice } from './stats-choice.ts';
import classes from './stats-page.module.css';
import { issuesQuery, type UserIssues } from './stats-queries.ts';

export default function EmployeeStatsPage() {
  const { choice, sprints, sprint, chooseSprint } = useStatsChoice('/employee-stats' satisfies Path);
  const [search, setSearch] = useState('');
  const issues = useQuery({ ...issuesQuery(choice.sprint), enabled: sprint !== null });
  const stats = navigationTarget(useViewer(), 'stats');
  const all = issues.data ?? [];
  const found = all.filter(({ displayName }) => matches(displayName, search));
  const actions = (
    <div className={classes.choices}>
      {stats && (
        <Link to="/top-5/stats" search={{ sprint: choice.sprint ?? undefined }} className={classes.link}>
          All stats
        </Link>
      )}
      <SprintSelect sprints={sprints} chosen={choice.sprint} onChoose={chooseSprint} />
    </div>
  );
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={sprint && sprintSentence(sprint, config().companyTimeZone)}
        expected={sentenceShape}
        actions={actions}
      />
      <Panel
        title="Employees"
        {...(issues.data
          ? { note: found.length === all.length ? all.length : `${found.length} of ${all.length}` }
          : {})}
        actions={<SearchField scope="Stats" label="Find a person" value={search} onChange={setSearch} />}
        flush
      >
        {issues.isError && !issues.data ? (
          <PanelError
            sentence="Couldn’t load the employees."
            onRetry={() => void issues.refetch()}
            requestId={issues.error.requestId}
          />
        ) : (
          <Loading loading={!issues.data} skeleton={<SkeletonRows rows={10} />}>
            <div data-stale={issues.isPlaceholderData || undefined} className={`${classes.fading} ${classes.alone}`}>
              <IssueLegend />
              <Employees employees={found} search={search} />
            </div>
          </Loading>
        )}
      </Panel>
    </>
  );
}

function Employees({ employees, search }: { employees: readonly UserIssues[]; search: string }) {
  return (
    <DataTable
      caption="Employees with their sprint tasks and % completed"
      unit="people"
      items={employees}
      columns={issueColumns}
      keyOf={({ userId }) => userId}
      sortedBy={byName}
      detail={{
        label: ({ displayName }) => `Tasks of ${displayName}`,
        content: (user) => <Issues user={user} />,
      }}
      fitsWindow
      empty={
        search ? (
          <EmptyState title={`Nobody matches “${search}”`}>Search covers names.</EmptyState>
        ) : (
          <EmptyState title="No employees here">
            No one whose stats you can see has tasks in this sprint. Choose another sprint.
          </EmptyState>
        )
      }
    />
  );
}

function Issues({ user }: { user: UserIssues }) {
  if (user.issues.length === 0) return <p className={tasks.quiet}>No approved task in this sprint.</p>;
  return (
    <ul className={tasks.tasks}>
      {user.issues.map((issue) => (
        <li key={issue.id}>
          {isIssueStatus(issue.status) && <IssuePill status={issue.status} />}
          <span>{issue.summary}</span>
        </li>
      ))}
    </ul>
  );
}

function issueCounts({ issues }: UserIssues): IssueCounts {
  const counts: Record<IssueStatus, number> = { 'to do': 0, 'in progress': 0, 'in review': 0, done: 0 };
  for (const { status } of issues) if (isIssueStatus(status)) counts[status] += 1;
  return counts;
}

const byName = { id: 'employee', desc: false };

/** The three columns of the issue table (spec 2, 9). */
const issueColumns: readonly DataColumn<UserIssues>[] = [
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
      <span className={issueClasses.cell}>
        <span className={issueClasses.count}>{user.issues.length}</span>
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

/**
 * The icon matches the displayed label, not the status behind it: "In Review" looks like work under review
 * (D21).
 */
const glyphOf: Record<IssueStatus, TaskStatus> = {
  'to do': 'INREVIEW',
  'in progress': 'TODO',
  'in review': 'INPROGRESS',
  done: 'DONE',
};

function isIssueStatus(text: string): text is IssueStatus {
  return Object.hasOwn(issueStatuses, text);
}

/** An issue's label with its raw status, which differs (D21). */
function IssuePill({ status }: { status: IssueStatus }) {
  return (
    <span className={issueClasses.issue}>
      <Pill as={glyphOf[status]}>{issueStatuses[status].label}</Pill>
      <span className={issueClasses.raw}>{status}</span>
    </span>
  );
}

type IssueCounts = Readonly<Record<IssueStatus, number>>;

/** A person's issues as one strip of four statuses, in the core's order. */
function IssueStrip({ counts }: { counts: IssueCounts }) {
  const present = issueStatusKeys.filter((status) => counts[status] > 0);
  const words = present.map((status) => `${issueStatuses[status].label} ${counts[status]}`).join(', ');
  return (
    <span className={issueClasses.strip} role="img" aria-label={words || 'No issues'}>
      {present.map((status) => (
        <span
          key={status}
          title={`${issueStatuses[status].label} ${counts[status]} (status: ${status})`}
          style={{ flexGrow: counts[status], background: statusColors[glyphOf[status]].line }}
        />
      ))}
    </span>
  );
}

/** The legend of the strips' colors, and what the percentage counts. */
function IssueLegend() {
  return (
    <div className={issueClasses.legend}>
      <ul aria-label="Statuses">
        {issueStatusKeys.map((status) => (
          <li key={status}>
            <IssuePill status={status} />
          </li>
        ))}
      </ul>
      <p>
        % Completed is the share of tasks labeled “In Progress” (in review) or “Done”. The labels are those of the older
        system.
      </p>
    </div>
  );
}
