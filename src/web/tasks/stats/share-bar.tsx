import classes from './share-bar.module.css';

/** The adjacent number as a bar; hidden from screen readers. */
export function ShareBar({ share }: { share: number | null }) {
  return (
    <span className={classes.track} aria-hidden="true">
      <span style={{ width: `${share ?? 0}%` }} />
    </span>
  );
}
