import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

type Props = {
  readonly title: string;
  readonly count?: number;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A section of a task with its heading. */
export function TaskSection({ title, count, actions, children }: Props) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <h3 id={id}>
          {title} {count !== undefined && count > 0 && <span className={classes.count}>{count}</span>}
        </h3>
        {actions}
      </div>
      {children}
    </section>
  );
}
