// Invitations and new passwords: a link that is good once lets a person set the password that nobody else knows.
import { passwordRefusal } from '#core/access/passwords.ts';
import { refuse } from '#core/base/refusals.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Services } from '#server/platform/context.ts';
import type { Clock } from '#server/platform/db/clock.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { randomToken } from '#server/platform/random-token.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import { assertPasswordPath } from '../single-sign-on/password-path.ts';
import { readAccountReach } from './account-control.ts';
import { type EventActor, recordAccountEvent } from './account-events.service.ts';
import {
  deleteLink,
  type LinkKind,
  lockInvited,
  readLink,
  readOpenLink,
  redeemLink,
  saveLink,
  saveShownTo,
} from './account-links.store.ts';
import type { Caller } from './caller.ts';
import { addressBucket } from './guess-limits.ts';
import { forgetDevices } from './known-devices.ts';
import { hashPassword } from './passwords.ts';
import { endSessionsOf } from './sessions.service.ts';
import { inTurn } from './turns.ts';

export type { LinkKind };

/** How long a link is good: an invitation over a week away from the desk, a new password only as long as one waits for it. */
export const linkHours: Readonly<Record<LinkKind, number>> = { invite: 7 * 24, reset: 24 };

const notGood = () =>
  new RefusalError(refuse('LINK_EXPIRED', 'This link has expired or was already used. Ask for a new one'));

export type NewLink = { readonly kind: LinkKind; readonly token: string; readonly expiresAt: string };

/** The token is told to nobody else and kept nowhere. `shownTo`: who sees it and hands it over. */
export async function makeLink(
  queries: Queries,
  clock: Clock,
  personId: string,
  kind: LinkKind,
  { shownTo = null, hours = linkHours[kind] }: { shownTo?: string | null; hours?: number } = {},
): Promise<NewLink> {
  await assertPasswordPath(queries, { id: personId });
  const token = randomToken();
  const now = clock.now();
  const expiresAt = instantText(now.add({ hours }));
  await saveLink(queries, {
    personId,
    tokenHash: tokenHash(token),
    kind,
    createdAt: instantText(now),
    expiresAt,
    shownTo,
  });
  return { kind, token, expiresAt };
}

/** Withdraws the open link, records it and tells the person. False: there was none. */
export async function revokeLinkOf(queries: Queries, actor: EventActor, personId: string): Promise<boolean> {
  if (!(await withdrawLink(queries, personId))) return false;
  await recordAudit(queries, actor, { action: 'passwordLinkRevoked', subjectType: 'person', subjectId: personId });
  await recordAccountEvent(queries, actor, { personId, kind: 'linkRevoked' });
  return true;
}

/** Whether there was one. `token`: only where that one is open still. */
export function withdrawLink(queries: Queries, personId: string, token?: string): Promise<boolean> {
  return deleteLink(queries, personId, token === undefined ? undefined : tokenHash(token));
}

export type OpenLink = { readonly kind: LinkKind; readonly until: string };

export async function openLinkOf(queries: Queries, personId: string, now: Temporal.Instant): Promise<OpenLink | null> {
  const link = await readOpenLink(queries, personId, now.toString());
  return link ? { kind: link.kind, until: instantText(Temporal.Instant.from(link.expiresAt)) } : null;
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
  await assertStillShowable(database.drizzle, link.shownTo, link.personId);
  const { personId: _, shownTo: _shown, ...owner } = link;
  return owner;
}

/**
 * A link that somebody saw stops working once the account opens more than that person holds: they could use it themselves
 * (T14).
 */
async function assertStillShowable(queries: Queries, shownTo: string | null, personId: string): Promise<void> {
  if (shownTo !== null && (await readAccountReach(queries, { id: shownTo }, personId))) throw notGood();
}

/** The mail failed, so the maker sees the link. False: another link replaced it meanwhile. */
export function showLink(queries: Queries, personId: string, token: string, shownTo: string): Promise<boolean> {
  return saveShownTo(queries, personId, { tokenHash: tokenHash(token), shownTo });
}

/** Whether somebody handed the person a link that still works. */
export async function hasHandedOverLink(queries: Queries, clock: Clock, personId: string): Promise<boolean> {
  const shownTo = (await readOpenLink(queries, personId, clock.now().toString()))?.shownTo ?? null;
  return shownTo !== null && (await readAccountReach(queries, { id: shownTo }, personId)) === null;
}

/** The invited person of an invitation that is good, by the hash of its token. */
export async function invitedBy(queries: Queries, clock: Clock, hash: Buffer): Promise<string | undefined> {
  const invited = await lockInvited(queries, hash, clock.now().toString());
  if (invited === undefined) return undefined;
  const { id, shownTo } = invited;
  const isLost = shownTo !== null && (await readAccountReach(queries, { id: shownTo }, id)) !== null;
  return isLost ? undefined : id;
}

/** What is kept of an invitation that is to be accepted; throws where it is no longer good. */
export async function readInvitation(services: Services, token: string): Promise<Buffer> {
  if ((await ownerOfLink(services, token)).kind !== 'invite') throw notGood();
  return tokenHash(token);
}

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
  const passwordHash = await inTurn(() => hashPassword(password), { by: addressBucket(caller.address), known: false });
  await database.transaction(async (queries) => {
    const id = await redeemLink(queries, tokenHash(token), { passwordHash, now: clock.now().toString() });
    if (id === undefined) throw notGood();
    await endSessionsOf(queries, services, id);
    await forgetDevices(queries, id, caller.device);
    const action = owner.kind === 'invite' ? 'invitationAccepted' : 'passwordSet';
    await recordAudit(queries, { ...caller, clock, viewer: { id } }, { action, subjectType: 'person', subjectId: id });
    if (owner.kind === 'reset')
      await recordAccountEvent(
        queries,
        { ...services, ...caller, viewer: null },
        { personId: id, kind: 'passwordReset', method: 'link' },
      );
  });
  return owner;
}
