import { type FormEvent, useRef, useState } from 'react';
import type { Credentials } from '#web/api/sign-in.ts';
import { Field } from '#web/ui/field.tsx';
import classes from './login-page.module.css';
import type { Problems } from './use-sign-in.ts';

type Props = {
  /** Another way to sign in is the first one. */
  readonly quiet?: boolean;
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly problems: Problems;
  readonly busy: boolean;
  readonly submit: (credentials: Credentials) => Promise<Problems>;
};

export function SignInForm({ quiet = false, email, onEmail, problems, busy, submit }: Props) {
  const [password, setPassword] = useState('');
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

  /** The focus goes to the first field at fault. */
  const signIn = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = await submit({ email, password });
    if (found.email) emailInput.current?.focus();
    else if (found.password) passwordInput.current?.focus();
  };

  return (
    <form onSubmit={signIn} noValidate>
      <Field
        label="Email"
        type="email"
        name="username"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
        error={problems.email}
        inputRef={emailInput}
        autoFocus={!quiet}
      />
      <Field
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={problems.password}
        inputRef={passwordInput}
      />
      <div role="alert">{problems.page && <p className={classes.notice}>{problems.page}</p>}</div>
      <button type="submit" className={quiet ? classes.second : classes.submit} aria-disabled={busy} aria-busy={busy}>
        {busy ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  );
}
