// Signing in with e-mail and password (spec 7, D14).
import { createHash, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { refuse } from '#core/refusals.ts';
import { recordAudit } from '../audit/audit.service.ts';
import type { Services } from '../context.ts';
import type { Queries } from '../db/database.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { tokenHash } from '../viewer.ts';
import * as store from './auth.store.ts';
import { hashPassword, inTurn, isOutdated, isPassword } from './passwords.ts';

/** How long a sign-in is good, in seconds (spec 9). */
export const sessionSeconds = 3_600;
/** Wrong attempts in the window after which the next is not looked at. Right ones do not count. */
export const signInLimits = { account: 10, address: 100, windowMinutes: 15 } as const;
/** Seconds after which somebody may come back who met a crowd. */
const crowdedRetrySeconds = 5;

export type Attempt = { readonly email: string; readonly password: string };
export type Caller = { readonly address: string; readonly agent: string | undefined; readonly requestId: string };

/** Attempts are counted by hash: the table holds neither addresses nor what was typed as an e-mail. */
const keyOf = (kind: 'account' | 'address', text: string): Buffer =>
  createHash('sha256').update(`${kind}:${text}`).digest();

/** One bucket for all of an IPv6 network: its holder has 2^64 addresses. */
export function addressBucket(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address.replace(/^::ffff:/, '');
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':');
  const missing = address.includes('::') ? 8 - groups.length - tail.split(':').filter(Boolean).length : 0;
  return [...groups.filter(Boolean), ...Array<string>(Math.max(0, missing)).fill('0'), ...tail.split(':')]
    .slice(0, 4)
    .join(':');
}

type Keys = { readonly account: Buffer; readonly address: Buffer };

/** Counts the attempt as wrong before its password is looked at, so that parallel attempts cannot exceed the limit together. */
async function reserveAttempt(queries: Queries, keys: Keys, now: Temporal.Instant): Promise<bigint> {
  await store.lockAttempts(queries, keys.account);
  const since = now.subtract({ minutes: signInLimits.windowMinutes });
  for (const kind of ['account', 'address'] as const) {
    const at = await store.readBarringAttempt(queries, keys[kind], since.toString(), signInLimits[kind]);
    if (at !== null) {
      const retryAfter = Math.max(1, Math.ceil(Temporal.Instant.from(at).since(since).total('seconds')));
      throw new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter });
    }
  }
  return store.insertFailure(queries, keys.account, now.toString());
}

/** Answers the token; throws the same refusal for a wrong password, an unknown person, a disabled account and one without password. */
export async function signIn(services: Services, attempt: Attempt, caller: Caller): Promise<string> {
  const token = await inTurn(() => tryToSignIn(services, attempt, caller));
  if (token === null) throw new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter: crowdedRetrySeconds });
  return token;
}

async function tryToSignIn(services: Services, { email, password }: Attempt, caller: Caller): Promise<string> {
  const { database, clock } = services;
  const keys = {
    account: keyOf('account', email.toLowerCase()),
    address: keyOf('address', addressBucket(caller.address)),
  };
  const reserved = await database.transaction((queries) => reserveAttempt(queries, keys, clock.now()));
  const account = await store.readAccount(database.drizzle, email);
  const matches = await isPassword(account && !account.disabled ? account.passwordHash : null, password);
  const actor = { ...caller, clock, viewer: account ? { id: account.id } : null };
  if (!account || !matches) {
    await database.transaction(async (queries) => {
      await store.insertFailure(queries, keys.address, clock.now().toString());
      await recordAudit(
        queries,
        { ...actor, viewer: null },
        { action: 'signInFailed', subjectType: 'person', subjectId: account?.id ?? 'unknown' },
      );
    });
    throw new RefusalError(refuse('WRONG_CREDENTIALS'));
  }
  const renewed = isOutdated(account.passwordHash as string) ? await hashPassword(password) : null;
  return database.transaction(async (queries) => {
    await store.deleteFailure(queries, reserved);
    if (renewed !== null) await store.savePasswordHash(queries, account.id, renewed);
    const token = await startSession(queries, services, account.id, caller);
    await recordAudit(queries, actor, { action: 'signedIn', subjectType: 'person', subjectId: account.id });
    return token;
  });
}

/** A fresh token every time; only its hash is kept. */
export async function startSession(
  queries: Queries,
  { clock }: Services,
  personId: string,
  { address, agent }: Caller,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  await store.insertSession(queries, {
    tokenHash: tokenHash(token),
    personId,
    createdAt: now.toString(),
    expiresAt: now.add({ seconds: sessionSeconds }).toString(),
    address,
    agent: agent?.slice(0, 500) ?? null,
  });
  return token;
}

/** Removes what no check asks for any more. */
export async function removeEnded({ database, clock }: Services): Promise<void> {
  const now = clock.now();
  await store.deleteEnded(
    database.drizzle,
    now.subtract({ hours: 24 }).toString(),
    now.subtract({ minutes: signInLimits.windowMinutes }).toString(),
  );
}
