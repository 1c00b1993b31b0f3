// Signing in through the identity provider: there, and back with how it ended behind the # of the address.
// These calls go to this page's own origin: the cookie that holds the sign-in together is kept for it alone.
import { endingKey, isSignInEnding, type SignInEnding } from '#core/access/sign-in-endings.ts';
import { networkError, readApiError } from './api-error.ts';
import { withConfirmation } from './confirm.ts';
import { readToken } from './session.ts';
import { keepSession, knownDevice, type SignInReply } from './sign-in.ts';
import { readStored, writeStored } from './stored.ts';

async function ask<Answer>(path: string, body: object): Promise<Answer> {
  const token = readToken();
  let response: Response;
  try {
    response = await fetch(`/api/auth/sso/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
  } catch (error) {
    console.error('Asking the sign-in service failed', error);
    throw networkError();
  }
  const answer = (await response.json().catch(() => null)) as (Answer & { error?: object }) | null;
  if (!response.ok || answer === null) throw readApiError(answer?.error ?? {}, response);
  return answer;
}

/** Leaves for the provider; `goto` is where to go on afterwards. */
export async function leaveForProvider(goto: string | null): Promise<void> {
  const { url } = await ask<{ url: string }>('start', goto === null ? {} : { goto });
  location.assign(url);
}

/** Kept in this tab while somebody is away: where it comes to nothing there, the invitation is still good. */
const invitationKey = 'invitation-under-way';

/** Leaves for the provider to accept an invitation with the account there. */
export async function leaveWithInvitation(invitation: string): Promise<void> {
  const { url } = await ask<{ url: string }>('start', { invitation });
  writeStored('session', invitationKey, invitation);
  location.assign(url);
}

/** The token of the invitation that somebody left with and comes back from in vain, or null. */
export function takeInvitation(): string | null {
  const invitation = readStored('session', invitationKey);
  writeStored('session', invitationKey, null);
  const ending = signInEnding();
  return ending === null || ending === 'done' || ending === 'invitationOver' ? null : invitation;
}

/** Leaves for the provider to connect the person who is signed in. */
export async function leaveToConnect(): Promise<void> {
  const { url } = await withConfirmation(() => ask<{ url: string }>('connect', {}));
  location.assign(url);
}

/** Leaves for the provider to confirm who is signed in; `goto` is where to go on afterwards. */
export async function leaveToConfirm(goto: string): Promise<void> {
  const { url } = await ask<{ url: string }>('confirm', { goto });
  location.assign(url);
}

/** Fetches the session, once. `kept: false` when the browser dropped the cookies. */
export async function takeSession(): Promise<{ kept: boolean }> {
  return keepSession(await ask<SignInReply>('session', knownDevice()));
}

/** How the sign-in ended that this page comes back from, or null. */
export function signInEnding(): SignInEnding | null {
  const ending = new URLSearchParams(location.hash.slice(1)).get(endingKey);
  return ending !== null && isSignInEnding(ending) ? ending : null;
}

/** The same, taken out of the address, so that a reload does not say it again. */
export function takeSignInEnding(): SignInEnding | null {
  const ending = signInEnding();
  if (ending !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return ending;
}
