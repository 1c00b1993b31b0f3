// Challenges for passkeys: random, valid once and for five minutes, on all servers. The login page's are signed,
// and those of a session stored.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { challengeMinutes } from '#core/access/second-factor.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { hashText } from '#server/platform/hash-text.ts';
import {
  type ChallengeKind,
  deleteEndedChallenges,
  insertChallenge,
  insertForSession,
  takeChallenge,
} from './challenges.store.ts';

type Stored = Pick<Services, 'database' | 'clock'>;
type Signing = Pick<Services, 'config' | 'clock'>;

/** Open at once, of one kind. */
const mostChallenges = 5;

/** Who a challenge is for. */
export type Asked = { readonly personId: string; readonly session: Buffer };

export async function makeChallenge(
  { database, clock }: Stored,
  kind: ChallengeKind,
  { personId, session: sessionHash }: Asked,
): Promise<Buffer> {
  const bytes = randomBytes(32);
  const challenge = bytes.toString('base64url');
  const now = clock.now();
  const row = {
    ...{ kind, challenge, keyHash: hashText(challenge), createdAt: now.toString() },
    ...{ personId, sessionHash, expiresAt: now.add({ minutes: challengeMinutes }).toString() },
  };
  await insertForSession(database.drizzle, row, mostChallenges);
  return bytes;
}

/** Uses up the challenge. Returns false if it isn't open, or was made for another purpose or session. */
export async function spendChallenge(
  { database, clock }: Stored,
  kind: ChallengeKind,
  challenge: string,
  session: Buffer,
): Promise<boolean> {
  const taken = await takeChallenge(database.drizzle, hashText(challenge), kind, clock.now().toString());
  return taken?.sessionHash?.equals(session) === true;
}

const sizes = { random: 24, expires: 8, signature: 32 } as const;
const signedSize = sizes.random + sizes.expires;

const signatureOf = (secret: string, signed: Buffer): Buffer =>
  createHmac('sha256', secret).update('passkey sign-in\n').update(signed).digest();

/**
 * For the login page: random bytes, when it expires, and a signature of both. Nothing is stored, so no number
 * of requests, by strangers or by a company behind one address, keeps others from signing in.
 */
export function makeSignInChallenge({ config, clock }: Signing): Buffer {
  const signed = Buffer.alloc(signedSize);
  randomBytes(sizes.random).copy(signed);
  signed.writeBigInt64BE(BigInt(clock.now().add({ minutes: challengeMinutes }).epochMilliseconds), sizes.random);
  return Buffer.concat([signed, signatureOf(config.linkSecret, signed)]);
}

/** Whether the login page's challenge is ours and hasn't expired. It may be spent already. */
export function isOpenSignIn({ config, clock }: Signing, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== signedSize + sizes.signature) return false;
  const [signed, signature] = [bytes.subarray(0, signedSize), bytes.subarray(signedSize)];
  const { linkSecret, linkSecretAlso = linkSecret } = config;
  const isOurs = [linkSecret, linkSecretAlso].some((secret) => timingSafeEqual(signatureOf(secret, signed), signature));
  return isOurs && Number(signed.readBigInt64BE(sizes.random)) > clock.now().epochMilliseconds;
}

/** Stores that the login page's challenge was answered. Returns false if it was before. */
export function spendSignIn({ clock }: Pick<Services, 'clock'>, queries: Queries, challenge: string): Promise<boolean> {
  const now = clock.now();
  return insertChallenge(queries, {
    ...{ kind: 'passkeySignIn', challenge: '', keyHash: hashText(challenge), personId: null, sessionHash: null },
    ...{ createdAt: now.toString(), expiresAt: now.add({ minutes: challengeMinutes }).toString() },
  });
}

export async function removeEndedChallenges({ database, clock }: Stored): Promise<void> {
  await deleteEndedChallenges(database.drizzle, clock.now().toString());
}
