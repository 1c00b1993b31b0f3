// Signing in through the identity provider, and connecting a person to it. The way back ends with a token that is fetched
// with a cookie and by POST: it never stands in an address (D14).
import { refuse } from '#core/refusals.ts';
import { invitationEndings, type SignInEnding } from '#core/sign-in-endings.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { invitedBy, readInvitation, withdrawLink } from '../auth/account-links.service.ts';
import { type Caller, startSession } from '../auth/auth.service.ts';
import type { RequestContext, Services } from '../context.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { type Identified, ProviderFailure } from '../outside/identity-provider.ts';
import { addressKeyOf, type Ended, hashOf, letIn, newKey, type SingleSignOn } from './let-in.ts';
import * as store from './single-sign-on.store.ts';

/** How long somebody may take at the provider. */
export const flowSeconds = 600;
/** Sign-ins of one address that are under way at once; a company may share one. */
const mostFlows = 500;

export type Begun = { readonly url: string; readonly key: string };

export type Wanted = {
  readonly goto?: string | null;
  /** The person who connects the own account. */
  readonly connects?: string;
  /** The token of the invitation that is accepted. */
  readonly invitation?: string | undefined;
};

/** Begins a sign-in, the connecting of a person or the accepting of an invitation. The key is the browser's to keep. */
export async function begin(
  context: SingleSignOn,
  caller: Caller,
  { goto = null, connects, invitation }: Wanted,
): Promise<Begun> {
  const { database, clock, provider, log } = context;
  // Nobody is sent away with an invitation that leads nowhere.
  const invited = invitation === undefined ? null : await readInvitation(context, invitation);
  const secrets = provider.newSecrets();
  const url = await provider.address(secrets).catch((error) => {
    log.warn({ err: error, requestId: caller.requestId }, 'the identity provider did not answer');
    throw new RefusalError(refuse('SIGN_IN_UNREACHABLE', invited === null ? undefined : invitationEndings.unreachable));
  });
  const key = newKey();
  const now = clock.now();
  const begun = await store.insertFlow(
    database.drizzle,
    {
      ...secrets,
      keyHash: hashOf(key),
      goto,
      connects: connects ?? null,
      invitation: invited,
      addressKey: addressKeyOf(caller),
      createdAt: now.toString(),
      expiresAt: now.add({ seconds: flowSeconds }).toString(),
    },
    mostFlows,
  );
  if (!begun) throw new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter: flowSeconds });
  return { url, key };
}

export type Returned = Ended & { readonly goto: string | null; readonly connects: boolean };

/** Somebody is back from the provider with this query and the key of this browser, if it has one. */
export async function comeBack(
  context: SingleSignOn,
  caller: Caller,
  query: string,
  key: string | undefined,
): Promise<Returned> {
  const { database, clock, provider, log } = context;
  const flow = key && (await store.takeFlow(database.drizzle, hashOf(key), clock.now().toString()));
  if (!flow) return { ending: 'expired', goto: null, connects: false, key: null };
  const back = { goto: flow.goto, connects: flow.connects !== null };
  try {
    const identified = await provider.identify(query, flow);
    if (flow.invitation !== null) return { ...back, ...(await accept(context, caller, identified, flow.invitation)) };
    if (flow.connects === null) return { ...back, ...(await signInAs(context, caller, identified)) };
    return { ...back, ending: await connect(context, caller, identified, flow.connects), key: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, requestId: caller.requestId }, 'a sign-in at the identity provider did not hold');
    return { ...back, ending: error.ending, key: null };
  }
}

async function signInAs(context: SingleSignOn, caller: Caller, identified: Identified): Promise<Ended> {
  const { database, clock } = context;
  return database.transaction(async (queries) => {
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
    return letIn(queries, context, caller, person, identified);
  });
}

/** Connects the invited person, whom the token proves and never an e-mail, uses the invitation up and lets the person in. */
async function accept(
  context: SingleSignOn,
  caller: Caller,
  identified: Identified,
  invitation: Buffer,
): Promise<Ended> {
  const { database, clock } = context;
  const { issuer, subject } = identified;
  return database.transaction(async (queries) => {
    const personId = await invitedBy(queries, clock, invitation);
    if (personId === undefined) return { ending: 'invitationOver', key: null };
    const connected = await store.connectIdentity(queries, { issuer, subject, personId, at: clock.now().toString() });
    if (!connected) return { ending: 'taken', key: null };
    await withdrawLink(queries, personId);
    await recordAudit(
      queries,
      { ...caller, clock, viewer: { id: personId } },
      { action: 'invitationAccepted', subjectType: 'person', subjectId: personId, after: { issuer, subject } },
    );
    const person = (await store.lockIdentified(queries, identified)) as store.IdentifiedPerson;
    return letIn(queries, context, caller, person, identified);
  });
}

async function connect(
  { database, clock }: SingleSignOn,
  caller: Caller,
  { issuer, subject }: Identified,
  personId: string,
): Promise<SignInEnding> {
  return database.transaction(async (queries) => {
    const connected = await store.connectIdentity(queries, { issuer, subject, personId, at: clock.now().toString() });
    if (!connected) return 'taken';
    await recordAudit(
      queries,
      { ...caller, clock, viewer: { id: personId } },
      { action: 'signInConnected', subjectType: 'person', subjectId: personId, after: { issuer, subject } },
    );
    return 'connected';
  });
}

/** The token for whoever is back, once. */
export async function takeToken(context: SingleSignOn, caller: Caller, key: string | undefined): Promise<string> {
  const { database, clock } = context;
  return database.transaction(async (queries) => {
    const personId = key && (await store.takeReturn(queries, hashOf(key), clock.now().toString()));
    if (!personId) throw new RefusalError(refuse('NOT_SIGNED_IN'));
    const token = await startSession(queries, context, personId, caller);
    await recordAudit(
      queries,
      { ...caller, clock, viewer: { id: personId } },
      { action: 'signedIn', subjectType: 'person', subjectId: personId, after: { by: 'singleSignOn' } },
    );
    return token;
  });
}

export type Connection = { readonly connected: boolean; readonly hasPassword: boolean };

export function connectionOf({ database, issuer }: SingleSignOn, personId: string): Promise<Connection> {
  return store.readConnection(database.drizzle, personId, issuer);
}

/** Refused where it is the person's only way in. */
export async function disconnect(
  context: SingleSignOn & Pick<RequestContext, 'requestId' | 'address'>,
  personId: string,
): Promise<void> {
  const { database, issuer } = context;
  await database.transaction(async (queries) => {
    if (!(await store.disconnectIdentity(queries, personId, issuer)))
      throw new RefusalError(
        refuse('CONFLICT', 'Set a password first: this sign-in is the only way into your account'),
      );
    await recordAudit(
      queries,
      { ...context, viewer: { id: personId } },
      { action: 'signInDisconnected', subjectType: 'person', subjectId: personId, before: { issuer } },
    );
  });
}

export async function removeEndedFlows({ database, clock }: Services): Promise<void> {
  await store.deleteEndedFlows(database.drizzle, clock.now().toString());
}
