// Completes a sign-in after the provider identified the person: the groups' role, and a key for the session's
// token.
import { adminRole } from '#core/access/access.ts';
import type { SignInEnding } from '#core/access/sign-in-endings.ts';
import { type GroupRoles, planGroupRole } from '#core/access/single-sign-on.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { hashText } from '#server/platform/hash-text.ts';
import { randomToken } from '#server/platform/random-token.ts';
import { trackAccess } from '../access-changes.ts';
import { accessHook } from '../access-hook.ts';
import type { Caller } from '../auth/caller.ts';
import { addressKeyOf } from '../auth/guess-limits.ts';
import { boundGroupRoles } from './group-roles.service.ts';
import type { Identified, IdentityProvider } from './identity-provider.ts';
import * as store from './single-sign-on.store.ts';

/** How long the returning browser has to fetch its token. */
const returnSeconds = 60;

export type SingleSignOn = Services & {
  readonly provider: IdentityProvider;
  readonly issuer: string;
  readonly groupRoles: GroupRoles;
};

/** The outcome, and a new key for fetching the token: one from before the sign-in is worthless. */
export type Ended = { readonly ending: SignInEnding; readonly key: string | null };

/** Gives the person the groups' role, and the browser a key to fetch a token with. */
export async function completeSignIn(
  queries: Queries,
  context: SingleSignOn,
  caller: Caller,
  person: store.IdentifiedPerson,
  identified: Identified,
): Promise<Ended> {
  const { clock } = context;
  await followGroups(queries, context, { ...caller, clock, viewer: { id: person.id } }, person, identified);
  await store.saveUse(queries, identified.issuer, identified.subject, clock.now().toString());
  return { ending: 'done', key: await keepReturn(queries, context, caller, { personId: person.id, session: null }) };
}

/** Returns the key to fetch a token with: of a new session, or a new one for this confirmed session. */
export async function keepReturn(
  queries: Queries,
  { clock }: Pick<SingleSignOn, 'clock'>,
  { address }: Caller,
  { personId, session }: store.Return,
): Promise<string> {
  const key = randomToken();
  const now = clock.now();
  await store.insertReturn(queries, {
    keyHash: hashText(key),
    personId,
    sessionHash: session,
    addressKey: addressKeyOf(address),
    createdAt: now.toString(),
    expiresAt: now.add({ seconds: returnSeconds }).toString(),
  });
  return key;
}

type Actor = Parameters<typeof recordAudit>[1];

async function followGroups(
  queries: Queries,
  context: SingleSignOn,
  actor: Actor,
  person: store.IdentifiedPerson,
  { issuer, groups }: Identified,
): Promise<void> {
  const { groupRoles } = context;
  if (groupRoles.length === 0) return;
  const mapping = await boundGroupRoles(queries, actor, groupRoles);
  const { roles, otherAdmins } = await store.readRoleFacts(queries, person.id, adminRole);
  const after = planGroupRole(person, { mapping, groups, roles: new Set(roles), lastAdmin: !otherAdmins });
  if (after.role === person.role && after.ofGroups === person.ofGroups) return;
  // The provider changed the role, so the person is notified.
  const provider = { ...context, viewer: null };
  await trackAccess(provider, queries, [person.id], () => store.saveGroupRole(queries, person.id, issuer, after));
  if (after.role === person.role) return;
  if (after.role !== null) await accessHook.handlers().roleGiven(provider, queries, person.id, after.role);
  await recordAudit(queries, actor, {
    action: 'roleOfGroups',
    subjectType: 'person',
    subjectId: person.id,
    before: { role: person.role },
    after: { role: after.role },
  });
}
