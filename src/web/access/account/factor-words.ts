// What the first second factor turns on, and removing the last one turns off.
import type { SecondFactors } from '#web/api/second-factors.ts';

type Factors = Pick<SecondFactors, 'passkeys' | 'authenticator'>;

const countOf = ({ passkeys, authenticator }: Factors): number => passkeys.length + (authenticator ? 1 : 0);

/** Said before the first one is added, otherwise null. */
export function firstFactorNote(factors: Factors, hasPassword: boolean): string | null {
  if (countOf(factors) > 0) return null;
  const turnsOn =
    'This turns on two-step sign-in. From then on, your password alone no longer signs you in on any device. ';
  return `${hasPassword ? turnsOn : ''}Your other sessions end now.`;
}

/** Said before the last one is removed, otherwise null. */
export function lastFactorNote(factors: Factors, hasPassword: boolean): string | null {
  if (countOf(factors) > 1) return null;
  return hasPassword
    ? 'This turns off two-step sign-in: your password alone signs you in again, and your recovery codes are removed.'
    : 'Your recovery codes are removed.';
}
