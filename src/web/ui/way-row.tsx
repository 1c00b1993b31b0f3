import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Pill } from './pill.tsx';
import classes from './way-row.module.css';

type Props = {
  readonly icon: Icon;
  readonly title: ReactNode;
  /** A mark after the title: "This device". */
  readonly mark?: ReactNode;
  /** A line of facts: when it was added and last used. */
  readonly facts?: ReactNode;
  /** Muted, before the action: when it was used. */
  readonly when?: ReactNode;
  readonly action?: ReactNode;
};

/** A way into an account, or a session: its name, a line of facts, and its action. */
export function WayRow({ icon: Picture, title, mark, facts, when, action }: Props) {
  return (
    <li className={classes.row}>
      <span className={classes.icon} aria-hidden="true">
        <Picture size={18} stroke={1.6} />
      </span>
      <div className={classes.words}>
        <p className={classes.title}>
          {title} {mark && <Pill tone="good">{mark}</Pill>}
        </p>
        {facts && <p className={classes.facts}>{facts}</p>}
      </div>
      {when && <span className={classes.when}>{when}</span>}
      {action && <div className={classes.action}>{action}</div>}
    </li>
  );
}

export function WayList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}
