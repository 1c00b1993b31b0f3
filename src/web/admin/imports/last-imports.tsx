import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { dayInZone, daySpanWithYear, dayWithYear, instantWithYear } from '#core/base/day-words.ts';
import { countWords, plural } from '#core/base/formats.ts';
import { datasetOf, isDataset } from '#core/numbers/datasets.ts';
import { importLimits } from '#core/numbers/imports.ts';
import { config } from '#web/api/config.ts';
import { useList } from '#web/api/list-query.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { numberWords } from '#web/charts/number-format.ts';
import { Age } from '#web/ui/age.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
import { Writes } from '#web/ui/writes.tsx';
import { EraseReference } from './erase-reference.tsx';
import {
  type LastImport,
  lastImportsKey,
  lastImportsQuery,
  previewsKey,
  runQuery,
  searchOf,
  type UndoPreview,
  undoPreviewQuery,
  undoRun,
} from './import-calls.ts';
import { ImportReasons } from './import-reasons.tsx';
import classes from './import-wizard.module.css';
import { RemoveSource } from './remove-source.tsx';
import { RetentionOfRows } from './retention.tsx';
import { useStopImport } from './use-import.ts';

/** Imports from the wizard, by HTTP and by command: what each did, and the way to stop or undo it. */
export function LastImports() {
  const viewer = useViewer();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, typingPauseMs);
  const { query, items, more } = useList(lastImportsQuery(search));
  // Other pages and searches show other runs, which says nothing about their numbers.
  useNumbersOf(
    search === '' && query.isSuccess && !query.isPlaceholderData ? items.slice(0, importLimits.runs) : undefined,
  );
  const actions = (
    <div className={classes.actions}>
      <SearchField label="Search imports" scope="Import" value={typed} onChange={setTyped} />
      {isAdmin(viewer) && (
        <Writes>
          <RemoveSource />
          <EraseReference />
          <RetentionOfRows />
        </Writes>
      )}
    </div>
  );
  return (
    <Panel title="Imports" actions={actions} flush>
      <DataTable
        caption="Imports and dry runs"
        unit="imports"
        query={query}
        failed="Couldn’t load the imports."
        items={items}
        more={more}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          search === '' ? (
            <EmptyState title="No imports yet">
              Imports and dry runs of data that you can import appear here.
            </EmptyState>
          ) : (
            <EmptyState title="No matching imports" />
          )
        }
      />
    </Panel>
  );
}

/** What a run without a file did. */
const removalTitles: Readonly<Record<string, string>> = { removal: 'Source removed', erasure: 'Person erased' };
const isRemoval = ({ way }: LastImport) => removalTitles[way] !== undefined;

function nameOf({ way, source, fileName }: LastImport): string {
  if (way === 'removal') return `removal of ${source}`;
  return way === 'erasure' ? 'erasure' : fileName;
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
    cell: ({ fileName, dataset, source, way, isDryRun, undoState, totals }) => (
      <span data-undone={undoState === 'done'}>
        <span className={classes.words}>{removalTitles[way] ?? fileName}</span> {isDryRun && <Pill>Dry run</Pill>}
        <span className={classes.detail}>
          {isDataset(dataset) && !isDryRun ? (
            // An undone import's rows are nowhere.
            <Link to={datasetOf(dataset).page} search={searchOf(source, undoState === 'done' ? [] : totals)}>
              {titleOf(dataset)}
            </Link>
          ) : (
            titleOf(dataset)
          )}
          {source !== '' && ` · ${source}`}
          {ways[way] && ` · ${ways[way]}`}
        </span>
      </span>
    ),
  },
  {
    id: 'when',
    title: 'Imported',
    phone: 'value',
    cell: (run) => (
      <>
        {run.startedBy ?? (run.way === 'command' || isRemoval(run) ? 'Command' : null)}
        <span className={classes.detail}>
          <Age instant={run.startedAt} zone={config().companyTimeZone} ago />
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

/** The counts of refused and left-out rows and of warnings, with the way to their reasons. */
function Refused({ run }: { readonly run: LastImport }) {
  const [isOpen, setOpen] = useState(false);
  const { refused, leftOut, warnings = 0 } = run;
  const fileName = nameOf(run);
  const count = (
    <span className={refused > 0 ? classes.fault : undefined} data-zero={refused === 0}>
      {countWords(refused)}
    </span>
  );
  if (run.state === 'running' || refused + leftOut + warnings === 0) return count;
  return (
    <>
      {count}
      {leftOut > 0 && <span className={classes.detail}>{countWords(leftOut)} left out</span>}
      {warnings > 0 && <span className={classes.detail}>{plural(warnings, 'warning')}</span>}
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
    <Dialog opened title={`Rows in ${run.fileName} by reason`} width={720} onClose={onClose}>
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
              aria-label={`Stop ${nameOf(run)}`}
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
      {isRunning && !isRemoval(run) && (
        <progress className={classes.bar} aria-label={`Progress of ${nameOf(run)}`} value={run.share} max={1} />
      )}
      {/* Someone else may have undone it by now. */}
      {asking && run.canUndo && <UndoDialog run={run} onClose={() => setAsking(false)} />}
    </div>
  );
}

const sendAgain = 'Imported rows stay. Import the file again to add the rest';

/** What the counts beside it don't say. */
export function stateWords(run: LastImport): string {
  const { state, isDryRun, rows, reason, undoState, undoneRows, undoReason, undoneAt, undoneBy, waitsFor } = run;
  const { canUndo, inserted, updated } = run;
  const hasWritten = inserted + updated > 0;
  const counted = (count: number) => numberWords(String(count), 'count', null);
  if (waitsFor) return `Waiting for ${waitsFor}`;
  if (isRemoval(run)) return removalWords(run);
  if (undoState === 'running') return `Undoing: ${counted(undoneRows)} rows so far`;
  if (undoState === 'done' && undoneAt)
    return `Undone ${dayWithYear(dayInZone(undoneAt, config().companyTimeZone))}${undoneBy ? ` by ${undoneBy}` : ''}`;
  if (undoState === 'failed') return `Not undone. ${undoReason ?? ''}`;
  if (state === 'running') return `${counted(rows)} rows read`;
  if (state === 'done')
    return isDryRun
      ? 'Nothing was saved'
      : canUndo || !hasWritten
        ? 'Done'
        : `Done. Undo is no longer available${undoReason ? `. ${undoReason}` : ''}`;
  if (state === 'stopped') return isDryRun ? 'Stopped' : `Stopped. ${sendAgain}`;
  return `Failed. ${reason ?? ''}`;
}

function removalWords({ state, rows, reason, way }: LastImport): string {
  const counted = rowWords(rows);
  const isErasure = way === 'erasure';
  if (state === 'running') return `${isErasure ? 'Erasing' : 'Removing'}: ${counted} so far`;
  if (state === 'done') return isErasure ? `Erased from ${counted}` : `Removed ${counted}`;
  return state === 'stopped' ? `Stopped. Nothing was ${isErasure ? 'erased' : 'removed'}` : `Failed. ${reason ?? ''}`;
}

type UndoProps = { readonly run: LastImport; readonly onClose: () => void };

/** Says what goes and what comes back before anything does. */
function UndoDialog({ run, onClose }: UndoProps) {
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery(undoPreviewQuery(run.id));
  const undo = useMutation({
    mutationFn: () => undoRun(run.id),
    onSettled: () => void client.invalidateQueries(lastImportsKey),
    onSuccess: onClose,
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
          {data && <UndoFacts preview={data} hasRefunds={run.dataset === 'orders'} />}
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

function UndoFacts({ preview, hasRefunds }: { readonly preview: UndoPreview; readonly hasRefunds: boolean }) {
  const { removed, restored, blockedBy, firstDay, lastDay, amountTitle, totals } = preview;
  if (blockedBy) {
    const zone = config().companyTimeZone;
    return (
      <p>
        A later import has some of these rows too. First undo {blockedBy.fileName}, imported{' '}
        <Age instant={blockedBy.startedAt} zone={zone} ago /> ({instantWithYear(blockedBy.startedAt, zone)}).
      </p>
    );
  }
  return (
    <>
      <ul className={classes.facts}>
        {removed > 0 && <li>Removes {rowWords(removed)} that this import added.</li>}
        {removed + restored === 0 && <li>It changed no rows. Undo it only if you want to undo an earlier import.</li>}
        {restored > 0 && <li>Restores {rowWords(restored)} that it changed.</li>}
        <li>A saved mapping isn’t undone. Correct it before you import the file again.</li>
        {hasRefunds && amountTitle && firstDay && (
          <li>Any refunds in it are undone too. The amounts below don’t include them.</li>
        )}
      </ul>
      {firstDay && lastDay && (
        <DataTable
          caption={`Rows from ${daySpanWithYear(firstDay, lastDay)}, now and after the undo`}
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
    cell: ({ rowsNow }) => numberWords(String(rowsNow), 'count', null),
  },
  {
    id: 'rowsAfter',
    title: 'Rows after',
    numeric: true,
    cell: ({ rowsAfter }) => numberWords(String(rowsAfter), 'count', null),
  },
];

const totalColumns = (amountTitle: string): DataColumn<UndoTotal>[] => [
  ...rowColumns,
  {
    id: 'amountNow',
    title: `${amountTitle} now`,
    numeric: true,
    cell: ({ amountNow, currency }) => numberWords(amountNow, 'money', currency),
  },
  {
    id: 'amountAfter',
    title: `${amountTitle} after`,
    numeric: true,
    cell: ({ amountAfter, currency }) => numberWords(amountAfter, 'money', currency),
  },
];

/** When another import has written rows, or was undone, the pages' cached numbers and previews are outdated. */
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
    if (!hasChanged) return;
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== previewsKey[0] });
    void client.invalidateQueries({ queryKey: previewsKey });
  }, [client, written]);
}
