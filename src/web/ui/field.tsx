import { type InputHTMLAttributes, useId, useState } from 'react';
import classes from './field.module.css';

type Props = InputHTMLAttributes<HTMLInputElement> & {
  readonly label: string;
  readonly error?: string | undefined;
};

/** A labeled field with its error, for signing in: the kit's would double the login page's size. */
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

/** A password's field, with a button to show it. */
export function PasswordField(props: Props) {
  const [shown, setShown] = useState(false);
  return (
    <div className={classes.password}>
      <Field {...props} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <button type="button" className={classes.reveal} aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : 'Show'} <span className="visually-hidden">password</span>
      </button>
    </div>
  );
}
