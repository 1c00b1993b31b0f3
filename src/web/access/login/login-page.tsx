import { type ComponentType, useEffect, useRef, useState } from 'react';
import { signInEndings } from '#core/access/sign-in-endings.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config, type DemoAccount } from '#web/api/config.ts';
import { offersPasskeys } from '#web/api/factor-calls.ts';
import { fetchPart } from '#web/api/fetch-part.ts';
import type { Credentials, SignedIn } from '#web/api/sign-in.ts';
import { forgetSignedOutReason, readSignedOutReason } from '#web/api/signed-out-reason.ts';
import { leaveForProvider, takeSession, takeSignInEnding } from '#web/api/single-sign-on.ts';
import { PlainForm } from '#web/shell/identity/plain-form.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Field, PasswordField } from '#web/ui/field.tsx';
import { Mark } from '#web/ui/mark.tsx';
import { PlainButton } from '#web/ui/plain-button.tsx';
import { linkOfPage } from './account-link.ts';
import { dropped, goOn } from './after-password.ts';
import type { ForgotPasswordProps } from './forgot-password.tsx';
import classes from './login-page.module.css';
import type { NewPasswordProps } from './new-password.tsx';
import { type Problems, useSignIn } from './use-sign-in.ts';

const load = () => fetchPart(() => import('#web/api/passkeys.ts'));

/** Signs in with a passkey: by the button, or from the email field's suggestions. */
function PasskeySignIn() {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const pressed = useRef(false);
  const end = ({ kept }: SignedIn) => (kept ? void goOn() : setProblem(dropped));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page has come
  useEffect(() => {
    void offerInField(() => !pressed.current, end, setProblem);
  }, []);
  const press = async () => {
    pressed.current = true;
    setBusy(true);
    setProblem(null);
    try {
      const { signInWithPasskey } = await load();
      end(await signInWithPasskey());
    } catch (error) {
      setProblem(asApiError(error).message);
    }
    setBusy(false);
  };
  return (
    <div className={classes.passkey}>
      <div role="alert">{problem !== null && <p className={classes.notice}>{problem}</p>}</div>
      <PlainButton busy={busy} onClick={() => void press()}>
        Sign in with a passkey
      </PlainButton>
    </div>
  );
}

/**
 * Waits until someone chooses a passkey there. The button replaces it; only a rejected passkey shows an
 * error.
 */
async function offerInField(
  isWanted: () => boolean,
  onDone: (signedIn: SignedIn) => void,
  onProblem: (message: string) => void,
): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  try {
    const { offerPasskeys } = await load();
    const signedIn = await offerPasskeys(isWanted);
    if (signedIn) onDone(signedIn);
  } catch (error) {
    const { code, message } = asApiError(error);
    if (code === 'PASSKEY_REFUSED') onProblem(message);
  }
}

/**
 * Signs in through the company's provider and shows the outcome. Passwords stay available for when the
 * provider is down.
 */
function SingleSignOn({ name, origin }: { readonly name: string; readonly origin: string }) {
  const [ending] = useState(takeSignInEnding);
  const [busy, setBusy] = useState(ending === 'done');
  const [problem, setProblem] = useState<string | null>(ending && signInEndings[ending]);
  useEffect(() => {
    if (ending !== 'done') return;
    void finish().then((found) => {
      setProblem(found);
      setBusy(found === null);
    });
  }, [ending]);
  const fail = (error: unknown) => {
    setProblem(asApiError(error).message);
    setBusy(false);
  };
  const leave = () => {
    if (busy) return;
    // The provider returns to one address only, where the cookie must be.
    if (location.origin !== origin) {
      location.assign(origin + location.pathname + location.search);
      return;
    }
    setBusy(true);
    setProblem(null);
    leaveForProvider(new URLSearchParams(location.search).get('goto')).catch(fail);
  };
  return (
    <div className={classes.single}>
      <div role="alert">{problem && <p className={classes.notice}>{problem}</p>}</div>
      <button type="button" className={classes.submit} aria-disabled={busy} aria-busy={busy} onClick={leave}>
        {busy ? 'Signing in…' : `Sign in with ${name}`}
      </button>
      <p className={classes.or}>or with your password at {config().appName}</p>
    </div>
  );
}

/** Fetches the session and continues; returns the error. */
async function finish(): Promise<string | null> {
  try {
    const { kept } = await takeSession();
    if (!kept) return dropped;
    goOn();
    return null;
  } catch (error) {
    const { code, message } = asApiError(error);
    return code === 'NOT_SIGNED_IN' ? signInEndings.expired : message;
  }
}

export default function LoginPage() {
  const { appName, appEnv } = config();
  const signIn = useSignIn();
  const { next } = signIn;
  const [link, setLink] = useState(linkOfPage);
  const [email, setEmail] = useState('');
  const [Forgotten, setForgotten] = useState<ComponentType<ForgotPasswordProps> | null>(null);
  const [problem, setProblem] = useState<string | null>(readSignedOutReason);
  useEffect(forgetSignedOutReason, []);
  // The form stays until the next part is loaded, so a failed fetch loses no input.
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
        ) : signIn.isContinuing ? null : link ? (
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

type FormProps = {
  /** Shown as the secondary option. */
  readonly quiet?: boolean;
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly problems: Problems;
  readonly busy: boolean;
  readonly submit: (credentials: Credentials) => Promise<Problems>;
};

function SignInForm({ quiet = false, email, onEmail, problems, busy, submit }: FormProps) {
  const [password, setPassword] = useState('');
  return (
    <PlainForm busy={busy} onSend={() => void submit({ email, password })}>
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
        autoFocus={!quiet}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={problems.password}
      />
      <div role="alert">{problems.page && <p className={classes.notice}>{problems.page}</p>}</div>
      <button type="submit" className={quiet ? classes.second : classes.submit} aria-disabled={busy} aria-busy={busy}>
        {busy ? 'Signing in…' : 'Sign in'}
      </button>
    </PlainForm>
  );
}

/** Few people come with a link, so the password rules load only for them. */
function AccountLinkPart(props: NewPasswordProps) {
  const [Part, setPart] = useState<ComponentType<NewPasswordProps> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every attempt fetches again
  useEffect(() => {
    setProblem(null);
    fetchPart(() => import('./new-password.tsx')).then(
      (part) => setPart(() => part.default),
      (error: unknown) => setProblem(asApiError(error).message),
    );
  }, [attempt]);
  if (Part) return <Part {...props} />;
  if (problem === null) return null;
  return (
    <>
      <p className={classes.notice} role="alert">
        {problem}
      </p>
      <PlainButton kind="primary" onClick={() => setAttempt(attempt + 1)}>
        Try again
      </PlainButton>
    </>
  );
}

type DemoPeopleProps = {
  readonly accounts: readonly DemoAccount[];
  readonly busy: boolean;
  readonly onChoose: (account: DemoAccount) => void;
};

/** With demo data only: one click signs in as a demo person. */
function DemoPeople({ accounts, busy, onChoose }: DemoPeopleProps) {
  return (
    <section className={classes.demo} aria-labelledby="demo-people">
      <h2 id="demo-people">Or try a demo account</h2>
      <p className={classes.sentence}>All data here is made up.</p>
      <ul className={classes.people}>
        {accounts.map((account) => (
          <li key={account.email}>
            <button type="button" aria-disabled={busy} onClick={() => !busy && onChoose(account)}>
              <Avatar name={account.name} size={32} />
              <span className={classes.words}>
                <span className={classes.name}>
                  {account.name} <span className={classes.role}>{account.role}</span>
                </span>
                <span className={classes.can}>{account.can}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
