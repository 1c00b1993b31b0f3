import {
  type MutationState,
  type QueryClient,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { type ApiError, isUnanswered } from '#web/api/api-error.ts';
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
  /** What this tab knew of the saved mapping: null if it is this one, empty if there was none. */
  readonly replaces: string | null;
  /** Receives the saved mapping once the import starts. */
  readonly onSaved: (saved: SavedMapping) => void;
};

type Started = MutationState<string | null, ApiError, Order>;

export type Importing = ReturnType<typeof useImport>;

const importing = ['import', 'start'];
/** What is being sent. It goes on while another tab of the page is open, and its share shows on return. */
const sending = { ending: new AbortController(), share: 0, onShare: (_share: number) => {} };

/** 0 to 1. */
function useSent(): number {
  const [sent, setSent] = useState(sending.share);
  useEffect(() => {
    sending.onShare = setSent;
    return () => {
      sending.onShare = () => {};
    };
  }, []);
  return sent;
}

function reportSent(share: number): void {
  sending.share = share;
  sending.onShare(share);
}

async function send(client: QueryClient, order: Order): Promise<string | null> {
  const { name, mapping, isDryRun, replaces, onSaved } = order;
  const { signal } = sending.ending;
  const refresh = () => client.invalidateQueries(mappingsQuery);
  const savedNow = () => client.getQueryData(mappingsQuery.queryKey)?.find((other) => other.name === name);
  // One without edits isn't saved again: someone else may have changed it since.
  const isSaving = !isDryRun && replaces !== null;
  // Also after a conflict: what replaced the one that this tab knew is asked about.
  if (isSaving) await saveMapping(name, mapping, replaces).finally(refresh);
  const own = savedNow()?.mapping;
  /** Other imports mustn't use the mapping of a refused or canceled one, unless someone changed it since. */
  const putBack = () => {
    if (!isSaving || replaces === '' || own === undefined) return;
    const done = () => void refresh();
    void saveMapping(name, JSON.parse(replaces) as Mapping, own).then(done, done);
  };
  const run = await sendRows({ ...order, onProgress: reportSent, signal }).catch((error: unknown) => {
    // Without an answer, the import may be running.
    if (!isUnanswered(error)) putBack();
    throw error;
  });
  if (run === null) putBack();
  const saved = savedNow();
  if (run !== null && !isDryRun && saved) onSaved(saved);
  return run;
}

/** The wizard's import: sends a file, then its rows are read; both can be stopped. */
export function useImport() {
  const client = useQueryClient();
  const cache = client.getMutationCache();
  const sent = useSent();
  const [last] = useMutationState({
    filters: { mutationKey: importing },
    select: ({ state }) => state as Started,
  }).slice(-1);
  const [isAsked, setAsked] = useState(last?.status === 'pending' && sending.ending.signal.aborted);
  const stop = useStopImport();
  const start = useMutation({
    mutationKey: importing,
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: (order: Order) => send(client, order),
    onSettled: (id) => {
      setAsked(false);
      if (id) void client.invalidateQueries(lastImportsKey);
      // Requested while the last part was being sent: it is a run by now.
      if (id && sending.ending.signal.aborted) stop.mutate(id);
    },
    meta: { quiet: true },
  });
  const id = last?.data ?? null;
  const { run, ...reading } = useRun(id);
  return {
    ...reading,
    run,
    sent,
    sendError: last?.error ?? null,
    isDryRun: last?.variables?.isDryRun === true,
    /** What the last run reads, and how. */
    order: last?.variables,
    isUnderWay: last?.status === 'pending' || run === undefined || run?.state === 'running',
    isStopping: isAsked || stop.isPending || stop.isSuccess || run?.isStopping === true,
    /** Stopped before the file was fully sent. */
    isGivenUp: last?.data === null,
    start: (order: Order) => {
      sending.ending = new AbortController();
      setAsked(false);
      reportSent(0);
      stop.reset();
      start.mutate(order);
    },
    stop: () => {
      if (id !== null) return stop.mutate(id);
      setAsked(true);
      sending.ending.abort();
    },
    /** Forgets the last result. */
    clear: () => {
      start.reset();
      for (const one of cache.findAll({ mutationKey: importing })) cache.remove(one);
    },
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
