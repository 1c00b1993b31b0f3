// The company sign-ins that are linked to a person, and how they are unlinked.
import { refuse } from '#core/refusals.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { type EventActor, recordAccountEvent } from '../auth/account-events.service.ts';
import type { Queries } from '../db/database.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { deleteIdentities, type IdentityRow, readIdentities, readPasswordPath } from './single-sign-on.store.ts';

export type LinkedIdentity = IdentityRow;

/** Without the protocol: what a person knows the provider by. */
export const issuerName = (issuer: string): string => issuer.replace(/^https?:\/\//, '').replace(/\/$/, '');

export const identitiesOf = (queries: Queries, personId: string): Promise<LinkedIdentity[]> =>
  readIdentities(queries, personId);

type Which = {
  readonly id?: string | undefined;
  /** Refused where nothing else lets the person in: of their own ways in, and not where a manager closes them. */
  readonly keepWayIn: boolean;
};

/** Unlinks one identity of a person, or all; gives those that were linked. */
export async function unlinkIdentitiesOf(
  queries: Queries,
  actor: EventActor,
  personId: string,
  { id, keepWayIn }: Which,
): Promise<LinkedIdentity[]> {
  const path = await readPasswordPath(queries, { id: personId });
  const linked = (await readIdentities(queries, personId)).filter((identity) => id === undefined || identity.id === id);
  if (linked.length === 0) return [];
  if (keepWayIn && !path?.hasPassword)
    throw new RefusalError(
      refuse('CONFLICT', 'This is the only way into your account. Ask an admin for a password first'),
    );
  const ids = linked.map((identity) => identity.id);
  await deleteIdentities(queries, personId, ids);
  for (const { issuer } of linked) {
    await recordAudit(queries, actor, {
      action: 'signInDisconnected',
      subjectType: 'person',
      subjectId: personId,
      before: { issuer },
    });
    await recordAccountEvent(queries, actor, {
      personId,
      kind: 'identityRemoved',
      detail: { issuer: issuerName(issuer) },
    });
  }
  return linked;
}
