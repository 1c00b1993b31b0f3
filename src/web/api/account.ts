// Calls about the own account that carry a password, and what an account's ways in are made of.
import { readApiError } from './api-error.ts';
import { config } from './config.ts';
import { withConfirmation } from './confirm.ts';
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

export const confirmWithPassword = (password: string): Promise<object> => post('/api/auth/confirm', { password });

/** Every other session ends, and this one goes on with a new token. */
export const changePassword = (password: string): Promise<{ readonly token: string }> =>
  replaceToken(
    () => withConfirmation(() => post<{ token: string }>('/api/auth/change-password', { password })),
    ({ token }) => token,
  );

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
