// What happens to a failure (spec 8, D28), in one place: what a page can explain and mend stays on the page; every other
// failure of a call that the spec names is stored and shown by the error page, with the draft kept.
import { refusals } from '#core/base/refusals.ts';
import type { ApiError, ErrorCode } from './api-error.ts';
import { readStored, writeStored } from './stored.ts';

/** Bad input, a stale version or step, a file that is not taken, a busy or unreachable server. */
const explainedInPlace: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NETWORK',
  'UNAVAILABLE',
  'FILES_UNAVAILABLE',
  'OUT_OF_SPACE',
  'TOO_MANY_ATTEMPTS',
  'BAD_INPUT',
  'CONFLICT',
  'TRANSITION_NOT_ALLOWED',
  'SPRINT_DOES_NOT_ALLOW',
  'LAST_ADMIN',
  'STILL_USED',
  'TOO_LATE',
  'REASON_NEEDED',
  'VIEWING_AS',
  'FILE_TOO_LARGE',
  'BODY_TOO_LARGE',
  'FILE_TYPE_NOT_ALLOWED',
  'MEDIA_TYPE_NOT_SUPPORTED',
  'LINK_EXPIRED',
]);

export function isExplainedInPlace(error: ApiError): boolean {
  return explainedInPlace.has(error.code);
}

/** What the error page shows. `back` is the address with the draft. */
export type StoredFailure = {
  readonly message: string;
  readonly statusCode: number;
  readonly what?: string | undefined;
  readonly requestId?: string | undefined;
  readonly back?: string | undefined;
  /** The address that was refused; it opens by itself once access is given. */
  readonly wanted?: string | undefined;
};

const key = 'failure';

export function storeFailure(failure: StoredFailure): void {
  writeStored('session', key, JSON.stringify(failure));
}

/** The stored failure, or null. It stays until the next one, so that a reload of the error page shows the same. */
export function readFailure(): StoredFailure | null {
  const text = readStored('session', key);
  if (text === null) return null;
  try {
    return JSON.parse(text) as StoredFailure;
  } catch {
    return null;
  }
}

let leave: ((failure: StoredFailure) => void) | null = null;

/** The router takes over from here: it knows the way to the error page. */
export function onFailure(listener: (failure: StoredFailure) => void): void {
  leave = listener;
}

/**
 * Stores the failure of a call that the spec names and leaves for the error page. The person reads the spec's message;
 * the real cause goes to the log, with the request id that the page shows.
 */
export function failPage(error: ApiError, what: string): void {
  console.error(`${what} failed: ${error.code} ${error.message}`, error.requestId ?? '');
  const failure: StoredFailure = {
    message: refusals.NO_APPLICATION_PERMISSION.message,
    statusCode: error.statusCode,
    what,
    requestId: error.requestId,
    back: location.pathname + location.search,
  };
  storeFailure(failure);
  leave?.(failure);
}
