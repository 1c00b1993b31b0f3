import { type InputHTMLAttributes, useId, useState } from 'react';
import classes from './field.module.css';

type Props = InputHTMLAttributes<HTMLInputElement> & {
  readonly label: string;
  readonly error?: string | undefined;
};

/** A labelled field with its error under it, for signing in: the kit's would double the weight of the login page. */
export function Field({ label, error, ...input }: Props) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
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

/** A field for a new password, with a button that shows what was typed. */
export function NewPasswordField(props: Props) {
  const [shown, setShown] = useState(false);
  return (
    <div className={classes.password}>
      <Field
        {...props}
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        spellCheck={false}
        autoCapitalize="none"
      />
      <button type="button" className={classes.reveal} aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : 'Show'} <span className="visually-hidden">password</span>
      </button>
    </div>
  );
}
