// Running uploads by task. They live outside the panel, so closing it doesn't stop them. The task is reread
// after each one, successful or not; a failure is logged and stays in its row (spec 7, spec 8).
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { fileKinds, fileProblem } from '#core/tasks/files.ts';
import { type ApiError, type ErrorCode, readApiError, unsentFileError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { withConfirmation } from '#web/api/confirm.ts';
import { sendWithToken } from '#web/api/session.ts';
import { callerHeaders } from '#web/api/viewing-tab.ts';
import { showError } from '#web/ui/toasts.tsx';
import { knownTask, mergeTask, readTask } from './queries.ts';

export type Upload = {
  readonly id: string;
  readonly taskId: string;
  readonly file: File;
  /** 0 to 100 while sending. */
  readonly percent: number;
  /** Why it failed; null while running. */
  readonly failure: string | null;
  /** False if a retry can't help: wrong type or size, or the file has changed. */
  readonly retryable: boolean;
};

let uploads: readonly Upload[] = [];
const sending = new Map<string, XMLHttpRequest>();
const listeners = new Set<() => void>();

function set(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

function patch(id: string, part: Partial<Upload>): void {
  set(uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The tasks whose files are on the screen. */
const watched: string[] = [];

/** Someone who closed the task before an upload failed would believe that the file is there. */
function sayLost(client: QueryClient, { file, taskId }: Upload): void {
  const title = knownTask(client, taskId)?.title;
  const where = title === undefined ? 'its task' : `“${title}”`;
  showError(`“${file.name}” wasn’t attached to ${where}. Open the task to see why, or to try again`);
}

export function useUploads(taskId: string): readonly Upload[] {
  const client = useQueryClient();
  useEffect(() => {
    watched.push(taskId);
    return () => {
      watched.splice(watched.indexOf(taskId), 1);
      // A refused file was explained in its row, and only another one can be attached.
      for (const upload of uploads)
        if (upload.taskId === taskId && upload.failure !== null && upload.retryable) sayLost(client, upload);
    };
  }, [client, taskId]);
  return useSyncExternalStore(subscribe, () => uploads).filter((upload) => upload.taskId === taskId);
}

export const acceptedExtensions: readonly string[] = Object.keys(fileKinds).map((extension) => `.${extension}`);

export function addUploads(client: QueryClient, taskId: string, files: readonly File[]): void {
  for (const file of files) {
    // The server checks again, including the content.
    const failure = fileProblem(file, config().attachmentMegabytes);
    const upload: Upload = { id: crypto.randomUUID(), taskId, file, percent: 0, failure, retryable: failure === null };
    set([...uploads, upload]);
    if (failure === null) void carry(client, upload);
  }
}

export function retryUpload(client: QueryClient, upload: Upload): void {
  patch(upload.id, { failure: null, percent: 0 });
  void carry(client, upload);
}

/** Stops an upload, or removes a failed one. */
export function dismissUpload(id: string): void {
  sending.get(id)?.abort();
  sending.delete(id);
  set(uploads.filter((upload) => upload.id !== id));
}

/** Sending the same file again can't help. */
const refusedFile: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'FILE_TYPE_NOT_ALLOWED',
  'FILE_TOO_LARGE',
  'FILE_CHANGED',
]);

async function carry(client: QueryClient, upload: Upload): Promise<void> {
  const failure = await withConfirmation(() => sendWithToken((token) => post(upload, token)), 'attachment').then(
    () => null,
    (error: ApiError) => error,
  );
  sending.delete(upload.id);
  if (failure) {
    console.error(`Attaching ${upload.file.name} failed: ${failure.code} ${failure.message}`, failure.requestId ?? '');
    patch(upload.id, { failure: failure.message, retryable: !refusedFile.has(failure.code) });
  }
  const task = await readTask(upload.taskId).catch(() => null);
  if (task) mergeTask(client, task);
  if (failure && !watched.includes(upload.taskId)) sayLost(client, upload);
  // Only now, so the upload's row is replaced by the file's row without a gap.
  if (!failure) set(uploads.filter(({ id }) => id !== upload.id));
}

/**
 * XMLHttpRequest, because fetch reports no upload progress. The fields with sender and task come before the
 * file.
 */
function post({ id, taskId, file }: Upload, token: string): Promise<void> {
  const body = new FormData();
  body.set('authorization', `Bearer ${token}`);
  body.set('taskId', taskId);
  body.set('attachment', file);
  const call = new XMLHttpRequest();
  sending.set(id, call);
  return new Promise((resolve, reject) => {
    call.upload.onprogress = ({ loaded, total }) => patch(id, { percent: total === 0 ? 0 : (loaded / total) * 100 });
    call.onload = () => (call.status < 300 ? resolve() : reject(errorOf(call)));
    call.onerror = () => void unsentFileError(file).then(reject);
    // Canceled by the person: the row is already gone.
    call.onabort = () => resolve();
    call.open('POST', `${config().top5ServerUrl}/attachment`);
    // A retry of the same row is the same file, even if the first answer was lost.
    for (const [name, value] of Object.entries(callerHeaders())) call.setRequestHeader(name, value);
    call.setRequestHeader('idempotency-key', id);
    call.send(body);
  });
}

function errorOf(call: XMLHttpRequest): ApiError {
  const headers = new Headers();
  headers.set('x-request-id', call.getResponseHeader('x-request-id') ?? '');
  const raw = readError(call.responseText);
  return readApiError(raw, new Response(null, { status: call.status, headers }));
}

function readError(text: string): object {
  try {
    const { error } = JSON.parse(text) as { error?: object };
    return error ?? {};
  } catch {
    return {};
  }
}
