import { type ComponentType, useEffect, useState } from 'react';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { offersPasskeys } from '#web/api/factor-calls.ts';
import { fetchPart } from '#web/api/fetch-part.ts';
import { forgetSignedOutReason, readSignedOutReason } from '#web/api/signed-out-reason.ts';
import { Mark } from '#web/ui/mark.tsx';
import { linkOfPage } from './account-link.ts';
import { AccountLinkPart } from './account-link-part.tsx';
import { DemoPeople } from './demo-people.tsx';
import type { ForgotPasswordProps } from './forgot-password.tsx';
import classes from './login-page.module.css';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import { useSignIn } from './use-sign-in.ts';

export default function LoginPage() {
  const { appName, appEnv } = config();
  const signIn = useSignIn();
  const { next } = signIn;
  const [link, setLink] = useState(linkOfPage);
  const [email, setEmail] = useState('');
  const [Forgotten, setForgotten] = useState<ComponentType<ForgotPasswordProps> | null>(null);
  const [problem, setProblem] = useState<string | null>(readSignedOutReason);
  useEffect(forgetSignedOutReason, []);
  // The form stays until the next part is there, so a file that can't be fetched loses nothing that was typed.
  const openForgotten = async () => {
    setProblem(null);
    try {
      const { default: Part } = await fetchPart(() => import('./forgot-password.tsx'));
      setForgotten(() => Part);
    } catch (error) {
      setProblem(asApiError(error).message);
    }
  };
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
          <next.Part next={next} onOver={signIn.startOver} />
        ) : link ? (
          <AccountLinkPart
            link={link}
            signIn={signIn}
            onLeave={leaveLink}
            onForgotten={() => {
              leaveLink();
              void openForgotten();
            }}
          />
        ) : Forgotten ? (
          <Forgotten email={email} onLeave={() => setForgotten(null)} />
        ) : (
          <SignIn
            signIn={signIn}
            email={email}
            onEmail={setEmail}
            problem={problem}
            onForgotten={() => void openForgotten()}
          />
        )}
      </div>
    </main>
  );
}

type SignInProps = {
  readonly signIn: ReturnType<typeof useSignIn>;
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** Why the person is here, or what couldn't be opened. */
  readonly problem: string | null;
  readonly onForgotten: () => void;
};

function SignIn({ signIn: { problems, busy, submit }, email, onEmail, problem, onForgotten }: SignInProps) {
  const { singleSignOn, demoAccounts = [], demoPassword } = config();
  return (
    <>
      <h1>Sign in</h1>
      <div role="alert">{problem !== null && <p className={classes.notice}>{problem}</p>}</div>
      {singleSignOn && <SingleSignOn {...singleSignOn} />}
      <SignInForm
        quiet={singleSignOn !== undefined}
        email={email}
        onEmail={onEmail}
        problems={problems}
        busy={busy}
        submit={submit}
      />
      {offersPasskeys() && <PasskeySignIn />}
      <button type="button" className={classes.back} onClick={onForgotten}>
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
  );
}
