import { type InputHTMLAttributes, type Ref, useId } from 'react';
import classes from './field.module.css';

type Props = InputHTMLAttributes<HTMLInputElement> & {
  readonly label: string;
  readonly error?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement>;
};

/** A labelled field with its error under it, for signing in: the kit's would double the weight of the login page. */
export function Field({ label, error, inputRef, ...input }: Props) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        ref={inputRef}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
      />
      {error !== undefined && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
