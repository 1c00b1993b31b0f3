// Signing in: the login page and the session dialog ask the same calls.
import type { SecondStep } from '#core/access/second-factor.ts';
import { networkError, readApiError } from './api-error.ts';
import { config } from './config.ts';
import { keepToken } from './session.ts';
import { readStored, writeStored } from './stored.ts';

export type Credentials = { readonly email: string; readonly password: string };

/** Tells the server that this browser signed in before. It outlives signing out, and opens nothing by itself. */
const deviceKey = 'device';
export const knownDevice = (): { device: string } => ({ device: readStored('local', deviceKey) ?? '' });

/** What a password left to do. The token of the step is kept nowhere: after a reload the person begins again. */
export type NextStep = {
  readonly next: 'secondStep' | 'setUpSecondStep';
  readonly stepToken: string;
  readonly steps: readonly SecondStep[];
};

/** `kept: false` when the browser dropped the cookies. */
export type SignedIn = { readonly next: null; readonly kept: boolean };

export type SignInReply = { readonly token?: unknown; readonly device?: unknown };

/** Keeps the session of a sign-in that is complete. */
export function keepSession({ token, device }: SignInReply): SignedIn {
  if (typeof device === 'string') writeStored('local', deviceKey, device);
  return { next: null, kept: keepToken(String(token)) };
}

/** Throws an ApiError. */
export async function signIn(credentials: Credentials): Promise<SignedIn | NextStep> {
  const answer = await askSignIn<SignInReply & Partial<NextStep>>('login', null, { ...credentials, ...knownDevice() });
  return answer.next === undefined ? keepSession(answer) : (answer as NextStep);
}

/** A call of signing in, with the token of the step it is for. Throws an ApiError. */
export async function askSignIn<Answer>(path: string, token: string | null, body: object = {}): Promise<Answer> {
  const response = await fetch(`${config().dashboardServerUrl}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    console.error('Signing in failed', error);
    throw networkError();
  });
  const answer = ((await response.json().catch(() => null)) ?? {}) as Answer & { error?: object };
  if (!response.ok) throw readApiError(answer.error ?? {}, response);
  return answer;
}
