// Adds, names and removes second factors. Each change is in the audit log and the account log, in one
// transaction.
import type { AccountEventKind } from '#core/access/account-events.ts';
import type { PasskeyRegistration } from '#core/access/factor-inputs.ts';
import { codeRefusal } from '#core/access/one-time-codes.ts';
import {
  type Factors,
  isEnrolled,
  mostPasskeys,
  needsSecondFactor,
  type PasskeySite,
  type SecondFactorPolicy,
  stepMinutes,
} from '#core/access/second-factor.ts';
import { refuse } from '#core/base/refusals.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { hashText } from '#server/platform/hash-text.ts';
import type { LiveChanges } from '#server/platform/live/live.service.ts';
import type { Mailer } from '#server/platform/mail/mailer.ts';
import { recordAccountEvent } from '../auth/account-events.service.ts';
import {
  assertFactorProof,
  assertRecentProof,
  recordOwnChange,
  requireFactorProof,
  requireRecentProof,
} from '../auth/recent-proof.ts';
import { endSessionsOf } from '../auth/sessions.service.ts';
import { keepAnAdmin } from '../roles/lock-admins.ts';
import { deleteChallenge, insertChallenge, readChallenge } from './challenges.store.ts';
import { judge, makeRecoveryCodes, newSecret, setUpOf } from './codes.ts';
import * as store from './factors.store.ts';
import { registrationOptions, verifyRegistration } from './passkey-ceremonies.ts';
import { open, seal } from './sealed-secret.ts';
import { becomeStrong, type SetUpSession } from './step-sessions.ts';

/** Who changes a factor: the person, a manager, or a command (null). */
export type FactorActor = Pick<RequestContext, 'clock' | 'requestId' | 'address'> & {
  readonly live: Pick<LiveChanges, 'publish'>;
  readonly mail?: Pick<Mailer, 'configured'> | undefined;
  readonly agent?: string | undefined;
  readonly viewer: { readonly id: string } | null;
  /** The request's. A command has none. */
  readonly session?: Buffer | null;
};

/** A person who adds a factor, from a full session or because the policy requires one. */
export type SettingUp = Services & {
  readonly requestId: string;
  readonly address: string;
  readonly agent: string | undefined;
  /** The browser's token from an earlier sign-in: setup may be the last step of one. */
  readonly device?: string | undefined;
  readonly setUp: SetUpSession;
};

type Change = {
  readonly kind: AccountEventKind;
  readonly detail?: Readonly<Record<string, string | number>>;
};

async function record(queries: Queries, actor: FactorActor, personId: string, { kind, detail }: Change): Promise<void> {
  const entry = { action: kind, subjectType: 'person', subjectId: personId, ...(detail && { after: detail }) };
  const { viewer, session = null } = actor;
  // The others need a new factor or a proof each time.
  if (viewer?.id === personId && kind === 'passkeyRenamed')
    await recordOwnChange(queries, { ...actor, viewer, session }, entry);
  else await recordAudit(queries, actor, entry);
  await recordAccountEvent(queries, actor, { personId, kind, ...(detail && { detail }) });
}

const actorOf = (context: SettingUp): FactorActor => ({ ...context, viewer: { id: context.setUp.person.id } });

/**
 * The result of adding a factor: recovery codes if there were none, and a session if it was the last step of
 * signing in.
 */
export type Added = {
  readonly recoveryCodes: string[] | null;
  readonly token: string | null;
  readonly device?: string | undefined;
};

type NewFactor = { readonly factor: 'passkey' | 'totp'; readonly change: Change; readonly isFirst: boolean };

async function added(context: SettingUp, queries: Queries, { factor, change, isFirst }: NewFactor): Promise<Added> {
  const { session, person } = context.setUp;
  const { id } = person;
  await record(queries, actorOf(context), id, change);
  // Ends flows that were started with only the password.
  await store.endStepSessions(queries, id, session);
  const { recoveryCodesLeft } = await store.readFactors(queries, id);
  // Sessions from before the first factor were opened without one.
  if (isFirst) await endSessionsOf(queries, context, id, { except: session });
  const recoveryCodes = recoveryCodesLeft === 0 ? await renewCodes(context, queries, actorOf(context), id) : null;
  return { recoveryCodes, token: null, ...(await becomeStrong(context, queries, factor)) };
}

async function renewCodes(
  services: Pick<Services, 'clock'>,
  queries: Queries,
  actor: FactorActor,
  personId: string,
): Promise<string[]> {
  const codes = await makeRecoveryCodes(services, queries, personId);
  await record(queries, actor, personId, { kind: 'recoveryCodesCreated' });
  return codes;
}

const proven = (context: SettingUp): Promise<void> => {
  const { level, session } = context.setUp;
  return (level === 'needsEnrollment' ? requireRecentProof : requireFactorProof)({ ...context, session });
};

/** Locks the person. A session that may add the first factor can't add or replace another one. */
async function assertMayAdd(queries: Queries, { clock, setUp: { level, person, session } }: SettingUp): Promise<void> {
  await store.lockPersonOfPolicy(queries, person.id);
  if (level !== 'needsEnrollment') return assertFactorProof(queries, { clock, session });
  await assertRecentProof(queries, { clock, session });
  if (isEnrolled(await store.readFactors(queries, person.id))) throw new RefusalError(refuse('SECOND_FACTOR_NEEDED'));
}

export async function beginPasskey(context: SettingUp, site: PasskeySite) {
  await context.database.transaction((queries) => assertMayAdd(queries, context));
  const { person, session } = context.setUp;
  return registrationOptions(context, site, person, session);
}

export async function addPasskey(
  context: SettingUp,
  site: PasskeySite,
  { name, passkey }: { name: string; passkey: PasskeyRegistration },
): Promise<Added> {
  await proven(context);
  const { person, session } = context.setUp;
  const verified = await verifyRegistration(context, site, passkey, session);
  return context.database.transaction(async (queries) => {
    await assertMayAdd(queries, context);
    const before = await store.readFactors(queries, person.id);
    if (before.passkeys >= mostPasskeys)
      throw new RefusalError(refuse('CONFLICT', `You have ${mostPasskeys} passkeys. Remove one to add another`));
    const createdAt = context.clock.now().toString();
    const id = await store.insertPasskey(queries, { ...verified, name, personId: person.id, createdAt });
    if (id === null) throw new RefusalError(refuse('CONFLICT', 'This passkey was already added'));
    const change = { kind: 'passkeyAdded', detail: { name } } as const;
    return added(context, queries, { factor: 'passkey', change, isFirst: !isEnrolled(before) });
  });
}

const keyOfSetUp = (session: Buffer): Buffer => hashText(`new authenticator ${session.toString('hex')}`);

/** A new secret for the app, unusable until its first code was right. */
export async function beginAuthenticator(context: SettingUp) {
  const { person, session } = context.setUp;
  const secret = newSecret();
  const now = context.clock.now();
  await context.database.transaction(async (queries) => {
    await assertMayAdd(queries, context);
    await deleteChallenge(queries, keyOfSetUp(session));
    await insertChallenge(queries, {
      keyHash: keyOfSetUp(session),
      kind: 'newAuthenticator',
      personId: person.id,
      sessionHash: session,
      challenge: seal(context.config, person.id, secret).toString('base64url'),
      createdAt: now.toString(),
      expiresAt: now.add({ minutes: stepMinutes }).toString(),
    });
  });
  return setUpOf(secret, { appName: context.config.appName, email: person.email });
}

/** Its set-up is gone: it took too long, or it was confirmed and the answer didn't arrive. */
async function setUpOver(queries: Queries, personId: string, now: Temporal.Instant): Promise<RefusalError> {
  const app = await store.readAuthenticator(queries, personId);
  const earliest = now.subtract({ minutes: stepMinutes });
  const message =
    app && Temporal.Instant.compare(app.createdAt, earliest) > 0
      ? 'Your authenticator app is set up already. If you didn’t see recovery codes, create new ones in My account'
      : 'That took too long. Start again with a new QR code';
  return new RefusalError(refuse('WRONG_CODE', message, { field: 'code' }));
}

export async function addAuthenticator(context: SettingUp, code: string): Promise<Added> {
  await proven(context);
  const { database, clock, config } = context;
  const { person, session } = context.setUp;
  const now = clock.now();
  const sealed = await readChallenge(database.drizzle, keyOfSetUp(session), 'newAuthenticator', now.toString());
  const opened = sealed === undefined ? null : open(config, person.id, Buffer.from(sealed, 'base64url'));
  if (!opened) throw await setUpOver(database.drizzle, person.id, now);
  const judgment = judge(opened.secret, code, now, null);
  if (judgment.kind !== 'right') throw new RefusalError(codeRefusal(judgment));
  return database.transaction(async (queries) => {
    await assertMayAdd(queries, context);
    // Of two concurrent confirmations, one succeeds.
    if (!(await deleteChallenge(queries, keyOfSetUp(session)))) throw await setUpOver(queries, person.id, now);
    const secret = seal(config, person.id, opened.secret);
    const isFirst = !isEnrolled(await store.readFactors(queries, person.id));
    await store.saveAuthenticator(queries, person.id, { secret, step: judgment.step, at: now.toString() });
    return added(context, queries, { factor: 'totp', change: { kind: 'authenticatorAdded' }, isFirst });
  });
}

type Changing = Pick<Services, 'database'> & FactorActor;

export async function renamePasskey(
  context: Changing,
  personId: string,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await context.database.transaction(async (queries) => {
    const before = await store.renamePasskey(queries, personId, id, name);
    if (before === null) throw new RefusalError(refuse('NOT_FOUND'));
    if (before !== name) await record(queries, context, personId, { kind: 'passkeyRenamed', detail: { name } });
  });
}

/** Which factor to remove. Admins use `all` for someone who lost their phone. */
export type FactorToRemove =
  | { readonly kind: 'passkey'; readonly id: string }
  | { readonly kind: 'authenticator' }
  | { readonly kind: 'all' };

/** The text and log entry of what was removed; nothing if the person didn't have it. */
async function remove(queries: Queries, personId: string, factor: FactorToRemove): Promise<Change[]> {
  const passkeys =
    factor.kind === 'authenticator'
      ? []
      : await store.deletePasskeys(queries, personId, factor.kind === 'passkey' ? factor.id : undefined);
  const authenticator = factor.kind !== 'passkey' && (await store.deleteAuthenticator(queries, personId));
  return [
    ...passkeys.map((name): Change => ({ kind: 'passkeyRemoved', detail: { name } })),
    ...(authenticator ? [{ kind: 'authenticatorRemoved' } as const] : []),
  ];
}

const removed = () => new RefusalError(refuse('NOT_FOUND', 'This was already removed'));
const nothingSetUp = () =>
  new RefusalError(refuse('NOT_FOUND', 'This person has no passkey or authenticator app, so nothing changed'));

/**
 * Removes a factor; recovery codes go with the last one. `policy` applies to people who remove their own and
 * makes them keep one. Null for a manager or a command: then the person sets up another at the next sign-in.
 */
export async function removeFactor(
  context: Changing,
  personId: string,
  factor: FactorToRemove,
  policy: SecondFactorPolicy | null,
): Promise<void> {
  if (policy === null && context.viewer?.id === personId)
    throw new RefusalError(refuse('FORBIDDEN', 'Remove your own passkeys and authenticator app in My account'));
  const { clock, session } = context;
  const work = async (queries: Queries) => {
    const look = async () => {
      if (factor.kind !== 'passkey') return;
      const passkeys = await store.readPasskeys(queries, personId);
      if (!passkeys.some(({ id }) => id === factor.id)) throw removed();
    };
    if (session !== undefined) await assertFactorProof(queries, { clock, session }, look);
    const person = await store.lockPersonOfPolicy(queries, personId);
    const changes = await remove(queries, personId, factor);
    if (!person || changes.length === 0) throw factor.kind === 'all' ? nothingSetUp() : removed();
    const enrolled = isEnrolled(await store.readFactors(queries, personId));
    if (policy !== null && !enrolled && needsSecondFactor(policy, person))
      throw new RefusalError(
        refuse('CONFLICT', 'Your company requires a second step. Add another one before you remove this'),
      );
    if (policy !== null) await assertWayIn(queries, personId);
    for (const change of changes) await record(queries, context, personId, change);
    await removeLoneCodes(queries, context, personId);
    // Someone else removes what may be stolen: the sessions of a lost phone end too.
    if (policy === null) await endSessionsOf(queries, context, personId);
  };
  const bySomebodyElse = policy === null && session !== undefined;
  await context.database.transaction((queries) =>
    bySomebodyElse ? keepAnAdmin(queries, () => work(queries)) : work(queries),
  );
}

/**
 * Throws CONFLICT if no password, company sign-in or passkey would be left. Locks the person against
 * concurrent removals.
 */
export async function assertWayIn(queries: Queries, personId: string): Promise<void> {
  await store.lockPersonOfPolicy(queries, personId);
  if (await store.canSignIn(queries, personId)) return;
  throw new RefusalError(
    refuse('CONFLICT', 'This would remove your only sign-in method. Ask an admin for a link to set a password'),
  );
}

/** Recovery codes go with the last factor. */
async function removeLoneCodes(queries: Queries, actor: FactorActor, personId: string): Promise<void> {
  if (isEnrolled(await store.readFactors(queries, personId))) return;
  if (await store.deleteRecoveryCodes(queries, personId))
    await record(queries, actor, personId, { kind: 'recoveryCodesRemoved' });
}

/** Removes all passkeys, because each signs in alone. An authenticator app needs the password, and stays. */
export async function removePasskeysOf(queries: Queries, actor: FactorActor, personId: string): Promise<void> {
  for (const name of await store.deletePasskeys(queries, personId, undefined))
    await record(queries, actor, personId, { kind: 'passkeyRemoved', detail: { name } });
  await removeLoneCodes(queries, actor, personId);
}

/** Removes all factors and recovery codes. */
export async function removeFactorsOf(queries: Queries, actor: FactorActor, personId: string): Promise<void> {
  for (const change of await remove(queries, personId, { kind: 'all' })) await record(queries, actor, personId, change);
  if (await store.deleteRecoveryCodes(queries, personId))
    await record(queries, actor, personId, { kind: 'recoveryCodesRemoved' });
}

/** Replaces the codes with ten new ones. */
export async function newRecoveryCodes(
  context: Changing & Pick<RequestContext, 'session'>,
  personId: string,
): Promise<string[]> {
  return context.database.transaction(async (queries) => {
    await assertFactorProof(queries, context);
    await store.lockPersonOfPolicy(queries, personId);
    if (!isEnrolled(await store.readFactors(queries, personId)))
      throw new RefusalError(refuse('CONFLICT', 'Add a passkey or an authenticator app first'));
    return renewCodes(context, queries, context, personId);
  });
}

export type FactorsOfPerson = Factors & {
  readonly list: readonly store.PasskeyRow[];
  readonly app: { readonly createdAt: string; readonly lastUsedAt: string | null } | null;
  readonly required: boolean;
};

/** The second factors on a person's account page. */
export async function factorsOf(
  queries: Queries,
  policy: SecondFactorPolicy,
  personId: string,
): Promise<FactorsOfPerson> {
  const person = await store.readPersonOfPolicy(queries, personId);
  return {
    ...(await store.readFactors(queries, personId)),
    list: await store.readPasskeys(queries, personId),
    app: (await store.readAuthenticator(queries, personId)) ?? null,
    required: person !== undefined && needsSecondFactor(policy, person),
  };
}
