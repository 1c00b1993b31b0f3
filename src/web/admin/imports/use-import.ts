import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { useMutation } from '#web/api/mutation.ts';
import { lastImportsQuery, mappingsQuery, runQuery, saveMapping, stopRun } from './import-calls.ts';
import type { Mapping } from './mapping-draft.ts';
import { sendRows } from './send-rows.ts';

type Order = {
  readonly dataset: DatasetKey;
  readonly file: File;
  readonly name: string;
  readonly mapping: Mapping;
  readonly isDryRun: boolean;
};

export type Importing = ReturnType<typeof useImport>;

/** The import of the wizard: a file is sent, then its rows are read, and both can be stopped. */
export function useImport() {
  const client = useQueryClient();
  const [sent, setSent] = useState(0);
  const [isAsked, setAsked] = useState(false);
  const sending = useRef(new AbortController());
  const stop = useStopImport();
  const start = useMutation({
    // The mapping is saved on the way, as the import takes it by name.
    mutationFn: async ({ dataset, file, name, mapping, isDryRun }: Order) => {
      const { signal } = sending.current;
      await saveMapping(name, mapping);
      await client.invalidateQueries(mappingsQuery);
      return sendRows({ dataset, mapping: name, isDryRun, file, onProgress: setSent, signal });
    },
    onSettled: (id) => {
      setAsked(false);
      if (id) void client.invalidateQueries(lastImportsQuery);
      // Asked when the last of the file was on its way: it is a run by now.
      if (id && sending.current.signal.aborted) stop.mutate(id);
    },
    meta: { quiet: true },
  });
  const id = start.data ?? null;
  const { run, ...reading } = useRun(id);
  return {
    ...reading,
    run,
    /** 0 to 1. */
    sent,
    sendError: start.error,
    isDryRun: start.variables?.isDryRun === true,
    isUnderWay: start.isPending || run === undefined || run?.state === 'running',
    isStopping: isAsked || stop.isPending || stop.isSuccess || run?.isStopping === true,
    /** Stopped before the file was all sent. */
    isGivenUp: start.data === null,
    start: (order: Order) => {
      sending.current = new AbortController();
      setSent(0);
      stop.reset();
      start.mutate(order);
    },
    stop: () => {
      if (id !== null) return stop.mutate(id);
      setAsked(true);
      sending.current.abort();
    },
    /** Forgets what came of the last one. */
    clear: start.reset,
  };
}

/** Stops an import that is being read, wherever it is looked at. */
export function useStopImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: stopRun,
    onSuccess: (run) => {
      client.setQueryData(runQuery(run.id).queryKey, run);
      void client.invalidateQueries(lastImportsQuery);
    },
    meta: { what: 'Stopping the import' },
  });
}

/** How the import stands: null until the file has come in, undefined until it is known. */
function useRun(id: string | null) {
  const { data, error, refetch } = useQuery({ ...runQuery(id ?? ''), enabled: id !== null });
  return { run: id === null ? null : data, readError: id === null ? null : error, readAgain: () => void refetch() };
}
