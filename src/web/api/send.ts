// Sends a call with the session's token; detects a lost connection and an ended session.

import type { RefusalCode } from '#core/base/refusals.ts';
import { refusals } from '#core/base/refusals.ts';
import { reportConnection } from '#web/ui/connection.ts';
import { networkError, readApiError } from './api-error.ts';
import { isReplaced, readToken } from './session.ts';
import { showEnd, signedInAgain } from './signed-in-again.ts';
import { callerHeaders, isViewing, loadAsOneself } from './viewing-tab.ts';

/** `answerMs`: how long to wait for an answer. */
type Init = RequestInit & { readonly answerMs?: number | undefined };

/** The server's answer with any status but 401. Throws an ApiError. */
export async function send(url: string, init: Init): Promise<Response> {
  const token = readToken();
  const response = await sendOnce(url, init, token);
  if (response.status === refusals.VIEWING_ENDED.statusCode && isViewing()) return loadAsOneself();
  if (response.status !== 401) return response;
  if (await isOfDisabled(response)) {
    showEnd('disabled');
    throw readApiError({ code: 'ACCOUNT_DISABLED' }, response);
  }
  if (await isReplaced(token)) return sendAgain(url, init);
  const again = signedInAgain();
  if (!again) throw readApiError({ code: 'NOT_SIGNED_IN' }, response);
  await again;
  return sendAgain(url, init);
}

async function sendAgain(url: string, init: Init): Promise<Response> {
  const second = await sendOnce(url, init, readToken());
  if (second.status === 401) throw readApiError({ code: 'NOT_SIGNED_IN' }, second);
  return second;
}

/** A refusal in a REST answer and in a GraphQL one. */
type Refused = {
  readonly error?: { readonly code?: unknown };
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[];
};

/** Signing in again wouldn't help: the person is told instead. */
async function isOfDisabled(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as Refused | null;
  const code = body?.error?.code ?? body?.errors?.[0]?.extensions?.code;
  return code === ('ACCOUNT_DISABLED' satisfies RefusalCode);
}

/** Up to twice as long, because after a restart every browser asks. */
const probeMs = 2_000;
let probe: (() => void) | null = null;

function reportBack(): void {
  probe = null;
  reportConnection('back');
}

/** Asks the server until it answers: a page that only waits sends nothing that would find it again. */
function reportLost(url: string): void {
  reportConnection('lost');
  if (probe) return;
  const health = new URL('/healthz', new URL(url, location.href)).href;
  let timer = 0;
  const ask = () => {
    clearTimeout(timer);
    if (probe !== ask) return;
    timer = window.setTimeout(ask, probeMs * (1 + Math.random()));
    fetch(health, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout(probeMs) }).then(
      () => probe === ask && reportBack(),
      () => undefined,
    );
  };
  probe = ask;
  timer = window.setTimeout(ask, probeMs);
}

window.addEventListener('online', () => probe?.());

/** Where packets vanish, a browser waits for minutes before it says so. */
function limited({ answerMs, ...init }: Init): RequestInit {
  if (answerMs === undefined) return init;
  const limit = AbortSignal.timeout(answerMs);
  return { ...init, signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit };
}

async function sendOnce(url: string, init: Init, token: string | null): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token) headers.set('authorization', `Bearer ${token}`);
  for (const [name, value] of Object.entries(callerHeaders())) headers.set(name, value);
  try {
    const response = await fetch(url, { ...limited(init), headers });
    reportBack();
    if (response.status !== refusals.OTHER_PERSON.statusCode) return response;
    showEnd('otherPerson');
  } catch (error) {
    // A request the page canceled says nothing about the connection.
    if (init.signal?.aborted) throw error;
    console.error('A request did not reach the server', error);
    reportLost(url);
    throw networkError();
  }
  throw readApiError({ code: 'OTHER_PERSON' });
}
