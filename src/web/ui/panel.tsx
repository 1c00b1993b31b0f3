import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

type Props = {
  readonly title?: string;
  /** A muted count after the title. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** No padding, for tables and lists. */
  readonly flush?: boolean;
  readonly children: ReactNode;
};

/** A card with a title, the building block of pages. */
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
