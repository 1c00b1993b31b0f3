import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { datasetOf, isDataset } from '#core/numbers/datasets.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useFocusBack } from '#web/ui/focus-back.ts';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type LastImport, lastImportsQuery } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { runWords } from './run-words.ts';
import { useStopImport } from './use-import.ts';

/** What was imported when, by whom and with what result. One under way is found here again, also by another person. */
export function LastImports() {
  const { data, error, isPending, refetch } = useQuery(lastImportsQuery);
  useNumbersOf(data);
  return (
    <Panel title="Last imports" flush>
      {error && !data ? (
        <PanelError sentence="Couldn’t load the imports." requestId={error.requestId} onRetry={() => void refetch()} />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows />}>
          <DataTable
            caption="Imports and dry runs"
            items={data ?? []}
            columns={columns}
            keyOf={({ id }) => id}
            empty={
              <EmptyState title="No imports yet">Everyone who can import sees imports and dry runs here.</EmptyState>
            }
          />
        </Loading>
      )}
    </Panel>
  );
}

const titleOf = (dataset: string) => (isDataset(dataset) ? datasetOf(dataset).title : dataset);

const columns: DataColumn<LastImport>[] = [
  {
    id: 'file',
    title: 'File',
    cell: ({ fileName, dataset, startedBy }) => (
      <>
        <span className={classes.words}>{fileName}</span>
        <span className={classes.folded}>
          {titleOf(dataset)}
          {startedBy && `, ${startedBy}`}
        </span>
      </>
    ),
  },
  {
    id: 'dataset',
    title: 'Rows of',
    cell: ({ dataset }) => titleOf(dataset),
  },
  { id: 'who', title: 'Who', cell: ({ startedBy }) => startedBy },
  {
    id: 'when',
    title: 'When',
    phone: 'value',
    cell: ({ startedAt }) => (
      <span className={classes.when}>
        <Age instant={startedAt} zone={config().companyTimeZone} ago />
      </span>
    ),
  },
  { id: 'result', title: 'Result', phone: 'below', cell: (run) => <Result run={run} /> },
];

function Result({ run }: { readonly run: LastImport }) {
  const stop = useStopImport();
  const isRunning = run.state === 'running';
  const isStopping = run.isStopping || stop.isPending || stop.isSuccess;
  const words = useFocusBack<HTMLParagraphElement>(isRunning);
  return (
    <div className={classes.result}>
      <div className={classes.way}>
        <p ref={words} tabIndex={-1} className={classes.words}>
          {runWords(run)}
          {isRunning && isStopping && ', stopping …'}
        </p>
        {isRunning && (
          <Writes>
            <Button
              variant="default"
              aria-label={`Stop ${run.fileName}`}
              loading={isStopping}
              onClick={() => stop.mutate(run.id)}
            >
              Stop
            </Button>
          </Writes>
        )}
      </div>
      {isRunning && (
        <progress className={classes.bar} aria-label={`Progress of ${run.fileName}`} value={run.share} max={1} />
      )}
    </div>
  );
}

/** Once another import has written rows, what the pages of numbers hold is from before. */
function useNumbersOf(runs: readonly LastImport[] | undefined): void {
  const client = useQueryClient();
  const written = runs
    ?.filter(({ isDryRun, state }) => !isDryRun && state !== 'running')
    .map(({ id }) => id)
    .join();
  const known = useRef(written);
  useEffect(() => {
    const hasChanged = known.current !== undefined && known.current !== written;
    known.current = written;
    if (hasChanged) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'import' });
  }, [client, written]);
}
