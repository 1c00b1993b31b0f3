import type { ReactNode } from 'react';
import classes from './page-head.module.css';

type Props = {
  readonly title: string;
  /** One sentence: the period, and what it is compared with. */
  readonly sentence?: ReactNode;
  /** A placeholder about as long as the loading sentence, to avoid a layout shift. */
  readonly expected?: string;
  /** On the right, the primary action last. */
  readonly actions?: ReactNode;
};

export function PageHead({ title, sentence, expected, actions }: Props) {
  return (
    <header className={classes.head}>
      <div className={classes.words}>
        <h1>{title}</h1>
        {sentence ? (
          <p>{sentence}</p>
        ) : (
          expected && (
            <p className={classes.expected} aria-hidden="true">
              {expected}
            </p>
          )
        )}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}
