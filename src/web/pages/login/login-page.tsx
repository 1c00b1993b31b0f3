import { lazy, Suspense, useState } from 'react';
import { config } from '#web/api/config.ts';
import { offersPasskeys } from '#web/api/factor-calls.ts';
import { Mark } from '#web/ui/mark.tsx';
import { linkOfPage } from './account-link.ts';
import { DemoPeople } from './demo-people.tsx';
import classes from './login-page.module.css';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import { useSignIn } from './use-sign-in.ts';

// Few come with a link, and its rules about passwords are not for everybody's sign-in to load.
const NewPassword = lazy(() => import('./new-password.tsx'));
const NextStep = lazy(() => import('./next-step.tsx'));
const ForgotPassword = lazy(() => import('./forgot-password.tsx'));

export default function LoginPage() {
  const { appName, appEnv, singleSignOn, demoAccounts = [], demoPassword } = config();
  const signIn = useSignIn();
  const { problems, busy, submit, next } = signIn;
  const [link, setLink] = useState(linkOfPage);
  const [forgotten, setForgotten] = useState(false);
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
        {next ? (
          <Suspense>
            <NextStep next={next} onOver={signIn.startOver} />
          </Suspense>
        ) : link ? (
          <Suspense>
            <NewPassword link={link} signIn={signIn} onLeave={leaveLink} />
          </Suspense>
        ) : forgotten ? (
          <Suspense>
            <ForgotPassword onLeave={() => setForgotten(false)} />
          </Suspense>
        ) : (
          <>
            <h1>Sign in</h1>
            {singleSignOn && <SingleSignOn {...singleSignOn} />}
            <SignInForm quiet={singleSignOn !== undefined} problems={problems} busy={busy} submit={submit} />
            {offersPasskeys() && <PasskeySignIn />}
            <button type="button" className={classes.back} onClick={() => setForgotten(true)}>
              Forgot password?
            </button>
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
