import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

type Props = {
  /** What is missing here. */
  readonly title: string;
  /** Why it is empty. */
  readonly children?: ReactNode;
  /** The main action. */
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
