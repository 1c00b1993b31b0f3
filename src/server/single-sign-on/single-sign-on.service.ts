// Signing in through the identity provider, and connecting a person to it. The way back ends with a token that is fetched
// with a cookie and by POST: it never stands in an address (D14).
import { createHash, randomBytes } from 'node:crypto';
import { adminRole } from '#core/access.ts';
import { refuse } from '#core/refusals.ts';
import type { SignInEnding } from '#core/sign-in-endings.ts';
import { type GroupRoles, planGroupRole } from '#core/single-sign-on.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { addressBucket, type Caller, startSession } from '../auth/auth.service.ts';
import type { RequestContext, Services } from '../context.ts';
import type { Queries } from '../db/database.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { tellingAccess } from '../notices/access-notices.ts';
import { type Identified, type IdentityProvider, ProviderFailure } from '../outside/identity-provider.ts';
import * as store from './single-sign-on.store.ts';

/** How long somebody may take at the provider. */
export const flowSeconds = 600;
/** How long the browser may take to fetch its token when it is back. */
const returnSeconds = 60;
/** Sign-ins of one address that are under way at once; a company may share one. */
const mostFlows = 500;

export type SingleSignOn = Services & {
  readonly provider: IdentityProvider;
  readonly issuer: string;
  readonly groupRoles: GroupRoles;
};

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const newKey = (): string => randomBytes(32).toString('base64url');
const addressKeyOf = ({ address }: Caller): Buffer => hashOf(`address:${addressBucket(address)}`);

export type Begun = { readonly url: string; readonly key: string };

/** Begins a sign-in, or the connecting of the person `connects`. The key is the browser's to keep. */
export async function begin(
  { database, clock, provider, log }: SingleSignOn,
  caller: Caller,
  { goto, connects }: { goto: string | null; connects: string | null },
): Promise<Begun> {
  const secrets = provider.newSecrets();
  const url = await provider.address(secrets).catch((error) => {
    log.warn({ err: error, requestId: caller.requestId }, 'the identity provider did not answer');
    throw new RefusalError(refuse('SIGN_IN_UNREACHABLE'));
  });
  const key = newKey();
  const now = clock.now();
  const begun = await store.insertFlow(
    database.drizzle,
    {
      ...secrets,
      keyHash: hashOf(key),
      goto,
      connects,
      addressKey: addressKeyOf(caller),
      createdAt: now.toString(),
      expiresAt: now.add({ seconds: flowSeconds }).toString(),
    },
    mostFlows,
  );
  if (!begun) throw new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter: flowSeconds });
  return { url, key };
}

export type Returned = {
  readonly ending: SignInEnding;
  readonly goto: string | null;
  readonly connects: boolean;
  /** What the browser fetches its token with; a new one, so that a key from before the sign-in is worth nothing. */
  readonly key: string | null;
};

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
    if (flow.connects === null) return { ...back, ...(await signInAs(context, caller, identified)) };
    return { ...back, ending: await connect(context, caller, identified, flow.connects), key: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, requestId: caller.requestId }, 'a sign-in at the identity provider did not hold');
    return { ...back, ending: error.ending, key: null };
  }
}

async function signInAs(
  context: SingleSignOn,
  caller: Caller,
  identified: Identified,
): Promise<{ ending: SignInEnding; key: string | null }> {
  const { database, clock } = context;
  return database.transaction(async (queries) => {
    const person = await store.lockIdentified(queries, identified);
    const actor = { ...caller, clock, viewer: person ? { id: person.id } : null };
    if (!person || person.disabled) {
      await recordAudit(
        queries,
        { ...actor, viewer: null },
        {
          action: 'signInFailed',
          subjectType: 'person',
          subjectId: person?.id ?? 'unknown',
          after: { issuer: identified.issuer, subject: identified.subject },
        },
      );
      return { ending: person ? 'disabled' : 'unknown', key: null };
    }
    await followGroups(queries, context, actor, person, identified);
    const key = newKey();
    const now = clock.now();
    await store.saveUse(queries, identified.issuer, identified.subject, now.toString());
    await store.insertReturn(queries, {
      keyHash: hashOf(key),
      personId: person.id,
      addressKey: addressKeyOf(caller),
      createdAt: now.toString(),
      expiresAt: now.add({ seconds: returnSeconds }).toString(),
    });
    return { ending: 'done', key };
  });
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
  const { roles, otherAdmins } = await store.readRoleFacts(queries, person.id, adminRole);
  const after = planGroupRole(person, { mapping: groupRoles, groups, roles: new Set(roles), lastAdmin: !otherAdmins });
  if (after.role === person.role && after.ofGroups === person.ofGroups) return;
  // The provider did it, whoever signs in: the person is told.
  await tellingAccess({ ...context, viewer: null }, queries, [person.id], () =>
    store.saveGroupRole(queries, person.id, issuer, after),
  );
  if (after.role === person.role) return;
  await recordAudit(queries, actor, {
    action: 'roleOfGroups',
    subjectType: 'person',
    subjectId: person.id,
    before: { role: person.role },
    after: { role: after.role },
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
