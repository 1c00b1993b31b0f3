import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { useMutation } from '#web/api/mutation.ts';
import { lastImportsKey, mappingsQuery, runQuery, type SavedMapping, saveMapping, stopRun } from './import-calls.ts';
import type { Mapping } from './mapping-draft.ts';
import { sendRows } from './send-rows.ts';

type Order = {
  readonly dataset: DatasetKey;
  readonly file: File;
  readonly name: string;
  readonly mapping: Mapping;
  readonly isDryRun: boolean;
  readonly isAgain: boolean;
  /** Receives the mapping as it is saved now, before the file is sent. */
  readonly onSaved: (saved: SavedMapping) => void;
};

export type Importing = ReturnType<typeof useImport>;

/** The wizard's import: sends a file, then its rows are read; both can be stopped. */
export function useImport() {
  const client = useQueryClient();
  const [sent, setSent] = useState(0);
  const [isAsked, setAsked] = useState(false);
  const sending = useRef(new AbortController());
  const stop = useStopImport();
  const start = useMutation({
    mutationFn: async ({ dataset, file, name, mapping, isDryRun, isAgain, onSaved }: Order) => {
      const { signal } = sending.current;
      if (!isDryRun) {
        await saveMapping(name, mapping);
        await client.invalidateQueries(mappingsQuery);
        const saved = client.getQueryData(mappingsQuery.queryKey)?.find((other) => other.name === name);
        if (saved) onSaved(saved);
      }
      return sendRows({ dataset, name, mapping, isDryRun, isAgain, file, onProgress: setSent, signal });
    },
    onSettled: (id) => {
      setAsked(false);
      if (id) void client.invalidateQueries(lastImportsKey);
      // Requested while the last part was being sent: it is a run by now.
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
    /** Of the last run. */
    mapping: start.variables?.mapping,
    isUnderWay: start.isPending || run === undefined || run?.state === 'running',
    isStopping: isAsked || stop.isPending || stop.isSuccess || run?.isStopping === true,
    /** Stopped before the file was fully sent. */
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
    /** Forgets the last result. */
    clear: start.reset,
  };
}

/** Stops a running import from anywhere. */
export function useStopImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: stopRun,
    onSuccess: (run) => {
      client.setQueryData(runQuery(run.id).queryKey, run);
      void client.invalidateQueries(lastImportsKey);
    },
    meta: { what: 'Stopping the import' },
  });
}

/** The import's state: null until the file is received, undefined until it is loaded. */
function useRun(id: string | null) {
  const { data, error, refetch } = useQuery({ ...runQuery(id ?? ''), enabled: id !== null });
  return { run: id === null ? null : data, readError: id === null ? null : error, readAgain: () => void refetch() };
}
