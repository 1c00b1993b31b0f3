// Sends a call with the session's token; notices a lost connection and a session that has ended.

import type { RefusalCode } from '#core/base/refusals.ts';
import { refusals } from '#core/base/refusals.ts';
import { networkError, readApiError } from './api-error.ts';
import { reportConnection } from './connection.ts';
import { isReplaced, readToken } from './session.ts';
import { signedInAgain, tellDisabled } from './signed-in-again.ts';
import { isViewing, loadAsOneself, viewingHeaders } from './viewing-tab.ts';

/** The server's answer, whatever its status but 401. Throws an ApiError. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const token = readToken();
  const response = await sendOnce(url, init, token);
  if (response.status === refusals.VIEWING_ENDED.statusCode && isViewing()) return loadAsOneself();
  if (response.status !== 401) return response;
  if (await isOfDisabled(response)) {
    tellDisabled();
    throw readApiError({ code: 'ACCOUNT_DISABLED' }, response);
  }
  if (await isReplaced(token)) return sendAgain(url, init);
  const again = signedInAgain();
  if (!again) throw readApiError({ code: 'NOT_SIGNED_IN' }, response);
  await again;
  return sendAgain(url, init);
}

async function sendAgain(url: string, init: RequestInit): Promise<Response> {
  const second = await sendOnce(url, init, readToken());
  if (second.status === 401) throw readApiError({ code: 'NOT_SIGNED_IN' }, second);
  return second;
}

/** Where a refusal stands in the answer of a REST call, and in one of GraphQL. */
type Refused = {
  readonly error?: { readonly code?: unknown };
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[];
};

/** Signing in again would not help: the person is told so instead. */
async function isOfDisabled(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as Refused | null;
  const code = body?.error?.code ?? body?.errors?.[0]?.extensions?.code;
  return code === ('ACCOUNT_DISABLED' satisfies RefusalCode);
}

async function sendOnce(url: string, init: RequestInit, token: string | null): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token) headers.set('authorization', `Bearer ${token}`);
  for (const [name, value] of Object.entries(viewingHeaders())) headers.set(name, value);
  try {
    const response = await fetch(url, { ...init, headers });
    reportConnection('back');
    return response;
  } catch (error) {
    // A request that the page itself gave up says nothing about the connection.
    if (init.signal?.aborted) throw error;
    console.error('A request did not reach the server', error);
    reportConnection('lost');
    throw networkError();
  }
}
