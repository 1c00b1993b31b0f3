import type { ReactNode } from 'react';
import classes from './page-head.module.css';

type Props = {
  readonly title: string;
  /** One plain sentence: which period, compared with what. */
  readonly sentence?: ReactNode;
  /** At the right, the primary action last. */
  readonly actions?: ReactNode;
};

export function PageHead({ title, sentence, actions }: Props) {
  return (
    <header className={classes.head}>
      <div className={classes.words}>
        <h1>{title}</h1>
        {sentence && <p>{sentence}</p>}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}
