import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { approvedCount, taskStatuses, taskStatusKeys } from '#core/tasks/task-status.ts';
import { saveCsv } from '#web/charts/save-csv.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { matches } from '#web/ui/matches.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Loading, SkeletonBlock } from '#web/ui/skeleton.tsx';
import { employeeColumns, totalsRow } from './employee-columns.tsx';
import employeeTasksClasses from './employee-tasks.module.css';
import classes from './stats-page.module.css';
import { type EmployeeStats, issuesQuery, type SprintStats } from './stats-queries.ts';

const byName = { id: 'employee', desc: false };

type Props = { readonly stats: SprintStats; readonly scope: string | null };

/** Everyone's week in one table. The totals cover the scope's people, independent of the search. */
export function EmployeesPanel({ stats, scope }: Props) {
  const [search, setSearch] = useState('');
  const found = stats.employees.filter(({ person }) => matches(`${person.displayName} ${person.team ?? ''}`, search));
  const sorted = useRef<readonly EmployeeStats[]>([]);
  const all = stats.employees.length;
  const actions = (
    <div className={classes.choices}>
      <SearchField scope="Stats" label="Find a person or team" value={search} onChange={setSearch} />
      <Button
        variant="default"
        leftSection={<IconDownload size={15} stroke={1.7} />}
        disabled={found.length === 0}
        onClick={() => saveStats(stats.sprint, scope, sorted.current)}
      >
        Export CSV
      </Button>
    </div>
  );
  return (
    <Panel title="Employees" note={found.length === all ? all : `${found.length} of ${all}`} actions={actions} flush>
      <DataTable
        caption="Employees with their sprint tasks and rates"
        unit="people"
        items={found}
        columns={employeeColumns}
        keyOf={({ person }) => person.id}
        sortedBy={byName}
        sortedRows={sorted}
        detail={{
          label: ({ person }) => `Tasks of ${person.displayName}`,
          content: (employee) => <EmployeeTasks employee={employee} sprintId={stats.sprint.id} />,
        }}
        totals={totalsRow(stats.totals)}
        choosable="stats"
        fitsWindow
        empty={<NobodyFound search={search} onClear={() => setSearch('')} />}
      />
    </Panel>
  );
}

function NobodyFound({ search, onClear }: { search: string; onClear: () => void }) {
  if (search === '')
    return (
      <EmptyState title="No tasks here">
        No one in this scope has tasks in this sprint. Choose another sprint or scope.
      </EmptyState>
    );
  return (
    <EmptyState
      title={`Nobody matches “${search}”`}
      action={
        <Button variant="default" onClick={onClear}>
          Show everyone
        </Button>
      }
    >
      Search covers names and teams.
    </EmptyState>
  );
}

type EmployeeTasksProps = { readonly employee: EmployeeStats; readonly sprintId: string | null };

/** A person's approved tasks, one line each; the rest is only counted, because it is private. */
function EmployeeTasks({ employee, sprintId }: EmployeeTasksProps) {
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
        sentence="Couldn’t load the tasks."
        onRetry={() => void issues.refetch()}
        requestId={issues.error.requestId}
      />
    );
  }
  return (
    <Loading loading={issues.isPending} skeleton={<SkeletonBlock width={280} height={20} />}>
      <ul className={employeeTasksClasses.tasks}>
        {own.map((issue) => (
          <li key={issue.id}>
            <StatusPill status={issue.taskStatus} />
            <span>{issue.summary}</span>
          </li>
        ))}
        {own.length === 0 && <li className={employeeTasksClasses.quiet}>No approved task in this sprint.</li>}
        {apart.length > 0 && <li className={employeeTasksClasses.quiet}>Not counted yet: {apart.join(', ')}.</li>}
      </ul>
    </Loading>
  );
}

const csvHead = [
  'Employee',
  'Team',
  'Sprint Tasks',
  ...taskStatusKeys.map((status) => taskStatuses[status].title),
  '% Completed',
  '% Signed off',
  '% Approved first time',
  'Rework',
  'Time with approver (hours)',
  'Recorded',
  'Corrections',
];

/** The stats table as a file: the displayed rows, in order, with raw numbers. */
function saveStats(sprint: SprintStats['sprint'], scope: string | null, employees: readonly EmployeeStats[]): void {
  const rows = employees.map((each) => [
    each.person.displayName,
    each.person.team,
    approvedCount(each.counts),
    ...taskStatusKeys.map((status) => each.counts[status]),
    each.completionPercentage,
    each.signedOffPercentage,
    each.firstPassPercentage,
    each.rework,
    each.waitedHours,
    each.recorded ? 'yes' : 'no',
    each.corrections,
  ]);
  saveCsv(['stats', sprint.name, scope].filter(Boolean).join('-'), csvHead, rows);
}
