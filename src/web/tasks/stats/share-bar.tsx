import classes from './share-bar.module.css';

/** The number beside it as a length; decoration, so a reader hears the number only. */
export function ShareBar({ share }: { share: number | null }) {
  return (
    <span className={classes.track} aria-hidden="true">
      <span style={{ width: `${share ?? 0}%` }} />
    </span>
  );
}
