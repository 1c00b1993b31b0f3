// The calls of second factors by somebody who is signed in. One that needs a recent proof asks for it, and is made again.

import { readApiError } from './api-error.ts';
import { config } from './config.ts';
import { withConfirmation } from './confirm.ts';
import type { Ask } from './factor-calls.ts';
import { fetchPart } from './fetch-part.ts';
import { send } from './send.ts';

async function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  const response = await send(`${config().dashboardServerUrl}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = ((await response.json().catch(() => null)) ?? {}) as Answer & { error?: object };
  if (!response.ok) throw readApiError(answer.error ?? {}, response);
  return answer;
}

export const askInSession: Ask = (path, body) => withConfirmation(() => post(path, body));

export type FactorProof = { readonly code: string } | { readonly recoveryCode: string } | 'passkey';

/** Confirms who is signed in, with a code or a passkey. */
export async function confirmWithFactor(proof: FactorProof): Promise<void> {
  if (proof !== 'passkey') return post('confirm', proof);
  const { provePasskey } = await fetchPart(() => import('./passkeys.ts'));
  return post('confirm', { passkey: await provePasskey(post) });
}
