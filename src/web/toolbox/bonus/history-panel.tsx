import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { statementHead, statementRows } from '#core/toolbox/bonus-words.ts';
import { saveCsv } from '#web/charts/save-csv.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { type BonusWeek, type PastStatement, statementsQuery, weekQuery } from './bonus-queries.ts';
import { money, noStatements } from './bonus-words.ts';
import { Thread } from './thread-state.tsx';
import type { BonusChoice } from './use-bonus-choice.ts';

const threadOf = ({ lines }: PastStatement): string | null => {
  const states = lines.map(({ thread }) => thread);
  return states.includes('open') ? 'open' : (states.find((state) => state !== null) ?? null);
};

const columns: DataColumn<PastStatement>[] = [
  {
    id: 'sprint',
    title: 'Sprint',
    sortBy: ({ sprint }) => sprint.name,
    cell: ({ sprint }) => sprint.name,
    phone: 'name',
  },
  {
    id: 'plan',
    title: 'Plan',
    cell: ({ planVersion }) => `Version ${planVersion}`,
    phone: 'below',
  },
  {
    id: 'corrections',
    title: 'Corrections',
    numeric: true,
    sortBy: ({ corrections }) => corrections,
    cell: ({ corrections }) => corrections,
  },
  { id: 'question', title: 'Question', cell: (statement) => <Thread state={threadOf(statement)} /> },
  {
    id: 'amount',
    title: 'Amount',
    numeric: true,
    sortBy: ({ amount }) => Number(amount),
    cell: ({ amount, currency }) => money(amount, currency),
    phone: 'value',
  },
];

/** A person's recorded statements, with their lines as a file. */
export function HistoryPanel({ choice }: { choice: BonusChoice }) {
  const statements = useQuery(statementsQuery(choice.userId));
  const { data } = statements;
  // The statement above reads it, too.
  const person = useQuery(weekQuery(choice.userId, choice.sprintId)).data?.person;
  if (statements.error?.code === 'NOT_FOUND') return null;
  const actions = (
    <Button
      variant="default"
      leftSection={<IconDownload size={15} stroke={1.7} />}
      disabled={!person || !data || data.length === 0}
      onClick={() => person && data && save(person, data)}
    >
      Export CSV
    </Button>
  );
  return (
    <Panel title="Recorded statements" note={data?.length} actions={actions} flush>
      <DataTable
        caption="Recorded statements"
        unit="statements"
        query={statements}
        failed="Couldn’t load the statements."
        items={data ?? []}
        columns={columns}
        keyOf={({ sprint }) => sprint.id}
        onOpen={({ sprint }) => {
          choice.chooseSprint(sprint.id);
          // The statement is above.
          scrollTo({ top: 0 });
        }}
        openKey={choice.sprintId}
        empty={<EmptyState title={noStatements.title}>{noStatements.sentence}</EmptyState>}
      />
    </Panel>
  );
}

function save(person: BonusWeek['person'], statements: readonly PastStatement[]): void {
  const rows = statements.flatMap((statement) => statementRows(person, statement.sprint.name, statement));
  saveCsv(`bonus-statements ${person.displayName}`, statementHead, rows);
}
