// Signing in, for the login page and the session dialog.
import type { SecondStep } from '#core/access/second-factor.ts';
import { networkError, readApiError } from './api-error.ts';
import { config } from './config.ts';
import { keepToken } from './session.ts';
import { readStored, writeStored } from './stored.ts';

export type Credentials = { readonly email: string; readonly password: string };

/**
 * Tells the server that this browser signed in before. It survives signing out, and gives no access by
 * itself.
 */
const deviceKey = 'device';
export const knownDevice = (): { device: string } => ({ device: readStored('local', deviceKey) ?? '' });

/** What remains after the password. */
export type NextStep = {
  readonly next: 'secondStep' | 'setUpSecondStep';
  readonly stepToken: string;
  readonly steps: readonly SecondStep[];
};

/** `kept: false` if the browser dropped the cookies. */
export type SignedIn = { readonly next: null; readonly kept: boolean };

export type SignInReply = { readonly token?: unknown; readonly device?: unknown };

/** Stores the session of a completed sign-in. */
export function keepSession({ token, device }: SignInReply): SignedIn {
  if (typeof device === 'string') writeStored('local', deviceKey, device);
  return { next: null, kept: keepToken(String(token)) };
}

/** Throws an ApiError. */
export async function signIn(credentials: Credentials): Promise<SignedIn | NextStep> {
  const answer = await askSignIn<SignInReply & Partial<NextStep>>('login', null, { ...credentials, ...knownDevice() });
  return answer.next === undefined ? keepSession(answer) : (answer as NextStep);
}

/** A sign-in call with its step's token. Throws an ApiError. */
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
