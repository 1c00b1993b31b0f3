// Closes what lets somebody into an account: one kind at a time, or all of them at once.

import { type ClosableWay, closableWays } from '#core/account-inputs.ts';
import { refuse } from '#core/refusals.ts';
import { type EventActor, recordAccountEvent } from '../auth/account-events.service.ts';
import { withdrawLink } from '../auth/account-links.service.ts';
import type { Queries } from '../db/database.ts';
import { removeFactorsOf } from '../factors/factors.service.ts';
import { readFactors } from '../factors/factors.store.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { revokeTokensOf } from '../numbers/import/service-tokens.service.ts';
import { revokeFeedsOf } from '../schedule/calendar-feeds.service.ts';
import { unlinkIdentitiesOf } from '../single-sign-on/identities.service.ts';
import { readPasswordPath } from '../single-sign-on/single-sign-on.store.ts';

/** Each records and tells what it closed. */
const closers: Readonly<
  Record<ClosableWay, (queries: Queries, actor: EventActor, personId: string) => Promise<unknown>>
> = {
  feeds: revokeFeedsOf,
  tokens: revokeTokensOf,
  links: async (queries, actor, personId) => {
    if (await withdrawLink(queries, personId))
      await recordAccountEvent(queries, actor, { personId, kind: 'linkRevoked' });
  },
  identities: (queries, actor, personId) => unlinkIdentitiesOf(queries, actor, personId),
  factors: removeFactorsOf,
};

/** `keepWayIn`: refused where no way in would be left, which a person can't want. */
export async function closeWaysIn(
  queries: Queries,
  actor: EventActor,
  personId: string,
  { ways, keepWayIn }: { readonly ways: readonly ClosableWay[]; readonly keepWayIn: boolean },
): Promise<void> {
  for (const way of closableWays) if (ways.includes(way)) await closers[way](queries, actor, personId);
  if (keepWayIn) await assertWayIn(queries, personId);
}

/** Throws CONFLICT where neither a password nor a company sign-in nor a passkey is left. */
export async function assertWayIn(queries: Queries, personId: string): Promise<void> {
  const path = await readPasswordPath(queries, { id: personId });
  if (path?.hasPassword || path?.connected || (await readFactors(queries, personId)).passkeys) return;
  throw new RefusalError(
    refuse('CONFLICT', 'This would close the only way into your account. Ask an admin for a password first'),
  );
}
