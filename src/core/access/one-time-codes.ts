// Decides whether an authenticator code is valid, the form of recovery codes, and the texts for wrong ones.
// Used by the server at every second step, and by the web's forms.
import { plural } from '../base/formats.ts';
import { type Refusal, refuse } from '../base/refusals.ts';

/** What every authenticator app supports: 6 digits, a new code every 30 seconds, SHA-1. */
export const codeForm = { digits: 6, seconds: 30, algorithm: 'SHA1' } as const;

/** A code is valid one step early and late: clocks differ and people type slowly. */
const tolerance = 1;
/** A correct code up to 10 minutes away shows that a clock is wrong. */
const farthest = 20;

export type CodeJudgment =
  | { readonly kind: 'right'; readonly step: number }
  | { readonly kind: 'used' }
  /** The phone's clock, in minutes before (negative) or after the server's. */
  | { readonly kind: 'clock'; readonly step: number; readonly minutes: number }
  | { readonly kind: 'wrong' };

export const stepAt = (now: Temporal.Instant): number => Math.floor(now.epochMilliseconds / 1_000 / codeForm.seconds);

/** The steps to try, the current one first. */
const distances = [0, ...Array.from({ length: farthest }, (_, index) => [-index - 1, index + 1]).flat()];

/** Finds the time step that a code belongs to. `lastStep` is the last accepted step. */
export function judgeCode(
  isCodeOf: (step: number) => boolean,
  now: Temporal.Instant,
  lastStep: number | null,
): CodeJudgment {
  const current = stepAt(now);
  const matching = distances.filter((distance) => isCodeOf(current + distance));
  const unused = matching.filter((distance) => lastStep === null || current + distance > lastStep);
  const [nearest] = unused;
  if (nearest === undefined) return { kind: matching.length > 0 ? 'used' : 'wrong' };
  const step = current + nearest;
  if (Math.abs(nearest) <= tolerance) return { kind: 'right', step };
  const minutes = (nearest * codeForm.seconds) / 60;
  return { kind: 'clock', step, minutes: Math.sign(minutes) * Math.max(1, Math.round(Math.abs(minutes))) };
}

/** Why an invalid code is refused. */
export function codeRefusal(judgment: Exclude<CodeJudgment, { kind: 'right' }>): Refusal {
  const field = { field: 'code' };
  if (judgment.kind === 'used') return refuse('WRONG_CODE', 'That code was already used. Wait for the next one', field);
  if (judgment.kind === 'wrong') return refuse('WRONG_CODE', undefined, field);
  const { minutes } = judgment;
  const amount = plural(Math.abs(minutes), 'minute');
  const direction = minutes < 0 ? 'behind' : 'ahead';
  return refuse(
    'WRONG_CODE',
    `Your phone’s clock is about ${amount} ${direction}. Set it to automatic time, then enter a new code`,
    field,
  );
}

/** The typed or pasted digits, or null. Apps show them in groups. */
export function readCode(text: string): string | null {
  const digits = text.replace(/[\s-]/g, '');
  return new RegExp(`^\\d{${codeForm.digits}}$`).test(digits) ? digits : null;
}

export const recoveryCodeCount = 10;
/** Crockford's base 32, without confusable letters. 16 characters have 80 bits, too many to guess. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const recoveryCodeLength = 16;
/** Random bytes for one code: the lower five bits of each are used. */
export const recoveryCodeBytes = recoveryCodeLength;

const grouped = (code: string): string => (code.match(/.{4}/g) as string[]).join('-');

/** A code in its displayed form: `4K9T-0XQ7-…`. */
export function recoveryCode(random: Uint8Array): string {
  return grouped(Array.from(random.slice(0, recoveryCodeLength), (byte) => alphabet[byte & 31]).join(''));
}

/** A typed code in its displayed form, or null. Ignores spaces and case, and corrects look-alike letters. */
export function readRecoveryCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return code.length === recoveryCodeLength && [...code].every((sign) => alphabet.includes(sign))
    ? grouped(code)
    : null;
}

export const wrongRecoveryCode = (): Refusal =>
  refuse('WRONG_CODE', 'That recovery code is wrong or was already used. Try another one', { field: 'recoveryCode' });

/** At this number or fewer, people are asked to make new codes. */
const fewRecoveryCodes = 3;
export const isRunningLow = (left: number): boolean => left <= fewRecoveryCodes;
