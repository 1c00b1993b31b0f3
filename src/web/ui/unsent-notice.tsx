import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './unsent-notice.module.css';

type Props = {
  readonly actions: readonly { readonly label: string; readonly run: () => void }[];
  readonly children: ReactNode;
};

/** Says that a form has, or may have, input that wasn't sent. */
export function UnsentNotice({ actions, children }: Props) {
  return (
    <p className={classes.notice} role="status">
      <span className={classes.words}>{children}</span>
      {actions.map(({ label, run }) => (
        <Button key={label} variant="subtle" size="compact-sm" onClick={run}>
          {label}
        </Button>
      ))}
    </p>
  );
}
