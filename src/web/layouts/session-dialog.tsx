import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { refusals } from '#core/refusals.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { sessionEndsAt } from '#web/api/session.ts';
import { signIn } from '#web/api/sign-in.ts';
import { answerSignInAgain, goOnSignedIn } from '#web/api/signed-in-again.ts';
import { leaveForProvider } from '#web/api/single-sign-on.ts';
import { leave } from '#web/leave.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import classes from './session-dialog.module.css';

/** The dialog comes this long before the hour ends (D14). */
const warningMs = 5 * 60_000;
const lookEveryMs = 15_000;

/**
 * `ended`: a call was refused and waits for the answer. `soon`: the hour is nearly over, the question can be put off.
 * `disabled`: there is no way on, which is said.
 */
type Ask = 'none' | 'soon' | 'ended' | 'disabled';

/** Offers to sign in again over the page; nothing typed is lost. */
export function SessionDialog({ email }: { email: string }) {
  const [ask, setAsk] = useAsk();
  const client = useQueryClient();
  const signedIn = () => {
    setAsk('none');
    goOnSignedIn();
    void client.invalidateQueries();
  };
  const ended = ask === 'ended';
  if (ask === 'none') return null;
  if (ask === 'disabled') return <AccountDisabled />;
  return (
    <Dialog
      opened
      title={ended ? 'Your session has ended' : 'Your session ends in a few minutes'}
      closable={!ended}
      onTop
      onClose={() => setAsk('none')}
    >
      <SignInAgain email={email} onSignedIn={signedIn} onLater={ended ? null : () => setAsk('none')} />
    </Dialog>
  );
}

/** Over whatever the page shows: it can be read to its end, and nothing more can be done with it. */
function AccountDisabled() {
  return (
    <Dialog opened title="Your account is disabled" closable={false} onTop onClose={() => {}}>
      <p className={classes.sentence}>{refusals.ACCOUNT_DISABLED.message}.</p>
      <DialogActions>
        <Button size="sm" onClick={leave} data-autofocus>
          Sign out
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function useAsk() {
  const [ask, setAsk] = useState<Ask>('none');
  useEffect(() => {
    let warnedFor = 0;
    const look = () => {
      const end = sessionEndsAt();
      const left = end - Date.now();
      // Another tab signed in again: there is nothing left to ask.
      if (left > warningMs) setAsk((now) => (now === 'soon' ? 'none' : now));
      else if (warnedFor !== end) {
        warnedFor = end;
        setAsk((now) => (now === 'none' ? 'soon' : now));
      }
    };
    look();
    const timer = setInterval(look, lookEveryMs);
    const stopAnswering = answerSignInAgain((isDisabled) => setAsk(isDisabled ? 'disabled' : 'ended'));
    return () => {
      clearInterval(timer);
      stopAnswering();
    };
  }, []);
  return [ask, setAsk] as const;
}

type SignInProps = { email: string; onSignedIn: () => void; onLater: (() => void) | null };

function SignInAgain({ email, onSignedIn, onLater }: SignInProps) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { singleSignOn } = config();
  /** Leaves the page; what was typed is kept as a draft, and the way back leads here. */
  const elsewhere = () => {
    leaveForProvider(location.pathname + location.search).catch((thrown: unknown) =>
      setError(asApiError(thrown).message),
    );
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await signIn({ email, password });
      onSignedIn();
    } catch (thrown) {
      setError(asApiError(thrown).message);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <p className={classes.sentence}>Sign in again to go on. Nothing on this page is lost.</p>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field
        label={`Password of ${email}`}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={error ?? undefined}
        data-autofocus
      />
      {singleSignOn && (
        <Button size="sm" variant="default" fullWidth onClick={elsewhere}>
          Sign in with {singleSignOn.name}
        </Button>
      )}
      <DialogActions>
        <Button size="sm" variant="default" onClick={onLater ?? leave}>
          {onLater ? 'Later' : 'Sign out'}
        </Button>
        <Button size="sm" type="submit" loading={busy} disabled={password === ''}>
          Sign in
        </Button>
      </DialogActions>
    </form>
  );
}
