// Calls about the own account that carry a password, and what an account's ways in are made of.
import { readApiError } from './api-error.ts';
import { config } from './config.ts';
import { withConfirmation } from './confirm.ts';
import { graphql, type ResultOf } from './graphql.ts';
import { send } from './send.ts';

async function post(path: string, body: object): Promise<void> {
  const response = await send(`${config().dashboardServerUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.ok) return;
  const answer = (await response.json().catch(() => null)) as { error?: object } | null;
  throw readApiError(answer?.error ?? {}, response);
}

export const confirmWithPassword = (password: string): Promise<void> => post('/api/auth/confirm', { password });

export const changePassword = (password: string): Promise<void> =>
  withConfirmation(() => post('/api/auth/change-password', { password }));

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
