import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { DefinitionCard } from './definition-card.tsx';
import classes from './employee-columns.module.css';
import { waitWords } from './employee-columns.tsx';
import page from './stats-page.module.css';
import type { TimeWithApprover } from './stats-queries.ts';

/** Phones hide the headers, so the number needs its own label. */
function Labelled({ label, children }: { label: string; children: string }) {
  return (
    <>
      <span className={classes.phoneLabel}>{label} </span>
      {children}
    </>
  );
}

const columns: readonly DataColumn<TimeWithApprover>[] = [
  {
    id: 'approver',
    title: 'Approver',
    sortBy: ({ approver }) => approver.displayName,
    cell: ({ approver }) => <span className={classes.name}>{approver.displayName}</span>,
  },
  { id: 'decided', title: 'Decided', numeric: true, sortBy: ({ decided }) => decided, cell: ({ decided }) => decided },
  {
    id: 'median',
    title: 'Median',
    numeric: true,
    sortBy: ({ median }) => median,
    cell: ({ median }) => <Labelled label="median">{waitWords(median)}</Labelled>,
    phone: 'value',
  },
  {
    id: 'p90',
    title: '9 in 10 within',
    numeric: true,
    sortBy: ({ p90 }) => p90,
    cell: ({ p90 }) => <Labelled label="9 in 10 within">{waitWords(p90)}</Labelled>,
    phone: 'change',
  },
  { id: 'waiting', title: 'Waiting', numeric: true, sortBy: ({ waiting }) => waiting, cell: ({ waiting }) => waiting },
];

/** How long tasks waited for each approver, separate from the employees' rates. */
export function TimeWithApproverPanel({ times }: { times: readonly TimeWithApprover[] }) {
  return (
    <Panel title="Time with approver" note="hours per decision" actions={<DefinitionCard of="waited" />} flush>
      <div className={page.clock}>
        <DataTable
          caption="Hours that tasks waited on each approver"
          items={times}
          columns={columns}
          keyOf={({ approver }) => approver.id}
          sortedBy={{ id: 'median', desc: true }}
          empty={
            <EmptyState title="No decisions">Nothing was decided in this sprint, and nothing is waiting.</EmptyState>
          }
        />
      </div>
    </Panel>
  );
}
