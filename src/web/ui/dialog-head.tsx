import type { ReactNode } from 'react';
import classes from './dialog-head.module.css';

/** In place of the kit's head, which is a second banner of the page to a reader. */
export function DialogHead({ title, close }: { title: ReactNode; close: ReactNode }) {
  return (
    <div className={classes.head}>
      {title}
      {close}
    </div>
  );
}
