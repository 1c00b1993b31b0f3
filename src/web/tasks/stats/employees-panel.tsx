import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { matches } from '#web/ui/matches.ts';
import { Panel } from '#web/ui/panel.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { employeeColumns, totalsRow } from './employee-columns.tsx';
import { EmployeeTable } from './employee-table.tsx';
import { EmployeeTasks } from './employee-tasks.tsx';
import { byName, useOrder } from './row-order.ts';
import { saveStats } from './stats-csv.ts';
import classes from './stats-page.module.css';
import type { SprintStats } from './stats-queries.ts';

type Props = { readonly stats: SprintStats; readonly scope: string | null };

/** Everybody's week in one table. The totals are of all people shown by the scope, whatever is searched for. */
export function EmployeesPanel({ stats, scope }: Props) {
  const [search, setSearch] = useState('');
  const found = stats.employees.filter(({ person }) => matches(`${person.displayName} ${person.team ?? ''}`, search));
  const ordering = useOrder(found, employeeColumns, byName);
  const all = stats.employees.length;
  const actions = (
    <div className={classes.choices}>
      <SearchField scope="Stats" label="Find a person or team" value={search} onChange={setSearch} />
      <Button
        variant="default"
        leftSection={<IconDownload size={15} stroke={1.7} />}
        disabled={found.length === 0}
        onClick={() => saveStats(stats.sprint, scope, ordering.rows)}
      >
        Export CSV
      </Button>
    </div>
  );
  return (
    <Panel title="Employees" note={found.length === all ? all : `${found.length} of ${all}`} actions={actions} flush>
      {found.length === 0 ? (
        <NobodyFound search={search} onClear={() => setSearch('')} />
      ) : (
        <EmployeeTable
          caption="Employees with their sprint tasks and rates"
          ordering={ordering}
          columns={employeeColumns}
          keyOf={({ person }) => person.id}
          nameOf={({ person }) => person.displayName}
          detail={(employee) => <EmployeeTasks employee={employee} sprintId={stats.sprint.id} />}
          totals={totalsRow(stats.totals)}
        />
      )}
    </Panel>
  );
}

function NobodyFound({ search, onClear }: { search: string; onClear: () => void }) {
  if (search === '')
    return (
      <EmptyState title="Nobody has tasks here">
        No person of this scope kept tasks in this sprint. Choose another sprint or scope above.
      </EmptyState>
    );
  return (
    <EmptyState
      title={`Nobody matches “${search}”`}
      action={
        <Button variant="default" onClick={onClear}>
          Show everybody
        </Button>
      }
    >
      The search looks at names and teams.
    </EmptyState>
  );
}
