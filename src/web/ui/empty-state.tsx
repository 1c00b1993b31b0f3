import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

type Props = {
  /** What this place is. */
  readonly title: string;
  /** Why it is empty. */
  readonly children?: ReactNode;
  /** The one thing to do about it. */
  readonly action?: ReactNode;
};

export function EmptyState({ title, children, action }: Props) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      {children && <div className={classes.reason}>{children}</div>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
