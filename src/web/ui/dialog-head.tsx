import type { ReactNode } from 'react';
import classes from './dialog-head.module.css';

/** Replaces the kit's header, which screen readers announce as a second banner. */
export function DialogHead({ title, close }: { title: ReactNode; close: ReactNode }) {
  return (
    <div className={classes.head}>
      {title}
      {close}
    </div>
  );
}
