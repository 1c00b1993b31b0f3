// Uploads a file to the import. Uses XMLHttpRequest, because fetch reports no upload progress.
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { readApiError, unsentFileError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { withConfirmation } from '#web/api/confirm.ts';
import { sendWithToken } from '#web/api/session.ts';
import { callerHeaders } from '#web/api/viewing-tab.ts';
import type { Mapping } from './mapping-draft.ts';

export type Sending = {
  readonly dataset: DatasetKey;
  /** The mapping's name. */
  readonly name: string;
  readonly mapping: Mapping;
  readonly isDryRun: boolean;
  /** Although its rows were imported with another source or other ids. */
  readonly isAgain: boolean;
  readonly file: File;
  /** 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Cancels, if the file isn't fully sent yet. */
  readonly signal: AbortSignal;
};

/**
 * Returns the run's id; once the file is sent, the run continues by itself. Null if it was canceled before.
 */
export const sendRows = (sending: Sending): Promise<string | null> =>
  withConfirmation(() => sendWithToken((token) => post(sending, token)), 'importRows');

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
