import { Pill } from '#web/ui/pill.tsx';
import classes from './bonus-page.module.css';

/** Whether a question waits for its answer. */
export function Thread({ state }: { state: string | null }) {
  if (state === null) return <span className={classes.quiet}>–</span>;
  return <Pill tone={state === 'open' ? 'warn' : 'good'}>{state === 'open' ? 'Open' : 'Answered'}</Pill>;
}
