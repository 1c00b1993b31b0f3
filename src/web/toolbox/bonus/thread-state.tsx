import classes from './bonus-page.module.css';

/** Whether a question waits for its answer. */
export function Thread({ state }: { state: string | null }) {
  if (state === null) return <span className={classes.quiet}>–</span>;
  return (
    <span className={classes.label} data-tone={state === 'open' ? 'warn' : 'good'}>
      {state === 'open' ? 'Open' : 'Answered'}
    </span>
  );
}
