import { Link } from '@tanstack/react-router';
import type { Path } from '#core/access/routes.ts';
import { percentCell } from '#core/base/percent.ts';
import { type IssueStatus, issueStatuses, issueStatusKeys, issueStatusOf } from '#core/tasks/issue-status.ts';
import { approvedCount, type TaskStatus, taskStatusKeys } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { navigationTarget } from '#web/shell/navigation-target.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { statusColors } from '#web/ui/status-glyph.tsx';
import { DefinitionCard } from './definition-card.tsx';
import employee from './employee-columns.module.css';
import { onServer } from './employee-columns.tsx';
import issueClasses from './employee-stats-page.module.css';
import { PersonIssues } from './person-issues.tsx';
import { ShareBar } from './share-bar.tsx';
import { SprintSelect } from './sprint-select.tsx';
import { sentenceShape, sprintSentence } from './sprint-words.ts';
import { useStatsChoice } from './stats-choice.ts';
import classes from './stats-page.module.css';
import type { Employee, Issue } from './stats-queries.ts';
import { useEmployees } from './use-employees.ts';

export default function EmployeeStatsPage() {
  const { choice, sprints, sprint, chooseSprint } = useStatsChoice('/employee-stats' satisfies Path);
  const { asked, typed, setTyped, count, list } = useEmployees(choice);
  const stats = navigationTarget(useViewer(), 'stats');
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
        note={count}
        actions={<SearchField scope="Stats" label="Find a person or team" value={typed} onChange={setTyped} />}
        flush
      >
        <div className={classes.alone}>
          <IssueLegend />
          <DataTable
            caption="Employees with their sprint tasks and % completed"
            unit="people"
            {...list}
            failed="Couldn’t load the employees."
            columns={issueColumns}
            keyOf={({ person }) => person.id}
            detail={{
              label: ({ person }) => `${person.displayName}’s tasks`,
              content: ({ person }) => <PersonIssues person={person} sprintId={choice.sprint} issueOf={issuePill} />,
            }}
            fitsWindow
            empty={<NobodyFound search={asked.search} />}
          />
        </div>
      </Panel>
    </>
  );
}

function NobodyFound({ search }: { search: string }) {
  if (search !== '')
    return <EmptyState title={`Nobody matches “${search}”`}>Search covers names and teams.</EmptyState>;
  return (
    <EmptyState title="No employees here">
      No one whose stats you can see has tasks in this sprint. Choose another sprint.
    </EmptyState>
  );
}

/** The three columns of the issue table (spec 2, 9). */
const issueColumns: readonly DataColumn<Employee>[] = [
  {
    id: 'employee',
    title: 'Employee',
    sortBy: onServer,
    cell: ({ person }) => (
      <>
        <Avatar name={person.displayName} />
        <span className={employee.name}>{person.displayName}</span>
      </>
    ),
  },
  {
    id: 'tasks',
    title: 'Sprint Tasks',
    sortBy: onServer,
    cell: ({ counts }) => (
      <span className={issueClasses.cell}>
        <span className={issueClasses.count}>{approvedCount(counts)}</span>
        <IssueStrip counts={issueCounts(counts)} />
      </span>
    ),
    phone: 'below',
  },
  {
    id: 'completed',
    title: '% Completed',
    info: <DefinitionCard of="completed" />,
    numeric: true,
    sortBy: onServer,
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

/** An issue's label with its raw status, which differs (D21). */
function IssuePill({ status }: { status: IssueStatus }) {
  return (
    <span className={issueClasses.issue}>
      <Pill as={glyphOf[status]}>{issueStatuses[status].label}</Pill>
      <span className={issueClasses.raw}>{status}</span>
    </span>
  );
}

const issuePill = ({ taskStatus }: Issue) => {
  const status = issueStatusOf(taskStatus);
  return status && <IssuePill status={status} />;
};

type IssueCounts = Readonly<Record<IssueStatus, number>>;

function issueCounts(counts: Employee['counts']): IssueCounts {
  const found: Record<IssueStatus, number> = { 'to do': 0, 'in progress': 0, 'in review': 0, done: 0 };
  for (const key of taskStatusKeys) {
    const status = issueStatusOf(key);
    if (status) found[status] += counts[key];
  }
  return found;
}

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
        % Completed is the share of tasks labeled “In Progress” (in review) or “Done”. The labels come from the older
        system.
      </p>
    </div>
  );
}
