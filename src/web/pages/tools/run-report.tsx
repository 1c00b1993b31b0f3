import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { type ImportRun, reportAddress, runQuery } from './import-calls.ts';
import classes from './import-wizard.module.css';

type Fault = ImportRun['faults'][number];

const count = new Intl.NumberFormat('en-GB');
const columns: DataColumn<Fault>[] = [
  {
    id: 'line',
    title: 'Line',
    sortBy: ({ line }) => line,
    cell: ({ line }) => count.format(line),
    numeric: true,
    phone: 'name',
  },
  { id: 'column', title: 'Field', sortBy: ({ column }) => column, cell: ({ column }) => column, phone: 'below' },
  { id: 'reason', title: 'What is wrong', cell: ({ reason }) => reason, phone: 'value' },
];

/** How an import goes, and what it did: every second while it runs. */
export function RunReport({ id }: { readonly id: string }) {
  const client = useQueryClient();
  const { data: run, error, refetch } = useQuery(runQuery(id));
  const hasChanged = run?.state === 'done' && !run.isDryRun;
  useEffect(() => {
    // What the pages of numbers hold is from before.
    if (hasChanged) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'import' });
  }, [client, hasChanged]);
  if (error)
    return (
      <PanelError
        sentence="How the import stands could not be read."
        onRetry={() => void refetch()}
        requestId={error.requestId}
      />
    );
  if (!run) return null;
  return (
    <div className={classes.report}>
      <p role="status">{sentenceOf(run)}</p>
      {run.state === 'running' && (
        <progress className={classes.bar} aria-label="How much has been read" value={run.share} max={1} />
      )}
      {run.refused > 0 && run.state !== 'running' && <BadRows run={run} />}
    </div>
  );
}

function sentenceOf({ state, isDryRun, rows, inserted, updated, unchanged, refused, reason }: ImportRun): string {
  if (state === 'running') return `${isDryRun ? 'Dry run' : 'Import'}: ${count.format(rows)} rows read`;
  if (state === 'failed') return `The import stopped after ${count.format(rows)} rows: ${reason ?? ''}`;
  const [added, changed] = isDryRun ? ['would be added', 'would be changed'] : ['added', 'changed'];
  const parts = [
    `${count.format(rows)} rows read`,
    `${count.format(inserted)} ${added}`,
    `${count.format(updated)} ${changed}`,
    `${count.format(unchanged)} as they were`,
    `${count.format(refused)} did not fit`,
  ];
  return `${isDryRun ? 'Dry run, nothing was written' : 'Imported'}: ${parts.join(', ')}.`;
}

function BadRows({ run }: { readonly run: ImportRun }) {
  const download = useMutation({
    mutationFn: () => reportAddress(run.id),
    onSuccess: (address) => {
      const link = document.createElement('a');
      link.href = address;
      link.download = '';
      link.click();
    },
    meta: { what: 'Downloading the rows that did not fit' },
  });
  return (
    <>
      <div className={classes.actions}>
        <p>The first of the rows that did not fit:</p>
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          Download all of them
        </Button>
      </div>
      <DataTable
        caption="Rows that did not fit"
        items={run.faults}
        columns={columns}
        keyOf={({ line, column, reason }) => `${line} ${column} ${reason}`}
      />
    </>
  );
}
