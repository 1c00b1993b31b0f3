import classes from './kbd.module.css';

/** A key's label. Only visual: controls name their shortcut with aria-keyshortcuts. */
export function Kbd({ children }: { children: string }) {
  return <kbd className={classes.key}>{children}</kbd>;
}
