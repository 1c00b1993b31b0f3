import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { dayInZone, dayWords, instantWithYear } from '#core/base/day-words.ts';
import { countWords } from '#core/base/formats.ts';
import { datasetOf, isDataset } from '#core/numbers/datasets.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { numberWords } from '#web/charts/number-format.ts';
import { Age } from '#web/ui/age.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import {
  type LastImport,
  lastImportsQuery,
  runQuery,
  type UndoPreview,
  undoPreviewQuery,
  undoRun,
} from './import-calls.ts';
import { ImportReasons } from './import-reasons.tsx';
import classes from './import-wizard.module.css';
import { useStopImport } from './use-import.ts';

/** Imports from the wizard, by HTTP and by command: what each did, and the way to stop or undo it. */
export function LastImports() {
  const imports = useQuery(lastImportsQuery);
  useNumbersOf(imports.data);
  return (
    <Panel title="Last imports" flush>
      <DataTable
        caption="Imports and dry runs"
        unit="imports"
        query={imports}
        failed="Couldn’t load the imports."
        items={imports.data ?? []}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No imports yet">Everyone who can import sees imports and dry runs here.</EmptyState>}
      />
    </Panel>
  );
}

const titleOf = (dataset: string) => (isDataset(dataset) ? datasetOf(dataset).title : dataset);

const ways: Readonly<Record<string, string>> = { wizard: 'Wizard', http: 'HTTP', command: 'Command' };

const countOf = (id: 'inserted' | 'updated' | 'unchanged', title: string): DataColumn<LastImport> => ({
  id,
  title,
  numeric: true,
  cell: (run) => <span data-zero={run[id] === 0}>{numberWords(String(run[id]), 'count', null)}</span>,
});

const columns: DataColumn<LastImport>[] = [
  {
    id: 'file',
    title: 'File',
    cell: ({ fileName, dataset, source, way, isDryRun, undoState }) => (
      <span data-undone={undoState === 'done'}>
        <span className={classes.words}>{fileName}</span> {isDryRun && <Pill>Dry run</Pill>}
        <span className={classes.detail}>
          {isDataset(dataset) && !isDryRun ? (
            <Link to={datasetOf(dataset).page}>{titleOf(dataset)}</Link>
          ) : (
            titleOf(dataset)
          )}{' '}
          · {source} · {ways[way] ?? way}
        </span>
      </span>
    ),
  },
  {
    id: 'when',
    title: 'Imported',
    phone: 'value',
    cell: ({ startedAt, startedBy, way }) => (
      <>
        {startedBy ?? (way === 'command' ? 'Command' : null)}
        <span className={classes.detail}>
          <Age instant={startedAt} zone={config().companyTimeZone} ago />
        </span>
      </>
    ),
  },
  countOf('inserted', 'New'),
  countOf('updated', 'Changed'),
  countOf('unchanged', 'Unchanged'),
  { id: 'refused', title: 'Refused', numeric: true, cell: (run) => <Refused run={run} /> },
  { id: 'state', title: 'State', phone: 'below', cell: (run) => <State run={run} /> },
];

/** The counts of refused and left-out rows, with the way to their reasons. */
function Refused({ run }: { readonly run: LastImport }) {
  const [isOpen, setOpen] = useState(false);
  const { refused, leftOut, fileName } = run;
  const count = (
    <span className={refused > 0 ? classes.fault : undefined} data-zero={refused === 0}>
      {countWords(refused)}
    </span>
  );
  if (run.state === 'running' || refused + leftOut === 0) return count;
  return (
    <>
      {count}
      {leftOut > 0 && <span className={classes.detail}>{countWords(leftOut)} left out</span>}
      <Button variant="subtle" size="compact-xs" aria-label={`Why: ${fileName}`} onClick={() => setOpen(true)}>
        Why
      </Button>
      {isOpen && <ReasonsDialog run={run} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReasonsDialog({ run, onClose }: UndoProps) {
  const { data, error, isPending, refetch } = useQuery(runQuery(run.id));
  return (
    <Dialog opened title={`Rows of ${run.fileName} by reason`} width={720} onClose={onClose}>
      {error && !data ? (
        <PanelError sentence="Couldn’t load the reasons." requestId={error.requestId} onRetry={() => void refetch()} />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows rows={3} />}>
          {data && <ImportReasons run={data} />}
        </Loading>
      )}
      <DialogActions cancel="Close" />
    </Dialog>
  );
}

/** How the import or its undo goes, and what can be done about it. */
function State({ run }: { readonly run: LastImport }) {
  const stop = useStopImport();
  const [asking, setAsking] = useState(false);
  const isRunning = run.state === 'running';
  const isStopping = run.isStopping || stop.isPending || stop.isSuccess;
  const home = useRef<HTMLDivElement>(null);
  const words = useFocusBack<HTMLParagraphElement>(isRunning, home);
  return (
    <div ref={home} className={classes.result}>
      <div className={classes.way}>
        <p ref={words} tabIndex={-1} className={classes.state}>
          {stateWords(run)}
          {isRunning && isStopping && ', stopping…'}
        </p>
        <Writes>
          {isRunning && (
            <Button
              variant="default"
              aria-label={`Stop ${run.fileName}`}
              loading={isStopping}
              onClick={() => stop.mutate(run.id)}
            >
              Stop
            </Button>
          )}
          {run.canUndo && (
            <Button variant="default" aria-label={`Undo ${run.fileName}`} onClick={() => setAsking(true)}>
              Undo
            </Button>
          )}
        </Writes>
      </div>
      {isRunning && (
        <progress className={classes.bar} aria-label={`Progress of ${run.fileName}`} value={run.share} max={1} />
      )}
      {asking && <UndoDialog run={run} onClose={() => setAsking(false)} />}
    </div>
  );
}

const sendAgain = 'Imported rows stay. Import the file again for the rest';

/** What the counts beside it don't say. */
export function stateWords(run: LastImport): string {
  const { state, isDryRun, rows, reason, undoState, undoneRows, undoReason, undoneAt, undoneBy } = run;
  const counted = (count: number) => numberWords(String(count), 'count', null);
  if (undoState === 'running') return `Undoing: ${counted(undoneRows)} rows so far`;
  if (undoState === 'done' && undoneAt)
    return `Undone ${dayWords(dayInZone(undoneAt, config().companyTimeZone))}${undoneBy ? ` by ${undoneBy}` : ''}`;
  if (undoState === 'failed') return `Not undone. ${undoReason ?? ''}`;
  if (state === 'running') return `${counted(rows)} rows read`;
  if (state === 'done') return isDryRun ? 'Nothing was saved' : 'Done';
  if (state === 'stopped') return isDryRun ? 'Stopped' : `Stopped. ${sendAgain}`;
  return `Failed. ${reason ?? ''}`;
}

type UndoProps = { readonly run: LastImport; readonly onClose: () => void };

/** Says what goes and what comes back before anything does. */
function UndoDialog({ run, onClose }: UndoProps) {
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(undoPreviewQuery(run.id));
  const undo = useMutation({
    mutationFn: () => undoRun(run.id),
    onSettled: () => {
      void client.invalidateQueries(lastImportsQuery);
      onClose();
    },
    meta: { what: 'Undoing the import' },
  });
  const blockedBy = data?.blockedBy;
  return (
    <Dialog opened title={`Undo ${run.fileName}?`} width={520} onClose={onClose}>
      {error && !data ? (
        <PanelError
          sentence="Couldn’t load what this import changed."
          requestId={error.requestId}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows rows={3} />}>
          {data && <UndoFacts preview={data} />}
        </Loading>
      )}
      {blockedBy ? (
        <DialogActions cancel="Close" />
      ) : (
        <DialogActions
          cancel="Keep import"
          danger
          primary="Undo import"
          busy={undo.isPending}
          disabled={!data}
          onPrimary={() => undo.mutate()}
        />
      )}
    </Dialog>
  );
}

const rowWords = (count: number) => (count === 1 ? '1 row' : `${numberWords(String(count), 'count', null)} rows`);

function UndoFacts({ preview }: { readonly preview: UndoPreview }) {
  const { removed, restored, blockedBy, firstDay, lastDay, amountTitle, totals } = preview;
  if (blockedBy) {
    const when = instantWithYear(blockedBy.startedAt, config().companyTimeZone);
    return (
      <p>
        A later import has some of these rows too. First undo {blockedBy.fileName}, imported on {when}.
      </p>
    );
  }
  return (
    <>
      <ul className={classes.facts}>
        {removed > 0 && <li>Removed: {rowWords(removed)} that this import added.</li>}
        {removed + restored === 0 && <li>This import changed no rows. Its undo lets you undo earlier ones.</li>}
        {restored > 0 && <li>Restored: {rowWords(restored)} that it changed, as they were before.</li>}
        <li>You can import the file again.</li>
      </ul>
      {firstDay && lastDay && (
        <DataTable
          caption={`Rows from ${dayWords(firstDay)} to ${dayWords(lastDay)}, now and after the undo`}
          items={totals}
          columns={amountTitle ? totalColumns(amountTitle) : rowColumns}
          keyOf={({ currency }) => currency ?? ''}
        />
      )}
    </>
  );
}

type UndoTotal = UndoPreview['totals'][number];

const rowColumns: DataColumn<UndoTotal>[] = [
  { id: 'currency', title: 'Currency', cell: ({ currency }) => currency ?? 'All' },
  {
    id: 'rowsNow',
    title: 'Rows now',
    numeric: true,
    phone: 'below',
    cell: ({ rowsNow }) => numberWords(String(rowsNow), 'count', null),
  },
  {
    id: 'rowsAfter',
    title: 'After',
    numeric: true,
    phone: 'value',
    cell: ({ rowsAfter }) => numberWords(String(rowsAfter), 'count', null),
  },
];

const totalColumns = (amountTitle: string): DataColumn<UndoTotal>[] => [
  ...rowColumns,
  {
    id: 'amountNow',
    title: `${amountTitle} now`,
    numeric: true,
    phone: 'below',
    cell: ({ amountNow, currency }) => numberWords(amountNow, 'money', currency),
  },
  {
    id: 'amountAfter',
    title: 'After',
    numeric: true,
    phone: 'value',
    cell: ({ amountAfter, currency }) => numberWords(amountAfter, 'money', currency),
  },
];

/** When another import has written rows, the pages' cached numbers are outdated. */
function useNumbersOf(runs: readonly LastImport[] | undefined): void {
  const client = useQueryClient();
  const written = runs
    ?.filter(({ isDryRun, state, undoState }) => !isDryRun && state !== 'running' && undoState !== 'running')
    .map(({ id, undoState }) => `${id}${undoState}`)
    .join();
  const known = useRef(written);
  useEffect(() => {
    const hasChanged = known.current !== undefined && known.current !== written;
    known.current = written;
    if (hasChanged) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'import' });
  }, [client, written]);
}
