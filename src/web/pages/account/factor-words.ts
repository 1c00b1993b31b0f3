// What the first second factor turns on, and removing the last one turns off.
import type { SecondFactors } from '#web/api/second-factors.ts';

type Factors = Pick<SecondFactors, 'passkeys' | 'authenticator'>;

const countOf = ({ passkeys, authenticator }: Factors): number => passkeys.length + (authenticator ? 1 : 0);

/** Said before the first one is added, otherwise null. */
export const firstFactorNote = (factors: Factors): string | null =>
  countOf(factors) > 0
    ? null
    : 'This turns on two-step sign-in. From then on, your password alone no longer signs you in on any device. Your other sessions end now.';

/** Said before the last one is removed, otherwise null. */
export const lastFactorNote = (factors: Factors): string | null =>
  countOf(factors) > 1
    ? null
    : 'This turns off two-step sign-in: your password alone signs you in again, and your recovery codes are removed.';
