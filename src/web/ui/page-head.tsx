import type { ReactNode } from 'react';
import classes from './page-head.module.css';

type Props = {
  readonly title: string;
  /** One plain sentence: which period, compared with what. */
  readonly sentence?: ReactNode;
  /** About as long as the sentence that is still on its way: keeps its lines free, so that nothing moves when it comes. */
  readonly expected?: string;
  /** At the right, the primary action last. */
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
