import { useEffect, useMemo, useState } from 'react';
import { deviceWords } from '#core/access/devices.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { type Added, type Ask, askToSetUp, offersPasskeys } from '#web/api/factor-calls.ts';
import { fetchPart } from '#web/api/fetch-part.ts';
import { keepSession, type NextStep } from '#web/api/sign-in.ts';
import { confirmCodesSaved, markCodesShown, orMarkLost } from '#web/api/unconfirmed-codes.ts';
import { AuthenticatorSetUp } from '#web/shell/identity/authenticator-set-up.tsx';
import { PlainButton } from '#web/ui/plain-button.tsx';
import { RecoveryCodes } from '#web/ui/recovery-codes.tsx';
import { dropped, goOn } from './after-password.ts';
import classes from './login-page.module.css';

type Props = { readonly step: NextStep; readonly email: string; readonly onOver: () => void };

const askOrMarkLost = (stepToken: string): Ask => {
  const ask = askToSetUp(stepToken);
  return (path, body) => (body ? orMarkLost(ask(path, body), true) : ask(path));
};

/** For people who need a second step but have none yet. They're signed in once they set one up. */
export default function SetUpStep({ step, email, onOver }: Props) {
  const ask = useMemo(() => askOrMarkLost(step.stepToken), [step.stepToken]);
  const [way, setWay] = useState<'app' | null>(null);
  const [added, setAdded] = useState<Added | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const fail = (message: string) => {
    setProblem(message);
    setBusy(false);
  };
  const done = (finished: Added) => {
    if (!keepSession(finished).kept) return fail(dropped);
    if (finished.recoveryCodes === null) goOn();
    else setAdded(finished);
  };
  const addPasskey = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const { makePasskey } = await fetchPart(() => import('#web/api/passkeys.ts'));
      done(await makePasskey<Added>(ask, deviceWords(navigator.userAgent)));
    } catch (error) {
      fail(asApiError(error).message);
    }
  };
  if (added?.recoveryCodes) return <SaveCodes codes={added.recoveryCodes} email={email} />;
  return (
    <>
      <h1>Set up two-step sign-in</h1>
      <p className={classes.owner}>Your company requires a second step for {email}. It takes a minute.</p>
      <div role="alert">{problem !== null && <p className={classes.notice}>{problem}</p>}</div>
      {way === 'app' ? (
        <AuthenticatorSetUp ask={ask} onAdded={done} />
      ) : (
        <div className={classes.choices}>
          {offersPasskeys() && (
            <PlainButton kind="primary" busy={busy} onClick={() => void addPasskey()}>
              Add a passkey on this device
            </PlainButton>
          )}
          <PlainButton kind={offersPasskeys() ? 'second' : 'primary'} onClick={() => setWay('app')}>
            Use an authenticator app
          </PlainButton>
        </div>
      )}
      <div className={classes.otherWays}>
        {way === 'app' && offersPasskeys() && (
          <PlainButton kind="link" onClick={() => setWay(null)}>
            Use a passkey instead
          </PlainButton>
        )}
        <PlainButton kind="link" onClick={onOver}>
          Sign in as someone else
        </PlainButton>
      </div>
    </>
  );
}

function SaveCodes({ codes, email }: { readonly codes: readonly string[]; readonly email: string }) {
  useEffect(() => markCodesShown(true), []);
  const confirmed = () => {
    confirmCodesSaved();
    goOn();
  };
  return (
    <>
      <h1>Save your recovery codes</h1>
      <p className={classes.owner}>
        Each code signs you in once if you lose your phone or passkey. We won’t show them again.
      </p>
      <RecoveryCodes codes={codes} appName={config().appName} email={email} />
      <PlainButton kind="primary" onClick={confirmed}>
        I saved them, continue
      </PlainButton>
    </>
  );
}
