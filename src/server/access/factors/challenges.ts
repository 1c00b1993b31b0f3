// Challenges for passkeys: random, stored for all servers, valid once and for five minutes.
import { randomBytes } from 'node:crypto';
import { challengeMinutes } from '#core/access/second-factor.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { hashText } from '#server/platform/hash-text.ts';
import { addressKeyOf } from '../auth/guess-limits.ts';
import {
  type ChallengeKind,
  deleteEndedChallenges,
  insertForAddress,
  insertForSession,
  takeChallenge,
} from './challenges.store.ts';

/** Open at once. A company can share one address, and each login page requests a challenge. */
const mostChallenges = { address: 300, session: 5 } as const;

/** Who a challenge is for: a session, or anyone at an address. */
export type Asked = { readonly personId: string; readonly session: Buffer } | { readonly address: string };

export async function makeChallenge(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  kind: ChallengeKind,
  asked: Asked,
): Promise<Buffer> {
  const bytes = randomBytes(32);
  const challenge = bytes.toString('base64url');
  const now = clock.now();
  const row = {
    ...{ kind, challenge, keyHash: hashText(challenge), createdAt: now.toString() },
    expiresAt: now.add({ minutes: challengeMinutes }).toString(),
  };
  const { drizzle } = database;
  if ('session' in asked) {
    const { personId, session: sessionHash } = asked;
    await insertForSession(drizzle, { ...row, personId, sessionHash, addressKey: null }, mostChallenges.session);
    return bytes;
  }
  const addressKey = addressKeyOf(asked.address);
  const ofAddress = { ...row, personId: null, sessionHash: null, addressKey };
  if (!(await insertForAddress(drizzle, ofAddress, mostChallenges.address)))
    throw new RefusalError(refuse('TOO_MANY_ATTEMPTS'), { retryAfter: challengeMinutes * 60 });
  return bytes;
}

/** Uses up the challenge. Returns false if it isn't open, or was made for another purpose or session. */
export async function spendChallenge(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  kind: ChallengeKind,
  challenge: string,
  session: Buffer | null,
): Promise<boolean> {
  const taken = await takeChallenge(database.drizzle, hashText(challenge), kind, clock.now().toString());
  if (!taken) return false;
  return session === null ? taken.sessionHash === null : taken.sessionHash?.equals(session) === true;
}

export async function removeEndedChallenges({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  await deleteEndedChallenges(database.drizzle, clock.now().toString());
}
