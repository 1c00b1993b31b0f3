import { Button } from '@mantine/core';
import { countWords, listWords, plural } from '#core/base/formats.ts';
import { useMutation } from '#web/api/mutation.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { type ImportRun, reportAddress } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { numberingTitle, ruleKinds } from './rule-form.ts';

export type Reason = ImportRun['reasons'][number];

const headings: Readonly<Record<string, string>> = { refused: 'Refused', leftOut: 'Left out', warning: 'Check' };

/** Different lines and values are left out of a reason: the example has some. */
const reasonWords = (reason: string): string => reason.replaceAll(': …', '').replaceAll('line …', 'another line');

const columnsOf = (isImported: boolean): DataColumn<Reason>[] => [
  {
    id: 'kind',
    title: isImported ? 'What happened' : 'What would happen',
    cell: ({ kind }) => (isImported && kind === 'warning' ? 'Imported, but check' : (headings[kind] ?? kind)),
    phone: 'below',
  },
  { id: 'count', title: 'Rows', numeric: true, cell: ({ count }) => countWords(count), phone: 'value' },
  {
    id: 'reason',
    title: 'Why',
    phone: 'name',
    cell: ({ column, reason }) => (
      <span className={classes.words}>{[column, reasonWords(reason)].filter(Boolean).join(' ')}</span>
    ),
  },
  {
    id: 'example',
    title: 'Example',
    // A warning names its values itself.
    cell: ({ kind, line, value, values }) => (
      <span className={classes.words}>
        {line > 0 && `Line ${countWords(line)}`}
        {value !== null && `: ${values.length > 1 && kind === 'refused' ? listWords(values) : value}`}
      </span>
    ),
  },
];

const [ofImport, ofTrial] = [columnsOf(true), columnsOf(false)];

export const hasRepeatedIds = (reasons: readonly Reason[]): boolean =>
  reasons.some(({ reason }) => /^has the id of/i.test(reason));

const copyWords = 'Exact copy';

/** Other ids find no imported row again, so an import is undone before its ids change. */
const withOtherId = (isImported: boolean, choice: string): string =>
  `${isImported ? 'undo this import, ' : ''}choose “${ruleKinds.together}” for the ID and ${choice}${isImported ? ', and import the whole file again' : ''}.`;

type TableProps = {
  readonly reasons: readonly Reason[];
  /** Not only read, as by a preview or dry run. */
  readonly isImported: boolean;
};

/** Why rows were refused or left out, with the number of rows and an example of each reason. */
export function ReasonTable({ reasons, isImported }: TableProps) {
  const numberWords = withOtherId(isImported, `select “${numberingTitle}”`);
  const copies = reasons.find(({ kind, reason }) => kind === 'refused' && reason.startsWith(copyWords))?.count ?? 0;
  return (
    <>
      <DataTable
        caption="Rows by reason"
        items={reasons}
        columns={isImported ? ofImport : ofTrial}
        keyOf={({ kind, column, reason }) => `${kind} ${column} ${reason}`}
      />
      {copies > 0 && (
        <p className={classes.quiet}>
          {copies === 1 ? '1 row is an exact copy' : `${countWords(copies)} rows are exact copies`} of an earlier line.
          If{' '}
          {copies === 1
            ? 'it was exported twice, leave it refused. If it counts, '
            : 'they were exported twice, leave them refused. If they count, '}
          {numberWords}
        </p>
      )}
      {hasRepeatedIds(reasons) && (
        <p className={classes.quiet}>
          {copies > 0
            ? `Other rows have the same ID but differ. If they’re different rows, ${withOtherId(isImported, 'add a column in which they differ')}`
            : `If those are different rows, ${numberWords}`}
        </p>
      )}
    </>
  );
}

/** A reason that refuses most rows is more likely the mapping's than the rows'. */
const most = 0.5;
const isOfFormat = (reason: string): boolean => /^isn’t (a|an) (date|day|amount|number|whole number)\b/.test(reason);

/** The column whose format is probably wrong. */
const wrongFormat = ({ reasons, rows }: ImportRun): string | undefined =>
  reasons.find(({ kind, reason, count }) => kind === 'refused' && isOfFormat(reason) && count > rows * most)?.column;

/** Correcting the rows isn't the remedy if the mapping is wrong. */
function downloadWords(wrongColumn: string | undefined, reasons: readonly Reason[]): string {
  if (wrongColumn !== undefined) return 'If the format is right, download';
  return hasRepeatedIds(reasons) ? 'If the ID’s columns are right, download' : 'Download';
}

/** An import's reasons, and the way to correct its refused rows. */
export function ImportReasons({ run }: { readonly run: ImportRun }) {
  const column = wrongFormat(run);
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
      {column !== undefined && (
        <p role="alert">
          Most rows don’t fit the format of “{column}”. Check that format in the mapping, then run the file again.
        </p>
      )}
      {run.hasReport && (
        <div className={classes.actions}>
          <p className={classes.words}>
            {downloadWords(column, run.reasons)} the refused {run.refused === 1 ? 'row' : 'rows'}, correct{' '}
            {run.refused === 1 ? 'it' : 'them'}, and import that file with the same mapping. Keep the column
            refused_because: the import needs it to recognize {run.refused === 1 ? 'the row' : 'the rows'}.
          </p>
          <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
            Download {plural(run.refused, 'refused row')}
          </Button>
        </div>
      )}
      <ReasonTable reasons={run.reasons} isImported={!run.isDryRun} />
    </>
  );
}
