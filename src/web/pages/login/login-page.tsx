import { type FormEvent, useRef, useState } from 'react';
import { config } from '#web/api/config.ts';
import { Field } from '#web/ui/field.tsx';
import { Mark } from '#web/ui/mark.tsx';
import { DemoPeople } from './demo-people.tsx';
import classes from './login-page.module.css';
import { useSignIn } from './use-sign-in.ts';

export default function LoginPage() {
  const { appName, appEnv, demoAccounts = [], demoPassword } = config();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const { problems, busy, submit } = useSignIn();

  const signIn = async (event: FormEvent) => {
    event.preventDefault();
    const found = await submit({ email, password });
    if (found.email) emailInput.current?.focus();
    else if (found.password) passwordInput.current?.focus();
  };

  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <p className={classes.brand}>
          <Mark size={28} />
          {appName}
          {appEnv !== 'production' && <span className={classes.environment}>{appEnv}</span>}
        </p>
        <h1>Sign in</h1>
        <form onSubmit={signIn} noValidate>
          <Field
            label="E-mail"
            type="email"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={problems.email}
            inputRef={emailInput}
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
          <button type="submit" className={classes.submit} aria-disabled={busy} aria-busy={busy}>
            {busy ? 'Signing in …' : 'Sign in'}
          </button>
        </form>
        {demoPassword !== undefined && demoAccounts.length > 0 && (
          <DemoPeople
            accounts={demoAccounts}
            busy={busy}
            onChoose={(account) => void submit({ email: account.email, password: demoPassword })}
          />
        )}
      </div>
    </main>
  );
}
