import { useEffect, useState } from 'react';
import { signInEndings } from '#core/access/sign-in-endings.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { leaveForProvider, takeSession, takeSignInEnding } from '#web/api/single-sign-on.ts';
import { dropped, goOn } from './after-password.ts';
import classes from './login-page.module.css';

/** Signs in through the provider of the company, and says how it ended. Passwords stay for when the provider is down. */
export function SingleSignOn({ name, origin }: { readonly name: string; readonly origin: string }) {
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
    // The provider leads back to one address only, and the cookie has to be there then.
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
        {busy ? 'Signing in …' : `Sign in with ${name}`}
      </button>
      <p className={classes.or}>or with your password at {config().appName}</p>
    </div>
  );
}

/** Fetches the session and goes on; gives what went wrong. */
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
