import { useEffect, useRef, useState } from 'react';
import { asApiError } from '#web/api/api-error.ts';
import { fetchPart } from '#web/api/fetch-part.ts';
import type { SignedIn } from '#web/api/sign-in.ts';
import { PlainButton } from '#web/ui/plain-button.tsx';
import { dropped, goOn } from './after-password.ts';
import classes from './login-page.module.css';

const load = () => fetchPart(() => import('#web/api/passkeys.ts'));

/** Signs in with a passkey: by the button, or from the list that browsers offer where the e-mail is typed. */
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

/** Waits quietly until somebody chooses a passkey there. The button takes its place; only a refused passkey is said. */
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
