import classes from './kbd.module.css';

/** A key on its cap. Written for the eye: controls name their shortcut with aria-keyshortcuts. */
export function Kbd({ children }: { children: string }) {
  return <kbd className={classes.key}>{children}</kbd>;
}
