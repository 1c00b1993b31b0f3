// Closes what lets somebody into an account: one kind at a time, or all of them at once.

import { type EventActor, recordAccountEvent } from '../auth/account-events.service.ts';
import { withdrawLink } from '../auth/account-links.service.ts';
import type { Queries } from '../db/database.ts';
import { revokeTokensOf } from '../numbers/import/service-tokens.service.ts';
import { revokeFeedsOf } from '../schedule/calendar-feeds.service.ts';
import { unlinkIdentitiesOf } from '../single-sign-on/identities.service.ts';

/** Which kinds end beside the sessions. */
export type Closing = {
  readonly feeds: boolean;
  readonly tokens: boolean;
  readonly links: boolean;
  readonly identities: boolean;
};

export const everyWayIn: Closing = { feeds: true, tokens: true, links: true, identities: true };

/** `keepWayIn`: refused where the last way in would go, which a person can't want. */
export async function closeWaysIn(
  queries: Queries,
  actor: EventActor,
  personId: string,
  { feeds, tokens, links, identities, keepWayIn }: Closing & { readonly keepWayIn: boolean },
): Promise<void> {
  if (identities) await unlinkIdentitiesOf(queries, actor, personId, { keepWayIn });
  if (feeds) await revokeFeedsOf(queries, actor, personId);
  if (tokens) await revokeTokensOf(queries, actor, personId);
  if (links && (await withdrawLink(queries, personId)))
    await recordAccountEvent(queries, actor, { personId, kind: 'linkRevoked' });
}
