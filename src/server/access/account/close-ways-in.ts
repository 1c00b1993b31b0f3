// Closes ways into an account: one kind, or all of them.

import { type ClosableWay, closableWays } from '#core/access/account-inputs.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { EventActor } from '../auth/account-events.service.ts';
import { revokeLinkOf, revokeLinksShownTo } from '../auth/account-links.service.ts';
import { forgetDevices } from '../auth/known-devices.ts';
import { endSessionsOf } from '../auth/sessions.service.ts';
import { assertWayIn, removeFactorsOf, removePasskeysOf } from '../factors/factors.service.ts';
import { unlinkIdentitiesOf } from '../single-sign-on/identities.service.ts';
import { waysInHook } from './ways-in-hook.ts';

/** Each records and reports what it closed. */
const closers: Readonly<
  Record<ClosableWay, (queries: Queries, actor: EventActor, personId: string) => Promise<unknown>>
> = {
  feeds: (queries, actor, personId) => waysInHook.handlers().calendarFeeds.revoke(queries, actor, personId),
  tokens: (queries, actor, personId) => waysInHook.handlers().serviceTokens.revoke(queries, actor, personId),
  links: async (queries, actor, personId) => {
    await revokeLinkOf(queries, actor, personId);
    await revokeLinksShownTo(queries, actor, personId);
  },
  identities: (queries, actor, personId) => unlinkIdentitiesOf(queries, actor, personId),
  factors: removeFactorsOf,
};

/** `keepWayIn`: refuses to close the last way in, because people never want that for themselves. */
export async function closeWaysIn(
  queries: Queries,
  actor: EventActor,
  personId: string,
  { ways, keepWayIn }: { readonly ways: readonly ClosableWay[]; readonly keepWayIn: boolean },
): Promise<void> {
  for (const way of closableWays) if (ways.includes(way)) await closers[way](queries, actor, personId);
  if (keepWayIn) await assertWayIn(queries, personId);
}

/**
 * A disabled account keeps only its password and authenticator app, which open nothing until it is enabled.
 */
export async function closeAccount(queries: Queries, actor: EventActor, personId: string): Promise<void> {
  await endSessionsOf(queries, actor, personId);
  await forgetDevices(queries, personId);
  await closeWaysIn(queries, actor, personId, {
    ways: ['feeds', 'tokens', 'links', 'identities'],
    keepWayIn: false,
  });
  await removePasskeysOf(queries, actor, personId);
}
