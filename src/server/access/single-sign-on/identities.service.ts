// The company sign-ins linked to a person, and how to unlink them.
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { type EventActor, recordAccountEvent } from '../auth/account-events.service.ts';
import { deleteIdentities, deleteReturns, type IdentityRow, readIdentities } from './single-sign-on.store.ts';

export type LinkedIdentity = IdentityRow;

/** Without the protocol: the name people know the provider by. */
export const issuerName = (issuer: string): string => issuer.replace(/^https?:\/\//, '').replace(/\/$/, '');

export const identitiesOf = (queries: Queries, personId: string): Promise<LinkedIdentity[]> =>
  readIdentities(queries, personId);

/** Unlinks one or all of a person's identities; returns those that were linked. */
export async function unlinkIdentitiesOf(
  queries: Queries,
  actor: EventActor,
  personId: string,
  id?: string,
): Promise<LinkedIdentity[]> {
  const linked = (await readIdentities(queries, personId)).filter((identity) => id === undefined || identity.id === id);
  if (linked.length === 0) return [];
  const ids = linked.map((identity) => identity.id);
  await deleteIdentities(queries, personId, ids);
  await deleteReturns(queries, personId);
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
