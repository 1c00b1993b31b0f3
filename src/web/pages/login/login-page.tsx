import { config } from '#web/api/config.ts';
import { Mark } from '#web/ui/mark.tsx';
import { DemoPeople } from './demo-people.tsx';
import classes from './login-page.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { useSignIn } from './use-sign-in.ts';

export default function LoginPage() {
  const { appName, appEnv, demoAccounts = [], demoPassword } = config();
  const { problems, busy, submit } = useSignIn();
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <p className={classes.brand}>
          <Mark size={28} />
          {appName}
          {appEnv !== 'production' && <span className={classes.environment}>{appEnv}</span>}
        </p>
        <h1>Sign in</h1>
        <SignInForm problems={problems} busy={busy} submit={submit} />
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
