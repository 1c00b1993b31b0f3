// Invitations and password resets: a one-time link lets a person set a password that nobody else knows.
import { passwordRefusal } from '#core/access/passwords.ts';
import { refuse } from '#core/base/refusals.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Services } from '#server/platform/context.ts';
import type { Clock } from '#server/platform/db/clock.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { inAddressTurn } from '#server/platform/graphql/person-turns.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { addressBucket } from '#server/platform/http/address-bucket.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { randomToken } from '#server/platform/random-token.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import { assertPasswordPath } from '../single-sign-on/password-path.ts';
import { readAccountReach } from './account-control.ts';
import { type EventActor, recordAccountEvent } from './account-events.service.ts';
import {
  deleteLink,
  type LinkKind,
  type LockedLink,
  lockLink,
  readLink,
  readOpenLink,
  readShownTo,
  redeemLink,
  saveLink,
  saveShownTo,
} from './account-links.store.ts';
import type { Caller } from './caller.ts';
import { forgetDevices } from './known-devices.ts';
import { hashPassword } from './passwords.ts';
import { endSessionsOf } from './sessions.service.ts';
import { inTurn } from './turns.ts';

export type { LinkKind };

/**
 * How long a link is valid: an invitation can wait out a week of vacation, a reset only as long as someone
 * waits for it.
 */
export const linkHours: Readonly<Record<LinkKind, number>> = { invite: 7 * 24, reset: 24 };

const notGood = () =>
  new RefusalError(refuse('LINK_EXPIRED', 'This link has expired or was already used. Ask for a new one'));

export type NewLink = { readonly kind: LinkKind; readonly token: string; readonly expiresAt: string };

/** The token isn't stored. `shownTo`: the person who sees and hands it over. */
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

/** Revokes the open link, records it and notifies the person. Returns false if there was none. */
export async function revokeLinkOf(queries: Queries, actor: EventActor, personId: string): Promise<boolean> {
  if (!(await withdrawLink(queries, personId))) return false;
  await recordAudit(queries, actor, { action: 'passwordLinkRevoked', subjectType: 'person', subjectId: personId });
  await recordAccountEvent(queries, actor, { personId, kind: 'linkRevoked' });
  return true;
}

/**
 * Revokes the links to other accounts that this person saw: someone else may have seen them through this
 * account.
 */
export async function revokeLinksShownTo(queries: Queries, actor: EventActor, personId: string): Promise<void> {
  for (const id of await readShownTo(queries, personId, actor.clock.now().toString()))
    await revokeLinkOf(queries, actor, id);
}

/** Returns whether there was one. With `token`, only revokes that link. */
export function withdrawLink(queries: Queries, personId: string, token?: string): Promise<boolean> {
  return deleteLink(queries, personId, token === undefined ? undefined : tokenHash(token));
}

export type OpenLink = { readonly kind: LinkKind; readonly until: string };

export async function openLinkOf(queries: Queries, personId: string, now: Temporal.Instant): Promise<OpenLink | null> {
  const link = await readOpenLink(queries, personId, now.toString());
  return link ? { kind: link.kind, until: instantText(Temporal.Instant.from(link.expiresAt)) } : null;
}

/** The link's address. Browsers don't send the part after #, so the token stays out of logs. */
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
  if (!link || !(await isStillShowable(database.drizzle, clock, link))) throw notGood();
  const { personId: _, shownTo: _shown, ...owner } = link;
  return owner;
}

/**
 * A link that someone saw stops working once the account has more permissions than they do, because they
 * could use it themselves (T14).
 */
async function isStillShowable(
  queries: Queries,
  clock: Clock,
  { shownTo, personId }: { readonly shownTo: string | null; readonly personId: string },
): Promise<boolean> {
  // A command's link is its person's own.
  if (shownTo === null || shownTo === personId) return true;
  return (await readAccountReach(queries, { viewer: { id: shownTo }, clock }, personId)) === null;
}

/** The link while it can be used. Nobody gives its person another role before the transaction ends. */
async function lockUsableLink(queries: Queries, clock: Clock, hash: Buffer): Promise<LockedLink | undefined> {
  const link = await lockLink(queries, hash, clock.now().toString());
  return link && (await isStillShowable(queries, clock, link)) ? link : undefined;
}

/** Shows the link to its maker after the mail failed. Returns false if another link has replaced it. */
export function showLink(queries: Queries, personId: string, token: string, shownTo: string): Promise<boolean> {
  return saveShownTo(queries, personId, { tokenHash: tokenHash(token), shownTo });
}

/** Whether the person was handed a link that still works. */
export async function hasHandedOverLink(queries: Queries, clock: Clock, personId: string): Promise<boolean> {
  const shownTo = (await readOpenLink(queries, personId, clock.now().toString()))?.shownTo ?? null;
  return shownTo !== null && (await isStillShowable(queries, clock, { shownTo, personId }));
}

/** The invited person, by the hash of a valid invitation's token. */
export async function invitedBy(queries: Queries, clock: Clock, hash: Buffer): Promise<string | undefined> {
  const link = await lockUsableLink(queries, clock, hash);
  return link?.kind === 'invite' ? link.personId : undefined;
}

/** The invitation to accept; throws if it is no longer valid. */
export async function readInvitation(services: Services, token: string): Promise<Buffer> {
  if ((await ownerOfLink(services, token)).kind !== 'invite') throw notGood();
  return tokenHash(token);
}

/** Sets the password with a one-time link and ends the sessions of the old password. */
export async function setPassword(
  services: Services,
  { token, password }: { token: string; password: string },
  caller: Caller,
): Promise<LinkOwner> {
  const { database, clock } = services;
  // Without a valid link, nothing is hashed.
  const bucket = addressBucket(caller.address);
  const owner = await inAddressTurn(bucket, 'set password', () => ownerOfLink(services, token));
  const refusal = passwordRefusal(password, owner);
  if (refusal) orThrow(refusal);
  const passwordHash = await inTurn(() => hashPassword(password), {
    by: bucket,
    known: false,
    part: owner.email.toLowerCase(),
  });
  await database.transaction(async (queries) => {
    // Again, because hashing took a while.
    if (!(await lockUsableLink(queries, clock, tokenHash(token)))) throw notGood();
    const id = await redeemLink(queries, tokenHash(token), { passwordHash, now: clock.now().toString() });
    if (id === undefined) throw notGood();
    await endSessionsOf(queries, services, id);
    await forgetDevices(queries, id, caller.device);
    await revokeLinksShownTo(queries, { ...services, ...caller, viewer: null }, id);
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
