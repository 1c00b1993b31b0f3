// Signing in: the login page and the session dialog ask the same call.
import { networkError, readApiError } from './api-error.ts';
import { config } from './config.ts';
import { keepToken } from './session.ts';

export type Credentials = { readonly email: string; readonly password: string };

/** Throws an ApiError. `kept: false` when the browser dropped the cookies. */
export async function signIn(credentials: Credentials): Promise<{ kept: boolean }> {
  const response = await post(credentials);
  const body: unknown = await response.json().catch(() => ({}));
  const answer = (body ?? {}) as { token?: unknown; error?: object };
  if (!response.ok || typeof answer.token !== 'string') throw readApiError(answer.error ?? {}, response);
  return { kept: keepToken(answer.token) };
}

async function post(credentials: Credentials): Promise<Response> {
  try {
    return await fetch(`${config().dashboardServerUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    });
  } catch (error) {
    console.error('Signing in failed', error);
    throw networkError();
  }
}
