// Signing in with email and password (spec 7, D14).
import type { SessionLevel, SignInMethod } from '#core/access/account-events.ts';
import { type SecondStep, showsFactor, stepMinutes } from '#core/access/second-factor.ts';
import { type RefusalCode, refuse } from '#core/base/refusals.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { inAddressTurn } from '#server/platform/graphql/person-turns.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { hashText } from '#server/platform/hash-text.ts';
import { addressBucket } from '#server/platform/http/address-bucket.ts';
import { randomToken } from '#server/platform/random-token.ts';
import { tokenHash } from '#server/platform/viewer.ts';
import { stepAfterPassword } from '../factors/step-after-password.ts';
import { recordAccountEvent, recordSignIn, removeOldEvents } from './account-events.service.ts';
import * as store from './auth.store.ts';
import { type Caller, storedAgent } from './caller.ts';
import { assertMayGuess, countGuess, type Guesser, removeOldGuesses } from './guess-limits.ts';
import { browserOf, isKnownDevice, recognize, rememberDevice, removeUnusedDevices } from './known-devices.ts';
import { hashPassword, isOutdated, isPassword } from './passwords.ts';
import { endOldestSessions } from './sessions.service.ts';
import { inTurn, personLane } from './turns.ts';

/** How long a session lasts, in seconds (spec 9). */
export const sessionSeconds = 3_600;

export type Attempt = { readonly email: string; readonly password: string };
export type SignedIn = {
  readonly token: string;
  /** A token for the browser: with it, wrong passwords from elsewhere never delay its sign-in. */
  readonly device?: string | undefined;
};

/** What remains to do after a correct password. */
export type NextStep = {
  readonly next: 'secondStep' | 'setUpSecondStep';
  /** Opens only the routes of that step, for ten minutes. */
  readonly stepToken: string;
  readonly steps: readonly SecondStep[];
};

/**
 * Throws the same refusal for a wrong password, an unknown person, a disabled account and one without a
 * password.
 */
export async function signIn(services: Services, attempt: Attempt, caller: Caller): Promise<SignedIn | NextStep> {
  const bucket = addressBucket(caller.address);
  const guesser = await inAddressTurn(bucket, 'sign in', async () => {
    const known = await recognize(services.database.drizzle, attempt.email, caller);
    const asked = { purpose: 'password', account: known.email, address: caller.address, ...known } as const;
    // Callers that have to wait don't take a place in the queue.
    await assertMayGuess(services, asked);
    return asked;
  });
  const { email, trusted } = guesser;
  return inTurn(
    () => tryToSignIn(services, attempt, guesser, caller),
    trusted ? personLane(email, trusted) : { by: bucket, known: false, part: email },
  );
}

export type Proven = {
  readonly id: string;
  /**
   * Locks the person and throws if the password has changed. Resets the wrong guesses, and rehashes with
   * current parameters if needed.
   */
  readonly settle: (queries: Queries) => Promise<void>;
};

/**
 * Checks whose password it is. A wrong one counts against the limits, is recorded and refused. Call it
 * `inTurn`.
 */
export async function provePassword(
  services: Services,
  { email, password }: Attempt,
  guesser: Guesser,
  caller: Caller,
  failure: { readonly action: string; readonly refusal: RefusalCode },
): Promise<Proven> {
  const { database, clock } = services;
  const guess = await countGuess(services, guesser);
  const account = await store.readAccount(database.drizzle, email);
  const matches = await isPassword(account && !account.disabled ? account.passwordHash : null, password);
  if (!account || !matches) {
    await database.transaction(async (queries) => {
      await recordAudit(
        queries,
        { ...caller, clock, viewer: null },
        { action: failure.action, subjectType: 'person', subjectId: account?.id ?? 'unknown' },
      );
      if (account)
        await recordAccountEvent(
          queries,
          { ...services, ...caller, viewer: null },
          {
            personId: account.id,
            kind: failure.action === 'signInFailed' ? 'signInFailed' : 'confirmFailed',
          },
        );
    });
    throw new RefusalError(refuse(failure.refusal));
  }
  const renewed = isOutdated(account.passwordHash as string) ? await hashPassword(password) : null;
  return {
    id: account.id,
    settle: async (queries) => {
      if (!(await store.holdPerson(queries, account.id, account.passwordHash)))
        throw new RefusalError(refuse(failure.refusal));
      await guess.right(queries);
      if (renewed !== null) await store.savePasswordHash(queries, account.id, renewed);
    },
  };
}

async function tryToSignIn(
  services: Services,
  attempt: Attempt,
  guesser: Guesser,
  caller: Caller,
): Promise<SignedIn | NextStep> {
  const proven = await provePassword(services, attempt, guesser, caller, {
    action: 'signInFailed',
    refusal: 'WRONG_CREDENTIALS',
  });
  return services.database.transaction(async (queries) => {
    await proven.settle(queries);
    const { level, steps } = await stepAfterPassword(services, queries, proven.id);
    const { token, device } = await startSession(queries, services, proven.id, {
      ...caller,
      method: 'password',
      level,
    });
    if (level !== 'full')
      return { next: level === 'needsEnrollment' ? 'setUpSecondStep' : 'secondStep', stepToken: token, steps };
    return { token, device };
  });
}

export { holdPerson } from './auth.store.ts';

type Beginning = Caller & { readonly method: SignInMethod; readonly level?: SessionLevel };

/**
 * A new token every time; only its hash is stored. A full session is a sign-in, so its browser is remembered.
 */
export async function startSession(
  queries: Queries,
  services: Services,
  personId: string,
  { method, level = 'full', ...caller }: Beginning,
): Promise<SignedIn> {
  const token = randomToken();
  const now = services.clock.now();
  await store.insertSession(queries, {
    tokenHash: tokenHash(token),
    personId,
    createdAt: now.toString(),
    expiresAt: now.add({ seconds: level === 'full' ? sessionSeconds : stepMinutes * 60 }).toString(),
    verifiedAt: now.toString(),
    factorVerifiedAt: showsFactor(method) ? now.toString() : null,
    address: caller.address,
    agent: storedAgent(caller.agent),
    method,
    level,
  });
  await endOldestSessions(queries, services, personId, tokenHash(token));
  // Nobody is signed in before the last step.
  if (level !== 'full') return { token };
  const isKnown = await isKnownDevice(queries, personId, caller.device);
  const device = await rememberDevice(queries, services, personId, caller);
  const actor = { ...services, ...caller, viewer: { id: personId } };
  const browser = device === undefined ? undefined : browserOf(device);
  if (device !== undefined) await store.saveSessionDevice(queries, tokenHash(token), hashText(device));
  await recordSignIn(queries, actor, { personId, method, at: now.toString(), browser, isKnown });
  return { token, device };
}

/** Removes expired rows. */
export async function removeEnded(services: Services): Promise<void> {
  const { database, clock } = services;
  const now = clock.now();
  await store.deleteEndedSessions(database.drizzle, now.subtract({ hours: 24 }).toString());
  await removeOldGuesses(services);
  await removeUnusedDevices(services);
  await removeOldEvents(database.drizzle, now);
}
