// The second step of signing in, passkey sign-in, and the same proofs for confirming who a person is.
import type { SignInMethod } from '#core/access/account-events.ts';
import type { PasskeyAssertion, SecondStepInput } from '#core/access/factor-inputs.ts';
import { type PasskeySite, provesNewPassword } from '#core/access/second-factor.ts';
import { isRefusal, type Refusal, refuse } from '#core/base/refusals.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { isFrequent, recordAccountEvent } from '../auth/account-events.service.ts';
import { holdPerson, type SignedIn, startSession } from '../auth/auth.service.ts';
import type { Caller } from '../auth/caller.ts';
import { countGuess, type Guesser } from '../auth/guess-limits.ts';
import { recognize } from '../auth/known-devices.ts';
import { type ProvenWork, renewProof } from '../auth/recent-proof.ts';
import { inTurn, personLane } from '../auth/turns.ts';
import { spendCode, spendRecoveryCode } from './codes.ts';
import * as store from './factors.store.ts';
import { type ProvenPasskey, readAssertion } from './passkey-ceremonies.ts';
import { finishStep, type SetUpSession } from './step-sessions.ts';

/** A check for the transaction of what it proves; a refusal is returned for after the commit. */
type Proof = {
  readonly method: Extract<SignInMethod, `password+${string}`>;
  readonly run: (queries: Queries) => Promise<Refusal | null>;
};

type Step = {
  readonly input: SecondStepInput;
  readonly site: PasskeySite | null;
  /** The proof is for a new password. */
  readonly setsPassword?: boolean;
};

/**
 * Wrong codes in a running session only count for that session: a stolen token must not lock its owner out of
 * the second step, and a stolen password must not lock out known browsers. Recovery codes are too long to
 * guess, so they have a separate count.
 */
async function guesserOf(
  { database }: Services,
  { level, person, session }: SetUpSession,
  caller: Caller,
  isRecovery: boolean,
): Promise<Guesser> {
  const guesser = { account: person.id, address: caller.address };
  if (level === 'full')
    return { ...guesser, purpose: isRecovery ? 'confirmRecovery' : 'confirmCode', trusted: session };
  if (isRecovery) return { ...guesser, purpose: 'recovery' };
  return { ...guesser, purpose: 'code', ...(await recognize(database.drizzle, person.email, caller)) };
}

/** Counts a guess before checking it. Passkeys can't be guessed and never wait. */
async function proofOf(
  services: Services,
  waiting: SetUpSession,
  caller: Caller,
  { input, site, setsPassword = false }: Step,
): Promise<Proof> {
  const { person, session } = waiting;
  const { code, recoveryCode, passkey } = input;
  if (passkey !== undefined) {
    const assertion = await passkeyOf(services, person.id, { passkey, site, session, setsPassword });
    return { method: 'password+passkey', run: assertion };
  }
  const guess = await countGuess(services, await guesserOf(services, waiting, caller, code === undefined));
  const right = async (queries: Queries, refusal: Refusal | null) => {
    if (refusal === null) await guess.right(queries);
    return refusal;
  };
  if (code !== undefined)
    return {
      method: 'password+totp',
      run: async (queries) => right(queries, await spendCode(services, queries, person.id, code)),
    };
  const typed = recoveryCode as string;
  return {
    method: 'password+recovery',
    run: async (queries) => right(queries, await spendRecoveryCode(services, queries, person.id, typed)),
  };
}

async function passkeyOf(
  services: Services,
  personId: string,
  {
    passkey,
    site,
    session,
    setsPassword,
  }: { passkey: PasskeyAssertion; site: PasskeySite | null; session: Buffer; setsPassword: boolean },
): Promise<(queries: Queries) => Promise<Refusal | null>> {
  if (site === null) throw new RefusalError(refuse('PASSKEY_REFUSED'));
  const check = await readAssertion(services, { site, response: passkey, session });
  return async (queries) => {
    const proven = await check(queries);
    if (isRefusal(proven)) return proven;
    if (proven.personId !== personId) return refuse('PASSKEY_REFUSED', 'This passkey belongs to another account');
    if (setsPassword && !provesNewPassword(proven.createdAt, services.clock.now()))
      return refuse('PASSKEY_REFUSED', 'This passkey was added in the last 24 hours. Enter your current password');
    return null;
  };
}

/**
 * A refusal commits what the check wrote, and is recorded in both logs, ten times an hour for each method:
 * passkeys never wait, and wrong passwords must not hide that someone has the right one.
 */
async function recordRefused(
  services: Services,
  queries: Queries,
  personId: string,
  caller: Caller,
  { action, method }: { action: 'signInFailed' | 'confirmFailed'; method: SignInMethod },
): Promise<void> {
  if (await isFrequent(queries, services, personId, [action], { method })) return;
  const actor = { ...services, ...caller, viewer: null };
  await recordAudit(queries, actor, { action, subjectType: 'person', subjectId: personId, after: { by: method } });
  await recordAccountEvent(queries, actor, { personId, kind: action, method });
}

async function recordRecoveryCodeUse(
  services: Services,
  queries: Queries,
  personId: string,
  caller: Caller,
): Promise<number> {
  const { recoveryCodesLeft: left } = await store.readFactors(queries, personId);
  const actor = { ...services, ...caller, viewer: { id: personId } };
  await recordAudit(queries, actor, {
    action: 'recoveryCodeUsed',
    subjectType: 'person',
    subjectId: personId,
    after: { left },
  });
  await recordAccountEvent(queries, actor, { personId, kind: 'recoveryCodeUsed', detail: { left } });
  return left;
}

export type Finished = SignedIn & {
  /** Set after a recovery code. */
  readonly recoveryCodesLeft?: number;
};

/** The last step of a sign-in: returns the token of a full session. */
export async function finishSignIn(
  services: Services,
  waiting: SetUpSession,
  caller: Caller,
  step: Step,
): Promise<Finished> {
  if (waiting.level !== 'needsSecondFactor') throw new RefusalError(refuse('BAD_REQUEST'));
  const personId = waiting.person.id;
  const { method, run } = await proofOf(services, waiting, caller, step);
  const outcome = await services.database.transaction(async (queries): Promise<Finished | Refusal> => {
    if (!(await holdPerson(queries, personId))) return refuse('NOT_SIGNED_IN');
    const refusal = await run(queries);
    if (refusal !== null) {
      await recordRefused(services, queries, personId, caller, { action: 'signInFailed', method });
      return refusal;
    }
    const signedIn = await finishStep(services, queries, waiting, caller, method);
    if (method !== 'password+recovery') return signedIn;
    const recoveryCodesLeft = await recordRecoveryCodeUse(services, queries, personId, caller);
    return { ...signedIn, recoveryCodesLeft };
  });
  if (isRefusal(outcome)) throw new RefusalError(outcome);
  return outcome;
}

/** Confirms who a person is in a full session, with a code or a passkey. Returns the session's new token. */
export async function confirmWithFactor(
  services: Services,
  running: SetUpSession,
  caller: Caller,
  step: Step,
  prepare?: () => Promise<ProvenWork>,
): Promise<string> {
  const { person, session } = running;
  const { method, run } = await proofOf(services, running, caller, { ...step, setsPassword: prepare !== undefined });
  const how = method.replace('password+', '');
  let work: ProvenWork | undefined;
  const settle = async (queries: Queries) => {
    const found = await run(queries);
    // In the transaction that checks the passkey: only its owner gets this far. Nothing is audited yet.
    if (found === null && prepare) work = await prepare();
    if (found !== null) await recordRefused(services, queries, person.id, caller, { action: 'confirmFailed', method });
    else if (method === 'password+recovery') await recordRecoveryCodeUse(services, queries, person.id, caller);
    return found;
  };
  const renewal = { ...caller, session, viewer: person, how, withFactor: true };
  if (!prepare) return renewProof(services, renewal, settle);
  // The turn before the connection and the lock, as with a password: the other order could block both.
  return inTurn(
    () => renewProof(services, renewal, settle, async (queries) => (work as ProvenWork)(queries)),
    personLane(person.email, session),
  );
}

/** Signs in with a passkey that verified its user: both factors at once. */
export async function signInWithPasskey(
  services: Services,
  caller: Caller,
  { passkey, site }: { passkey: PasskeyAssertion; site: PasskeySite },
): Promise<Finished> {
  const check = await readAssertion(services, { site, response: passkey, session: null });
  const outcome = await services.database.transaction(async (queries): Promise<Finished | Refusal> => {
    const proven: ProvenPasskey | Refusal = await check(queries);
    if (isRefusal(proven)) {
      await recordAudit(
        queries,
        { ...services, ...caller, viewer: null },
        { action: 'signInFailed', subjectType: 'person', subjectId: 'unknown', after: { by: 'passkey' } },
      );
      return proven;
    }
    if (proven.disabled) return refuse('ACCOUNT_DISABLED');
    return startSession(queries, services, proven.personId, { ...caller, method: 'passkey' });
  });
  if (isRefusal(outcome)) throw new RefusalError(outcome);
  return outcome;
}
