import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

type Props = {
  readonly title?: string;
  /** Behind the title, quiet: a count. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** The content reaches the edges: tables and lists. */
  readonly flush?: boolean;
  readonly children: ReactNode;
};

/** A card with a title. A page is made of these. */
export function Panel({ title, note, actions, flush = false, children }: Props) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <div className={classes.head}>
          {title && (
            <h2 id={id}>
              {title} {note !== undefined && <span className={classes.note}>{note}</span>}
            </h2>
          )}
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
