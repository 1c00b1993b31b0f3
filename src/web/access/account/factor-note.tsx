import { useQuery } from '@tanstack/react-query';
import { secondFactorsQuery } from '#web/api/second-factors.ts';
import { accountQuery } from './account-calls.ts';
import classes from './account-page.module.css';
import { firstFactorNote, lastFactorNote } from './factor-words.ts';

/** What adding or removing a factor means for signing in. Nothing where it changes nothing. */
export function FactorNote({ act }: { readonly act: 'add' | 'remove' }) {
  const { data: factors } = useQuery(secondFactorsQuery);
  const { data: ways } = useQuery(accountQuery);
  const noteOf = act === 'add' ? firstFactorNote : lastFactorNote;
  const note = factors && ways && noteOf(factors, ways.password.set);
  return note ? <p className={classes.note}>{note}</p> : null;
}
