import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { useMutation } from '#web/api/mutation.ts';
import { saveCsvText } from '#web/charts/save-csv.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { employeeColumns, pillReasons, totalsRow } from './employee-columns.tsx';
import tasks from './employee-tasks.module.css';
import { PersonIssues } from './person-issues.tsx';
import classes from './stats-page.module.css';
import {
  type Employee,
  readEmployeesCsv,
  type SprintTotals,
  type StatsChoice,
  type StatsSprint,
} from './stats-queries.ts';
import { useEmployees } from './use-employees.ts';

type Props = {
  readonly choice: StatsChoice;
  readonly sprint: StatsSprint | null;
  readonly totals: SprintTotals | undefined;
};

/** Everyone's week in one table. The totals cover the scope's people, independent of the search. */
export function EmployeesPanel({ choice, sprint, totals }: Props) {
  const { asked, typed, setTyped, count, first, list } = useEmployees(choice);
  const save = useMutation({
    // The list follows what is typed after a pause; the file is of what the field says now.
    mutationFn: () => readEmployeesCsv({ ...asked, search: typed.trim() }),
    onSuccess: (text) => saveCsvText(['stats', sprint?.name, choice.scope].filter(Boolean).join('-'), text),
    meta: { what: 'Exporting the stats' },
  });
  const actions = (
    <div className={classes.choices}>
      <SearchField scope="Stats" label="Find a person or team" value={typed} onChange={setTyped} />
      <Button
        variant="default"
        leftSection={<IconDownload size={15} stroke={1.7} />}
        disabled={!first?.total}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        Export CSV
      </Button>
    </div>
  );
  return (
    <Panel title="Employees" note={count} actions={actions} flush>
      <DataTable
        caption="Employees with their sprint tasks and rates"
        unit="people"
        {...list}
        failed="Couldn’t load the employees."
        columns={employeeColumns}
        keyOf={({ person }) => person.id}
        detail={{
          label: ({ person }) => `${person.displayName}’s tasks`,
          content: (employee) => <EmployeeTasks employee={employee} sprintId={choice.sprint} />,
        }}
        {...(totals && { totals: totalsRow(totals, first?.everyone) })}
        choosable="stats"
        fitsWindow
        empty={<NobodyFound search={asked.search} scope={choice.scope} onClear={() => setTyped('')} />}
      />
    </Panel>
  );
}

type NobodyProps = { readonly search: string; readonly scope: string | null; readonly onClear: () => void };

/** People without scopes have none to choose. */
function NobodyFound({ search, scope, onClear }: NobodyProps) {
  if (search === '')
    return (
      <EmptyState title="No tasks here">
        {scope === null
          ? 'No one whose stats you can see has tasks in this sprint. Choose another sprint.'
          : 'No one in this scope has tasks in this sprint. Choose another sprint or scope.'}
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

type EmployeeTasksProps = { readonly employee: Employee; readonly sprintId: string | null };

/** A person's approved tasks, one line each; the rest is only counted, because it is private. */
function EmployeeTasks({ employee, sprintId }: EmployeeTasksProps) {
  const { INAPPROVAL, DENIED } = employee.counts;
  const apart = [
    INAPPROVAL > 0 && `${INAPPROVAL} ${taskStatuses.INAPPROVAL.title}`,
    DENIED > 0 && `${DENIED} ${taskStatuses.DENIED.title}`,
  ].filter(Boolean);
  return (
    <PersonIssues
      person={employee.person}
      sprintId={sprintId}
      issueOf={({ taskStatus }) => <StatusPill status={taskStatus} />}
    >
      {apart.length > 0 && <li className={tasks.quiet}>Not counted yet: {apart.join(', ')}.</li>}
      {employee.invisible && <li className={tasks.quiet}>Invisible: {pillReasons.invisible}.</li>}
      {employee.corrections > 0 && <li className={tasks.quiet}>Corrections: {pillReasons.correction}.</li>}
    </PersonIssues>
  );
}
