// Calls about one's own account that include a password, and the parts of an account's ways in.
import { ApiError, readApiError } from './api-error.ts';
import { config } from './config.ts';
import { fetchPart } from './fetch-part.ts';
import { graphql, type ResultOf } from './graphql.ts';
import { send } from './send.ts';
import { replaceToken } from './session.ts';

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const response = await send(`${config().dashboardServerUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json().catch(() => null)) as (Answer & { error?: object }) | null;
  if (!response.ok || !answer) throw readApiError(answer?.error ?? {}, response);
  return answer;
}

const postForToken = (path: string, body: object): Promise<{ readonly token: string }> =>
  replaceToken(
    () => post<{ token: string }>(path, body),
    ({ token }) => token,
  );

/** This session gets a new token. */
export const confirmWithPassword = (password: string): Promise<object> =>
  postForToken('/api/auth/confirm', { password });

function atCurrent(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'WRONG_PROOF') throw error;
  throw new ApiError({ ...error, field: 'current', message: 'This isn’t your current password' });
}

/** The current password, or null to confirm with a passkey. */
type PasswordChange = { readonly password: string; readonly current: string | null };

/** Ends every other session; this one continues with a new token. */
export async function changePassword({ password, current }: PasswordChange): Promise<object> {
  if (current !== null) return postForToken('/api/auth/change-password', { password, current }).catch(atCurrent);
  const { provePasskey } = await fetchPart(() => import('./passkeys.ts'));
  const passkey = await provePasskey((path, body = {}) => post(`/api/auth/${path}`, body));
  return postForToken('/api/auth/change-password', { password, passkey });
}

export const waysInFields = graphql(`
  fragment WaysInFields on WaysIn @_unmask {
    password { set changedAt }
    identities { id name connectedAt lastUsedAt }
    sessions { id current device handheld address how since lastUsedAt until }
    calendarFeeds { id name createdAt lastUsedAt }
    serviceTokens { id name createdAt expiresAt lastUsedAt }
    openLink { kind until }
  }
`);
export type WaysIn = ResultOf<typeof waysInFields>;
