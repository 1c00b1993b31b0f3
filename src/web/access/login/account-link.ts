// The link for setting a password. It is after the # of the sign-in page, which browsers never send.
import { ApiError, networkError, readApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { readToken } from '#web/api/session.ts';
import { takeInvitation } from '#web/api/single-sign-on.ts';

export type AccountLink = { readonly kind: 'invite' | 'reset'; readonly token: string };
export type LinkOwner = { readonly email: string; readonly firstName: string; readonly lastName: string };

const tokenLength = 43;

/** Also a link that was cut, or that got a period behind it. */
export function readAccountLink(hash: string): AccountLink | null {
  const [, kind, token = ''] = /^#(invite|reset)=([\w-]{0,43})/.exec(hash) ?? [];
  return kind ? { kind: kind as AccountLink['kind'], token } : null;
}

/** The address's link, or the invitation someone returns to from the identity provider. */
export function linkOfPage(): AccountLink | null {
  const invitation = takeInvitation();
  return readAccountLink(location.hash) ?? (invitation === null ? null : { kind: 'invite', token: invitation });
}

/** The link's owner; throws an ApiError if it isn't whole or no longer valid. */
export async function ownerOfLink(token: string): Promise<LinkOwner> {
  if (token.length < tokenLength)
    throw new ApiError({
      ...{ code: 'LINK_EXPIRED', statusCode: 403 },
      message: 'This link isn’t complete. Copy all of it, or ask for a new one',
    });
  return post('/api/auth/link', { token });
}

export const setPassword = (token: string, password: string): Promise<LinkOwner> =>
  post('/api/auth/password', { token, password });

/** The email address of the account that is signed in here, if the server says so. */
export async function signedInEmail(): Promise<string | null> {
  const response = await fetch(`${config().dashboardServerUrl}/api/auth/user`, {
    headers: { authorization: `Bearer ${readToken()}` },
  });
  const answer = (await response.json()) as { readonly user?: { readonly email: string } };
  return answer.user?.email ?? null;
}

/** `mails`: false if the server sends none. */
export async function requestPasswordLink(email: string): Promise<{ mails: boolean }> {
  const answer = await send('/api/auth/forgot', { email });
  return { mails: answer.mails === true };
}

async function post(path: string, body: object): Promise<LinkOwner> {
  const { link } = await send(path, body);
  return link as LinkOwner;
}

type Answer = { readonly link?: LinkOwner; readonly mails?: boolean; readonly error?: object };

async function send(path: string, body: object): Promise<Answer> {
  const response = await fetch(`${config().dashboardServerUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    console.error('The sign-in page couldn’t reach the server', error);
    throw networkError();
  });
  const answer = ((await response.json().catch(() => null)) ?? {}) as Answer;
  if (!response.ok) throw readApiError(answer.error ?? {}, response);
  return answer;
}
