import { useQuery } from '@tanstack/react-query';
import { type SecondFactors, secondFactorsQuery } from '#web/api/second-factors.ts';
import { accountQuery } from './account-calls.ts';
import classes from './account-page.module.css';

/** What adding or removing a factor means for signing in; nothing if nothing changes. */
export function FactorNote({ act }: { readonly act: 'add' | 'remove' }) {
  const { data: factors } = useQuery(secondFactorsQuery);
  const { data: ways } = useQuery(accountQuery);
  const noteOf = act === 'add' ? firstFactorNote : lastFactorNote;
  const note = factors && ways && noteOf(factors, ways.password.set);
  return note ? <p className={classes.note}>{note}</p> : null;
}

type Factors = Pick<SecondFactors, 'passkeys' | 'authenticator'>;

const countOf = ({ passkeys, authenticator }: Factors): number => passkeys.length + (authenticator ? 1 : 0);

/** Shown before the first one is added, otherwise null. */
export function firstFactorNote(factors: Factors, hasPassword: boolean): string | null {
  if (countOf(factors) > 0) return null;
  const turnsOn =
    'This turns on two-step sign-in. From then on, every sign-in with your password needs a second step. ';
  return `${hasPassword ? turnsOn : ''}Your other sessions will be signed out.`;
}

/** Shown before the last one is removed, otherwise null. */
export function lastFactorNote(factors: Factors, hasPassword: boolean): string | null {
  if (countOf(factors) > 1) return null;
  return hasPassword
    ? 'This turns off two-step sign-in: you’ll sign in with only your password, and your recovery codes are removed.'
    : 'Your recovery codes are removed.';
}
