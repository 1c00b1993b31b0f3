// The handling of failures (spec 8, D28): errors a page can explain stay on the page; other failures of the
// spec's calls are stored and shown by the error page, with the draft saved.
import { refusals } from '#core/base/refusals.ts';
import type { ApiError, ErrorCode } from './api-error.ts';

/**
 * Bad input, a stale version or step, a rejected file, a busy server, a “Confirm it’s you” that was closed,
 * or an end that the page itself says in a dialog.
 */
const explainedInPlace: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NETWORK',
  'FILE_CHANGED',
  'UNAVAILABLE',
  'TOO_SLOW',
  'FILES_UNAVAILABLE',
  'OUT_OF_SPACE',
  'TOO_MANY_ATTEMPTS',
  'BAD_INPUT',
  'CONFLICT',
  'STILL_RUNNING',
  'CONFIRM_IDENTITY',
  'CONFIRM_WITH_FACTOR',
  'TRANSITION_NOT_ALLOWED',
  'SPRINT_DOES_NOT_ALLOW',
  'LAST_ADMIN',
  'STILL_USED',
  'TOO_LATE',
  'REASON_NEEDED',
  'VIEWING_AS',
  'ACCOUNT_DISABLED',
  'OTHER_PERSON',
  'FILE_TOO_LARGE',
  'BODY_TOO_LARGE',
  'FILE_TYPE_NOT_ALLOWED',
  'MEDIA_TYPE_NOT_SUPPORTED',
  'LINK_EXPIRED',
]);

/** A refusal that names a field is explained at it. */
export function isExplainedInPlace({ code, field }: ApiError): boolean {
  return explainedInPlace.has(code) || field !== undefined;
}

/** The error page's content. `back` is the address with the draft. */
export type StoredFailure = {
  readonly message: string;
  readonly statusCode: number;
  /** The cause; left out where the message says it. */
  readonly code?: ErrorCode | undefined;
  readonly what?: string | undefined;
  /** What was being typed: it is kept, and the way back opens it again. */
  readonly drafts?: readonly string[];
  readonly requestId?: string | undefined;
  readonly back?: string | undefined;
  /** The refused address, which reopens once access is given. */
  readonly wanted?: string | undefined;
};

declare module '@tanstack/history' {
  interface HistoryState {
    /** Stored with the visit to the error page: reloading shows the same, and a later visit nothing old. */
    failure?: StoredFailure;
  }
}

let leave: ((failure: StoredFailure) => void) | null = null;

/** Registers the router, which knows the way to the error page. */
export function onFailure(listener: (failure: StoredFailure) => void): void {
  leave = listener;
}

/**
 * Opens the error page with the failure of a call that the spec names. The person sees the spec's message;
 * the cause goes to the log, with the displayed request id.
 */
export function failPage(error: ApiError, what: string): void {
  console.error(`${what} failed: ${error.code} ${error.message}`, error.requestId ?? '');
  const failure: StoredFailure = {
    message: refusals.NO_APPLICATION_PERMISSION.message,
    statusCode: error.statusCode,
    code: error.code,
    what,
    requestId: error.requestId,
    back: location.pathname + location.search,
  };
  leave?.(failure);
}
