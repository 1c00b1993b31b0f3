import { lazy, Suspense, useState } from 'react';
import { config } from '#web/api/config.ts';
import { Mark } from '#web/ui/mark.tsx';
import { linkOfPage } from './account-link.ts';
import { DemoPeople } from './demo-people.tsx';
import classes from './login-page.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import { useSignIn } from './use-sign-in.ts';

// Few come with a link, and its rules about passwords are not for everybody's sign-in to load.
const NewPassword = lazy(() => import('./new-password.tsx'));

export default function LoginPage() {
  const { appName, appEnv, singleSignOn, demoAccounts = [], demoPassword } = config();
  const signIn = useSignIn();
  const { problems, busy, submit } = signIn;
  const [link, setLink] = useState(linkOfPage);
  const leaveLink = () => {
    history.replaceState(null, '', location.pathname + location.search);
    setLink(null);
  };
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <p className={classes.brand}>
          <Mark size={28} />
          {appName}
          {appEnv !== 'production' && <span className={classes.environment}>{appEnv}</span>}
        </p>
        {link ? (
          <Suspense>
            <NewPassword link={link} signIn={signIn} onLeave={leaveLink} />
          </Suspense>
        ) : (
          <>
            <h1>Sign in</h1>
            {singleSignOn && <SingleSignOn {...singleSignOn} />}
            <SignInForm quiet={singleSignOn !== undefined} problems={problems} busy={busy} submit={submit} />
            {demoPassword !== undefined && demoAccounts.length > 0 && (
              <DemoPeople
                accounts={demoAccounts}
                busy={busy}
                onChoose={(account) => void submit({ email: account.email, password: demoPassword })}
              />
            )}
          </>
        )}
      </div>
    </main>
  );
}
