// Codes of authenticator apps, and recovery codes: creating, storing and checking them.
import { randomBytes } from 'node:crypto';
import { HOTP, Secret, TOTP } from 'otpauth';
import {
  type CodeJudgment,
  codeForm,
  codeRefusal,
  judgeCode,
  readCode,
  readRecoveryCode,
  recoveryCode,
  recoveryCodeBytes,
  recoveryCodeCount,
  wrongRecoveryCode,
} from '#core/access/one-time-codes.ts';
import { type Refusal, refuse } from '#core/base/refusals.ts';
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { hashText } from '#server/platform/hash-text.ts';
import { deleteChallenge, insertChallenge } from './challenges.store.ts';
import * as store from './factors.store.ts';
import { open, seal } from './sealed-secret.ts';

const secretBytes = 20;
export const newSecret = (): Buffer => randomBytes(secretBytes);

const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: new Uint8Array(bytes).buffer });

/** The QR code's content, and the key to type without a camera. */
export function setUpOf(bytes: Uint8Array, { appName, email }: { appName: string; email: string }) {
  const secret = secretOf(bytes);
  const { algorithm, digits, seconds: period } = codeForm;
  const uri = new TOTP({ issuer: appName, label: email, secret, algorithm, digits, period }).toString();
  return { uri, key: (secret.base32.match(/.{1,4}/g) as string[]).join(' ') };
}

/** How a typed code relates to the time. Anything but six digits is wrong, but not a guess. */
export function judge(bytes: Uint8Array, typed: string, now: Temporal.Instant, lastStep: number | null): CodeJudgment {
  const code = readCode(typed);
  if (code === null) return { kind: 'wrong' };
  const secret = secretOf(bytes);
  const { algorithm, digits } = codeForm;
  return judgeCode((counter) => HOTP.generate({ secret, algorithm, digits, counter }) === code, now, lastStep);
}

const keyOfStep = (personId: string, step: number): Buffer => hashText(`revealed step ${personId} ${step}`);

/** Someone told that a code is right but early could use it later, so its step is spent. */
async function spendRevealedStep(
  queries: Queries,
  personId: string,
  { step, now }: { step: number; now: Temporal.Instant },
): Promise<void> {
  const keyHash = keyOfStep(personId, step);
  const expiresAt = Temporal.Instant.fromEpochMilliseconds((step + 3) * codeForm.seconds * 1_000);
  if (Temporal.Instant.compare(expiresAt, now) <= 0) return;
  await deleteChallenge(queries, keyHash);
  const row = { keyHash, personId, kind: 'revealedStep', sessionHash: null, challenge: '' } as const;
  const times = { createdAt: now.toString(), expiresAt: expiresAt.toString() };
  await insertChallenge(queries, { ...row, ...times });
}

/**
 * Uses up the code in the transaction of what it proves. A refusal is returned instead of thrown, to let the
 * transaction commit. The authenticator's row is locked, so a code works once.
 */
export async function spendCode(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  queries: Queries,
  personId: string,
  typed: string,
): Promise<Refusal | null> {
  const kept = await store.lockAuthenticator(queries, personId);
  if (!kept) return refuse('WRONG_CODE');
  const opened = open(config, personId, kept.secret);
  if (!opened)
    return refuse(
      'WRONG_CODE',
      'Your authenticator app stopped working here. Sign in another way and set it up again, or ask an admin',
    );
  const now = clock.now();
  const judgment = judge(opened.secret, typed, now, kept.lastStep === null ? null : Number(kept.lastStep));
  if (judgment.kind === 'clock') await spendRevealedStep(queries, personId, { step: judgment.step, now });
  if (judgment.kind !== 'right') return codeRefusal(judgment);
  if (await deleteChallenge(queries, keyOfStep(personId, judgment.step))) return codeRefusal({ kind: 'used' });
  await store.saveCodeUse(queries, personId, judgment.step, now.toString());
  return null;
}

/** 80 random bits need no slow hash. */
const hashOfCode = (personId: string, code: string): Buffer => hashText(`recovery code ${personId} ${code}`);

/** Ten new codes, shown once. The previous ones stop working. */
export async function makeRecoveryCodes(
  { clock }: Pick<Services, 'clock'>,
  queries: Queries,
  personId: string,
): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => recoveryCode(randomBytes(recoveryCodeBytes)));
  const hashes = codes.map((code) => hashOfCode(personId, code));
  await store.replaceRecoveryCodes(queries, personId, hashes, clock.now().toString());
  return codes;
}

/** Uses up the code in the transaction of what it proves; returns a refusal for an invalid one. */
export async function spendRecoveryCode(
  { clock }: Pick<Services, 'clock'>,
  queries: Queries,
  personId: string,
  typed: string,
): Promise<Refusal | null> {
  const code = readRecoveryCode(typed);
  if (code === null) return wrongRecoveryCode();
  const used = await store.saveRecoveryCodeUse(queries, personId, hashOfCode(personId, code), clock.now().toString());
  return used ? null : wrongRecoveryCode();
}

/**
 * Re-encrypts every secret with the current LINK_SECRET, so LINK_SECRET_ALSO can be removed. Returns how many
 * can't be decrypted.
 */
export async function resealSecrets({ database, config }: Pick<Services, 'database' | 'config'>): Promise<number> {
  let lost = 0;
  for (const { personId, secret } of await store.readSecrets(database.drizzle)) {
    const opened = open(config, personId, secret);
    if (!opened) lost += 1;
    // Only if unchanged: the person may be setting up another app.
    else if (!opened.isCurrent)
      await store.replaceSecret(database.drizzle, personId, secret, seal(config, personId, opened.secret));
  }
  return lost;
}
