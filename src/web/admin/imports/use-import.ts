import {
  type MutationState,
  type QueryClient,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { type ApiError, isUnanswered, readApiError, unsentFileError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { withConfirmation } from '#web/api/confirm.ts';
import { useMutation } from '#web/api/mutation.ts';
import { sendWithToken } from '#web/api/session.ts';
import { callerHeaders } from '#web/api/viewing-tab.ts';
import { lastImportsKey, mappingsQuery, runQuery, type SavedMapping, saveMapping, stopRun } from './import-calls.ts';
import type { Mapping } from './mapping-draft.ts';

// Uploads a file to the import. Uses XMLHttpRequest, because fetch reports no upload progress.

/** 0 to 1; null before it begins, and while the person is asked to confirm their identity. */
type Sent = number | null;

type Sending = {
  readonly dataset: DatasetKey;
  /** The mapping's name. */
  readonly name: string;
  readonly mapping: Mapping;
  readonly isDryRun: boolean;
  /** Although its rows were imported with another source or other ids. */
  readonly isAgain: boolean;
  readonly file: File;
  readonly onProgress: (share: Sent) => void;
  /** Cancels, if the file isn't fully sent yet. */
  readonly signal: AbortSignal;
};

/**
 * Returns the run's id; once the file is sent, the run continues by itself. Null if it was canceled before.
 */
const sendRows = (sending: Sending): Promise<string | null> =>
  withConfirmation(async () => {
    try {
      return await sendWithToken((token) => post(sending, token));
    } catch (error) {
      sending.onProgress(null);
      throw error;
    }
  }, 'importRows');

function post(
  { dataset, name, mapping, isDryRun, isAgain, file, onProgress, signal }: Sending,
  token: string,
): Promise<string | null> {
  if (signal.aborted) return Promise.resolve(null);
  // It goes with the file: a dry run saves none, and someone else can replace the saved one at any time.
  const head = new Blob([JSON.stringify(mapping)]);
  const asked = new URLSearchParams({
    mapping: name,
    mappingBytes: String(head.size),
    wait: 'no',
    dryRun: isDryRun ? '1' : '0',
    again: isAgain ? 'yes' : 'no',
    fileName: file.name.slice(-255),
  });
  const call = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    onProgress(0);
    call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    const giveUp = () => call.abort();
    signal.addEventListener('abort', giveUp);
    // The server starts with the complete file: canceling now would lose the number of a running import.
    call.upload.onload = () => signal.removeEventListener('abort', giveUp);
    call.onabort = () => resolve(null);
    call.onload = () => {
      const { run, error } = answerOf(call);
      if (call.status < 300 && run !== undefined) resolve(run);
      else reject(readApiError(error ?? {}, responseOf(call)));
    };
    call.onerror = () => void unsentFileError(file).then(reject);
    call.open('POST', `${config().top5ServerUrl}/api/import/${dataset}?${asked}`);
    call.setRequestHeader('authorization', `Bearer ${token}`);
    for (const [header, value] of Object.entries(callerHeaders())) call.setRequestHeader(header, value);
    call.setRequestHeader('content-type', 'application/octet-stream');
    call.send(new Blob([head, file]));
  });
}

function responseOf(call: XMLHttpRequest): Response {
  const headers = new Headers();
  headers.set('x-request-id', call.getResponseHeader('x-request-id') ?? '');
  return new Response(null, { status: call.status, headers });
}

function answerOf({ responseText }: XMLHttpRequest): { run?: string; error?: object } {
  try {
    return JSON.parse(responseText) as { run?: string; error?: object };
  } catch {
    return {};
  }
}

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
const sending = { ending: new AbortController(), share: null as Sent, onShare: (_share: Sent) => {} };

function useSent(): Sent {
  const [sent, setSent] = useState(sending.share);
  useEffect(() => {
    sending.onShare = setSent;
    return () => {
      sending.onShare = () => {};
    };
  }, []);
  return sent;
}

function reportSent(share: Sent): void {
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
      reportSent(null);
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
