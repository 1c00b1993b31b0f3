// Signing in through the identity provider and back, with the outcome after the # of the address. These calls
// use this page's origin, because the sign-in's cookie is bound to it.
import { endingKey, isSignInEnding, type SignInEnding } from '#core/access/sign-in-endings.ts';
import { networkError, readApiError } from './api-error.ts';
import { withConfirmation } from './confirm.ts';
import { readToken, replaceToken } from './session.ts';
import { keepSession, knownDevice, type SignInReply } from './sign-in.ts';
import { readStored, writeStored } from './stored.ts';
import { callerHeaders } from './viewing-tab.ts';

async function ask<Answer>(path: string, body: object): Promise<Answer> {
  const token = readToken();
  let response: Response;
  try {
    response = await fetch(`/api/auth/sso/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}`, ...callerHeaders() }),
      },
      body: JSON.stringify(body),
    });
  } catch (error) {
    console.error('Asking the company sign-in failed', error);
    throw networkError();
  }
  const answer = (await response.json().catch(() => null)) as (Answer & { error?: object }) | null;
  if (!response.ok || answer === null) throw readApiError(answer?.error ?? {}, response);
  return answer;
}

/** Opens the provider; `goto` is where to continue afterwards. */
export async function leaveForProvider(goto: string | null): Promise<void> {
  const { url } = await ask<{ url: string }>('start', goto === null ? {} : { goto });
  location.assign(url);
}

/** Opens the provider in this new tab, which then goes on to the home page. The page behind it stays. */
export async function openProviderIn(tab: Window): Promise<void> {
  try {
    const { url } = await ask<{ url: string }>('start', {});
    tab.location.assign(url);
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** Saved in this tab during the detour: if signing in fails there, the invitation is still valid. */
const invitationKey = 'invitation-under-way';

/** Opens the provider to accept an invitation with its account. */
export async function leaveWithInvitation(invitation: string): Promise<void> {
  const { url } = await ask<{ url: string }>('start', { invitation });
  writeStored('session', invitationKey, invitation);
  location.assign(url);
}

/** The invitation's token after returning without success, or null. */
export function takeInvitation(): string | null {
  const invitation = readStored('session', invitationKey);
  writeStored('session', invitationKey, null);
  const ending = signInEnding();
  return ending === null || ending === 'done' || ending === 'invitationOver' ? null : invitation;
}

/** Opens the provider to connect the signed-in person. */
export async function leaveToConnect(): Promise<void> {
  const { url } = await withConfirmation(() => ask<{ url: string }>('connect', {}));
  location.assign(url);
}

/** Opens the provider to confirm the signed-in person; `goto` is where to continue afterwards. */
export async function leaveToConfirm(goto: string): Promise<void> {
  const { url } = await ask<{ url: string }>('confirm', { goto });
  location.assign(url);
}

/** Fetches the session, once. `kept: false` if the browser dropped the cookies. */
export async function takeSession(): Promise<{ kept: boolean }> {
  return keepSession(await ask<SignInReply>('session', knownDevice()));
}

/** Fetches the new token of this session, which its person confirmed at the provider. */
export const takeConfirmed = (): Promise<SignInReply> =>
  replaceToken(
    () => ask<SignInReply>('session', knownDevice()),
    ({ token }) => String(token),
  );

/** The outcome of the sign-in this page returns from, or null. */
export function signInEnding(): SignInEnding | null {
  const ending = new URLSearchParams(location.hash.slice(1)).get(endingKey);
  return ending !== null && isSignInEnding(ending) ? ending : null;
}

/** The same, and removes it from the address, so a reload doesn't repeat it. */
export function takeSignInEnding(): SignInEnding | null {
  const ending = signInEnding();
  if (ending !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return ending;
}
