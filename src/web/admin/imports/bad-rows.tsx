import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { type ImportRun, reportAddress } from './import-calls.ts';
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

/** The rows of an import that did not fit. */
export function BadRows({ run }: { readonly run: ImportRun }) {
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
