// Codes of authenticator apps, and recovery codes: made, kept and checked.
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

/** What the QR code holds, and the key to type where there is no camera. */
export function setUpOf(bytes: Uint8Array, { appName, email }: { appName: string; email: string }) {
  const secret = secretOf(bytes);
  const { algorithm, digits, seconds: period } = codeForm;
  const uri = new TOTP({ issuer: appName, label: email, secret, algorithm, digits, period }).toString();
  return { uri, key: (secret.base32.match(/.{1,4}/g) as string[]).join(' ') };
}

/** How a typed code relates to the time. What isn't six digits is wrong, and no guess. */
export function judge(bytes: Uint8Array, typed: string, now: Temporal.Instant, lastStep: number | null): CodeJudgment {
  const code = readCode(typed);
  if (code === null) return { kind: 'wrong' };
  const secret = secretOf(bytes);
  const { algorithm, digits } = codeForm;
  return judgeCode((counter) => HOTP.generate({ secret, algorithm, digits, counter }) === code, now, lastStep);
}

const keyOfStep = (personId: string, step: number): Buffer => hashText(`revealed step ${personId} ${step}`);

/** Whoever learns that a code is right but early could come back with it in time. So that step opens nothing any more. */
async function spendRevealedStep(
  queries: Queries,
  personId: string,
  { step, now }: { step: number; now: Temporal.Instant },
): Promise<void> {
  const keyHash = keyOfStep(personId, step);
  const expiresAt = Temporal.Instant.fromEpochMilliseconds((step + 3) * codeForm.seconds * 1_000);
  if (Temporal.Instant.compare(expiresAt, now) <= 0) return;
  await deleteChallenge(queries, keyHash);
  const row = { keyHash, personId, kind: 'revealedStep', sessionHash: null, addressKey: null, challenge: '' } as const;
  const times = { createdAt: now.toString(), expiresAt: expiresAt.toString() };
  await insertChallenge(queries, { ...row, ...times });
}

/**
 * Uses the code up in the transaction of what it proves. A refusal is returned for after the commit: what it says is kept.
 * The authenticator's row is held, so of two who come with one code one gets in.
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
    return refuse('WRONG_CODE', 'Set up your authenticator app again. Use another way to sign in, or ask an admin');
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

/** Ten new codes, told once. Those of before open nothing any more. */
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

/** Uses the code up in the transaction of what it proves; a refusal where it isn't good. */
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

/** Seals every secret with the LINK_SECRET of today, so that LINK_SECRET_ALSO can go. Gives how many nothing opens. */
export async function resealSecrets({ database, config }: Pick<Services, 'database' | 'config'>): Promise<number> {
  let lost = 0;
  for (const { personId, secret } of await store.readSecrets(database.drizzle)) {
    const opened = open(config, personId, secret);
    if (!opened) lost += 1;
    // Only as it was read: a person may be setting up another app.
    else if (!opened.isCurrent)
      await store.replaceSecret(database.drizzle, personId, secret, seal(config, personId, opened.secret));
  }
  return lost;
}
