import { Button } from '@mantine/core';
import { countWords, plural } from '#core/base/formats.ts';
import { useMutation } from '#web/api/mutation.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { type ImportRun, reportAddress } from './import-calls.ts';
import classes from './import-wizard.module.css';

export type Reason = ImportRun['reasons'][number];

const headings: Readonly<Record<string, string>> = {
  refused: 'Refused',
  leftOut: 'Left out',
  warning: 'Imported, but check',
};

const columns: DataColumn<Reason>[] = [
  { id: 'kind', title: 'What happened', cell: ({ kind }) => headings[kind] ?? kind, phone: 'below' },
  { id: 'count', title: 'Rows', numeric: true, cell: ({ count }) => countWords(count), phone: 'value' },
  {
    id: 'reason',
    title: 'Why',
    phone: 'name',
    cell: ({ column, reason }) => <span className={classes.words}>{[column, reason].filter(Boolean).join(' ')}</span>,
  },
  {
    id: 'example',
    title: 'Example',
    phone: 'below',
    cell: ({ line, value }) => (
      <span className={classes.words}>
        Line {countWords(line)}
        {value !== null && `: ${value}`}
      </span>
    ),
  },
];

/** Why rows were refused or left out, with the number of rows and an example of each reason. */
export function ReasonTable({ reasons }: { readonly reasons: readonly Reason[] }) {
  return (
    <DataTable
      caption="Rows by reason"
      items={reasons}
      columns={columns}
      keyOf={({ kind, column, reason }) => `${kind} ${column} ${reason}`}
    />
  );
}

/** An import's reasons, and the way to correct its refused rows. */
export function ImportReasons({ run }: { readonly run: ImportRun }) {
  const download = useMutation({
    mutationFn: () => reportAddress(run.id),
    onSuccess: (address) => {
      const link = document.createElement('a');
      link.href = address;
      link.download = '';
      link.click();
    },
    meta: { what: 'Downloading the refused rows' },
  });
  return (
    <>
      {run.hasReport && (
        <div className={classes.actions}>
          <p className={classes.words}>
            Download the refused {run.refused === 1 ? 'row' : 'rows'}, correct {run.refused === 1 ? 'it' : 'them'}, and
            import that file with the same mapping. The column refused_because is ignored.
          </p>
          <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
            Download {plural(run.refused, 'refused row')}
          </Button>
        </div>
      )}
      <ReasonTable reasons={run.reasons} />
    </>
  );
}
