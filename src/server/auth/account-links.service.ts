// Invitations and new passwords: a link that is good once lets a person set the password that nobody else knows.
import { randomBytes } from 'node:crypto';
import { passwordRefusal } from '#core/passwords.ts';
import { refuse } from '#core/refusals.ts';
import { recordAudit } from '../audit/audit.service.ts';
import type { Services } from '../context.ts';
import type { Clock } from '../db/clock.ts';
import type { Queries } from '../db/database.ts';
import { orThrow, RefusalError } from '../graphql/refusal-error.ts';
import { assertPasswordPath } from '../single-sign-on/password-path.ts';
import { instantText } from '../sprints/sprint-week.ts';
import { tokenHash } from '../viewer.ts';
import { deleteLink, type LinkKind, lockInvited, readLink, redeemLink, saveLink } from './account-links.store.ts';
import { hashPassword, inTurn } from './passwords.ts';
import { endSessionsOf } from './sessions.service.ts';

export type { LinkKind };

/** How long a link is good: an invitation over a week away from the desk, a new password only as long as one waits for it. */
export const linkHours: Readonly<Record<LinkKind, number>> = { invite: 7 * 24, reset: 24 };
const crowdedRetrySeconds = 5;

const notGood = () =>
  new RefusalError(refuse('LINK_EXPIRED', 'This link was used already, or has run out. Ask for a new one'));

export type NewLink = { readonly kind: LinkKind; readonly token: string; readonly expiresAt: string };

/** The token is told to nobody else and kept nowhere. */
export async function makeLink(queries: Queries, clock: Clock, personId: string, kind: LinkKind): Promise<NewLink> {
  await assertPasswordPath(queries, { id: personId });
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  const expiresAt = instantText(now.add({ hours: linkHours[kind] }));
  await saveLink(queries, {
    personId,
    tokenHash: tokenHash(token),
    kind,
    createdAt: instantText(now),
    expiresAt,
  });
  return { kind, token, expiresAt };
}

export function withdrawLink(queries: Queries, personId: string): Promise<void> {
  return deleteLink(queries, personId);
}

/** Where the link leads. The token stands behind the #: browsers send that part to nobody, so it is in no log. */
export function linkAddress(origin: string, { kind, token }: Pick<NewLink, 'kind' | 'token'>): string {
  return `${origin.replace(/\/$/, '')}/#${kind}=${token}`;
}

export type LinkOwner = {
  readonly kind: LinkKind;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
};

export async function ownerOfLink({ database, clock }: Services, token: string): Promise<LinkOwner> {
  const link = await readLink(database.drizzle, tokenHash(token), clock.now().toString());
  if (!link) throw notGood();
  const { personId: _, ...owner } = link;
  return owner;
}

/** The invited person of an invitation that is good, by the hash of its token. */
export function invitedBy(queries: Queries, clock: Clock, hash: Buffer): Promise<string | undefined> {
  return lockInvited(queries, hash, clock.now().toString());
}

/** What is kept of an invitation that is to be accepted; throws where it is no longer good. */
export async function readInvitation(services: Services, token: string): Promise<Buffer> {
  if ((await ownerOfLink(services, token)).kind !== 'invite') throw notGood();
  return tokenHash(token);
}

type Caller = { readonly requestId: string; readonly address: string };

/** Sets the password of the person whom the link is for, once. Whoever was signed in with an older one is not any more. */
export async function setPassword(
  services: Services,
  { token, password }: { token: string; password: string },
  caller: Caller,
): Promise<LinkOwner> {
  const { database, clock } = services;
  // Nothing is hashed for whoever has no link.
  const owner = await ownerOfLink(services, token);
  const refusal = passwordRefusal(password, owner);
  if (refusal) orThrow(refusal);
  const passwordHash = await inTurn(() => hashPassword(password));
  if (passwordHash === null) throw new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter: crowdedRetrySeconds });
  await database.transaction(async (queries) => {
    const id = await redeemLink(queries, tokenHash(token), { passwordHash, now: clock.now().toString() });
    if (id === undefined) throw notGood();
    await endSessionsOf(queries, services, id);
    const action = owner.kind === 'invite' ? 'invitationAccepted' : 'passwordSet';
    await recordAudit(queries, { ...caller, clock, viewer: { id } }, { action, subjectType: 'person', subjectId: id });
  });
  return owner;
}
