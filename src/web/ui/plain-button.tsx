import type { ButtonHTMLAttributes } from 'react';
import classes from './plain-button.module.css';

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  readonly kind?: 'primary' | 'second' | 'link';
  readonly busy?: boolean;
};

/** A button for signing in: the kit's would double the login page's size. Ignores presses while busy. */
export function PlainButton({ kind = 'second', busy = false, type = 'button', onClick, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={classes[kind]}
      aria-disabled={busy}
      aria-busy={busy}
      onClick={(event) => {
        if (!busy) onClick?.(event);
      }}
    />
  );
}
