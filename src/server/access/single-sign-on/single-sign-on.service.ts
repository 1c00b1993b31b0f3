// Signs in through the identity provider, and connects a person to it. The token is fetched with a cookie and
// by POST, so it is never in an address (D14).

import { invitationEndings, type SignInEnding } from '#core/access/sign-in-endings.ts';
import { refuse } from '#core/base/refusals.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { inAddressTurn } from '#server/platform/graphql/person-turns.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { hashText } from '#server/platform/hash-text.ts';
import { addressBucket } from '#server/platform/http/address-bucket.ts';
import { randomToken } from '#server/platform/random-token.ts';
import { type EventActor, recordAccountEvent } from '../auth/account-events.service.ts';
import { invitedBy, readInvitation, withdrawLink } from '../auth/account-links.service.ts';
import { holdPerson, type SignedIn, startSession } from '../auth/auth.service.ts';
import type { Caller } from '../auth/caller.ts';
import { addressKeyOf } from '../auth/guess-limits.ts';
import { saveRenewal } from '../auth/recent-proof.ts';
import { lockAdmins } from '../roles/lock-admins.ts';
import { completeSignIn, type Ended, keepReturn, type SingleSignOn } from './complete-sign-in.ts';
import { issuerName } from './identities.service.ts';
import { type Identified, ProviderFailure } from './identity-provider.ts';
import * as store from './single-sign-on.store.ts';

/** How long a person can take at the provider. */
export const flowSeconds = 600;
/** Unfinished sign-ins of one address; a company can share one. */
const mostFlows = 500;

export type Begun = { readonly url: string; readonly key: string };

export type Wanted = {
  readonly goto?: string | null;
  /** The person who connects their own account. */
  readonly connects?: string;
  /** The session that connects, or without `connects` the one whose person confirms who they are. */
  readonly session?: Buffer | null;
  /** The accepted invitation's token. */
  readonly invitation?: string | undefined;
};

/** Not while the provider is asked, which can take long. */
const inCallersTurn = <T>({ address }: Caller, work: () => Promise<T>): Promise<T> =>
  inAddressTurn(addressBucket(address), 'single sign-on', work);

/** Starts a sign-in, a connection or the acceptance of an invitation. The browser keeps the key. */
export async function begin(
  context: SingleSignOn,
  caller: Caller,
  { goto = null, connects, session = null, invitation }: Wanted,
): Promise<Begun> {
  const { database, clock, provider, log } = context;
  // Requests with a session have their person's turn.
  const inTurn = <T>(work: () => Promise<T>) => (session === null ? inCallersTurn(caller, work) : work());
  // Don't send people to the provider with an invalid invitation.
  const invited = invitation === undefined ? null : await inTurn(() => readInvitation(context, invitation));
  const secrets = provider.newSecrets();
  const url = await provider.address(secrets, session !== null && connects === undefined).catch((error) => {
    log.warn({ err: error, requestId: caller.requestId }, 'the identity provider did not answer');
    throw new RefusalError(refuse('SIGN_IN_UNREACHABLE', invited === null ? undefined : invitationEndings.unreachable));
  });
  const key = randomToken();
  const now = clock.now();
  const flow = {
    ...secrets,
    keyHash: hashText(key),
    goto,
    connects: connects ?? null,
    invitation: invited,
    sessionHash: session,
    addressKey: addressKeyOf(caller.address),
    createdAt: now.toString(),
    expiresAt: now.add({ seconds: flowSeconds }).toString(),
  };
  await inTurn(() => store.insertFlow(database.drizzle, flow, mostFlows));
  return { url, key };
}

export type Returned = Ended & { readonly goto: string | null; readonly ofSession: boolean };

/** Handles the return from the provider with this query and the browser's key, if it has one. */
export async function finishSignOn(
  context: SingleSignOn,
  caller: Caller,
  query: string,
  key: string | undefined,
): Promise<Returned> {
  const { database, clock, provider, log } = context;
  const take = () => store.takeFlow(database.drizzle, hashText(key as string), clock.now().toString());
  const flow = key && (await inCallersTurn(caller, take));
  if (!flow) return { ending: 'expired', goto: null, ofSession: false, key: null };
  const back = { goto: flow.goto, ofSession: flow.sessionHash !== null };
  try {
    const identified = await provider.identify(query, flow);
    if (flow.invitation !== null) return { ...back, ...(await accept(context, caller, identified, flow.invitation)) };
    if (flow.sessionHash === null) return { ...back, ...(await signInAs(context, caller, identified)) };
    if (flow.connects === null) return { ...back, ...(await confirm(context, caller, identified, flow)) };
    return { ...back, ending: await connect(context, caller, identified, flow), key: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, requestId: caller.requestId }, 'a sign-in at the identity provider was invalid');
    return { ...back, ending: error.ending, key: null };
  }
}

async function signInAs(context: SingleSignOn, caller: Caller, identified: Identified): Promise<Ended> {
  const { database, clock } = context;
  return database.transaction(async (queries) => {
    await holdAdmins(queries, context);
    const person = await store.lockIdentified(queries, identified);
    if (!person || person.disabled) {
      await recordAudit(
        queries,
        { ...caller, clock, viewer: null },
        {
          action: 'signInFailed',
          subjectType: 'person',
          subjectId: person?.id ?? 'unknown',
          after: { issuer: identified.issuer, subject: identified.subject },
        },
      );
      return { ending: person ? 'disabled' : 'unknown', key: null };
    }
    return completeSignIn(queries, context, caller, person, identified);
  });
}

/**
 * Groups may remove an admin's role: of two concurrent sign-ins, one admin stays. Before locking any person.
 */
async function holdAdmins(queries: Queries, { groupRoles }: SingleSignOn): Promise<void> {
  if (groupRoles.length > 0) await lockAdmins(queries);
}

const recordConnection = (queries: Queries, actor: EventActor, personId: string, issuer: string): Promise<void> =>
  recordAccountEvent(queries, actor, { personId, kind: 'identityConnected', detail: { issuer: issuerName(issuer) } });

/**
 * Connects the invited person, identified by the token and never by an email, uses up the invitation and
 * signs them in.
 */
async function accept(
  context: SingleSignOn,
  caller: Caller,
  identified: Identified,
  invitation: Buffer,
): Promise<Ended> {
  const { database, clock } = context;
  const { issuer, subject } = identified;
  return database.transaction(async (queries) => {
    await holdAdmins(queries, context);
    const personId = await invitedBy(queries, clock, invitation);
    if (personId === undefined) return { ending: 'invitationOver', key: null };
    const connected = await store.connectIdentity(queries, { issuer, subject, personId, at: clock.now().toString() });
    if (!connected) return { ending: 'taken', key: null };
    await withdrawLink(queries, personId);
    const actor = { ...context, ...caller, viewer: { id: personId } };
    await recordAudit(queries, actor, {
      action: 'invitationAccepted',
      subjectType: 'person',
      subjectId: personId,
      after: { issuer, subject },
    });
    await recordConnection(queries, actor, personId, issuer);
    const person = (await store.lockIdentified(queries, identified)) as store.IdentifiedPerson;
    return completeSignIn(queries, context, caller, person, identified);
  });
}

/** The session that started it must still be valid: what a stolen token started ends with the token. */
async function connect(
  context: SingleSignOn,
  caller: Caller,
  { issuer, subject }: Identified,
  { sessionHash, connects }: store.Flow,
): Promise<SignInEnding> {
  const { database, clock } = context;
  const at = clock.now().toString();
  return database.transaction(async (queries) => {
    if (connects === null || !(await holdPerson(queries, connects))) return 'sessionOver';
    const personId = await store.readSessionPerson(queries, sessionHash as Buffer, at);
    if (personId !== connects) return 'sessionOver';
    const connected = await store.connectIdentity(queries, { issuer, subject, personId, at });
    if (!connected) return 'taken';
    const actor = { ...context, ...caller, viewer: { id: personId } };
    await recordAudit(queries, actor, {
      action: 'signInConnected',
      subjectType: 'person',
      subjectId: personId,
      after: { issuer, subject },
    });
    await recordConnection(queries, actor, personId, issuer);
    return 'connected';
  });
}

/** Clocks of two machines differ. */
const clockToleranceSeconds = 60;

/**
 * The session's person just signed in at the provider again: the page takes the new token, which completes
 * the proof.
 */
async function confirm(
  context: SingleSignOn,
  caller: Caller,
  identified: Identified,
  { sessionHash, createdAt }: store.Flow,
): Promise<Ended> {
  const { database, clock } = context;
  const session = sessionHash as Buffer;
  const begunAt = Temporal.Instant.from(createdAt).epochMilliseconds / 1_000;
  return database.transaction(async (queries) => {
    const person = await store.lockIdentified(queries, identified);
    const personId = await store.readSessionPerson(queries, session, clock.now().toString());
    if (personId === undefined) return { ending: 'sessionOver', key: null };
    // An old sign-in, or one without a time, proves nothing about now.
    if (identified.signedInAt === null || identified.signedInAt < begunAt - clockToleranceSeconds)
      return { ending: 'failed', key: null };
    if (person?.id !== personId) return { ending: 'anotherPerson', key: null };
    return { ending: 'confirmed', key: await keepReturn(queries, context, caller, { personId, session }) };
  });
}

/** The token for someone who is back, once: of a new session, or a new one for the confirmed session. */
export async function takeSession(context: SingleSignOn, caller: Caller, key: string | undefined): Promise<SignedIn> {
  const { database, clock } = context;
  return database.transaction(async (queries) => {
    const taken = key && (await store.takeReturn(queries, hashText(key), clock.now().toString()));
    if (!taken) throw new RefusalError(refuse('NOT_SIGNED_IN'));
    const { personId, session } = taken;
    const viewer = { id: personId };
    if (session !== null)
      return {
        token: await saveRenewal(queries, context, { ...caller, session, viewer, how: 'singleSignOn' }),
      };
    return startSession(queries, context, personId, { ...caller, method: 'singleSignOn' });
  });
}

export async function removeEndedFlows({ database, clock }: Services): Promise<void> {
  await store.deleteEndedFlows(database.drizzle, clock.now().toString());
}
