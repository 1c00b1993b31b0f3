// Second-factor calls of a signed-in person. A call that needs a recent proof asks for it and is repeated.

import { readApiError } from './api-error.ts';
import { config } from './config.ts';
import { withConfirmation } from './confirm.ts';
import type { Ask } from './factor-calls.ts';
import { fetchPart } from './fetch-part.ts';
import { send } from './send.ts';
import { replaceToken } from './session.ts';

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

/** Confirms who is signed in, with a code or a passkey. The session gets a new token. */
export async function confirmWithFactor(proof: FactorProof): Promise<void> {
  let body: object;
  if (proof === 'passkey') {
    const { provePasskey } = await fetchPart(() => import('./passkeys.ts'));
    body = { passkey: await provePasskey(post) };
  } else body = proof;
  await replaceToken(
    () => post<{ token: string }>('confirm', body),
    ({ token }) => token,
  );
}
