// Sessions that still need a step: which one, and how they become full.
import type { SessionLevel, SignInMethod } from '#core/access/account-events.ts';
import { stepMinutes } from '#core/access/second-factor.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { type SignedIn, startSession } from '../auth/auth.service.ts';
import type { Caller } from '../auth/caller.ts';
import { passwordStateOf } from '../auth/password-changes.service.ts';
import * as store from './factors.store.ts';
import { stepAfterPassword } from './step-after-password.ts';

export type StepPerson = { readonly id: string; readonly email: string; readonly name: string };

/** A session that can set up a factor, at any level. */
export type SetUpSession = { readonly session: Buffer; readonly level: SessionLevel; readonly person: StepPerson };

/** Ends the step's session and starts a full one. Of two concurrent calls, one succeeds. */
export async function finishStep(
  services: Services,
  queries: Queries,
  { session, level, person }: SetUpSession,
  caller: Caller,
  method: SignInMethod,
): Promise<SignedIn> {
  const now = services.clock.now().toString();
  if (!(await store.takeStepSession(queries, { session, level, now }))) throw new RefusalError(refuse('NOT_SIGNED_IN'));
  return startSession(queries, services, person.id, { ...caller, method });
}

/**
 * Takes a session back to setting up a factor if its person has none left and the policy requires one.
 * Otherwise a thief with the password could set one up first. Returns whether the session needs setup.
 */
export async function requireSetUp(
  services: Pick<Services, 'config' | 'clock'>,
  queries: Queries,
  personId: string,
  session: Buffer,
): Promise<boolean> {
  const { level } = await stepAfterPassword(services, queries, personId);
  if (level !== 'needsEnrollment' || !(await passwordStateOf(queries, personId)).set) return false;
  const now = services.clock.now();
  const expiresAt = now.add({ minutes: stepMinutes }).toString();
  await store.reduceSession(queries, session, { level, now: now.toString(), expiresAt });
  return true;
}

/** After adding a factor, a session has shown two. A full one keeps its token. */
export async function becomeStrong(
  context: Services & Caller & { readonly setUp: SetUpSession },
  queries: Queries,
  factor: 'passkey' | 'totp',
): Promise<SignedIn | null> {
  const { setUp, address, agent, requestId, device } = context;
  const method = factor === 'passkey' ? 'password+passkey' : 'password+totp';
  if (setUp.level !== 'full') return finishStep(context, queries, setUp, { address, agent, requestId, device }, method);
  await store.strengthenSession(queries, setUp.session, method);
  return null;
}
