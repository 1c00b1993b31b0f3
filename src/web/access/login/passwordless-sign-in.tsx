import { useEffect, useRef, useState } from 'react';
import { signInEndings } from '#core/access/sign-in-endings.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { fetchPart } from '#web/api/fetch-part.ts';
import type { SignedIn } from '#web/api/sign-in.ts';
import { leaveForProvider, takeSession, takeSignInEnding } from '#web/api/single-sign-on.ts';
import { PlainButton } from '#web/ui/plain-button.tsx';
import { dropped, goOn } from './after-password.ts';
import classes from './login-page.module.css';

const load = () => fetchPart(() => import('#web/api/passkeys.ts'));

/** Signs in with a passkey: by the button, or from the email field's suggestions. */
export function PasskeySignIn() {
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
