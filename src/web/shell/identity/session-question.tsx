import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { refusals } from '#core/base/refusals.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { type NextStep, signIn } from '#web/api/sign-in.ts';
import { goOnSignedIn } from '#web/api/signed-in-again.ts';
import { leaveForProvider } from '#web/api/single-sign-on.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { leave } from '../leave.ts';
import { SecondStep } from './second-step.tsx';
import classes from './session-question.module.css';

/**
 * `ended`: a call was refused and waits for the answer. `soon`: the hour is nearly over, the question can be put off.
 * `disabled`: there is no way on, which is said.
 */
export type SessionAsk = 'soon' | 'ended' | 'disabled';

type Props = { readonly ask: SessionAsk; readonly email: string; readonly onDone: () => void };

/** What a `SessionDialog` asks. */
export function SessionQuestion({ ask, email, onDone }: Props) {
  const client = useQueryClient();
  const signedIn = () => {
    onDone();
    goOnSignedIn();
    void client.invalidateQueries();
  };
  const ended = ask === 'ended';
  if (ask === 'disabled') return <AccountDisabled />;
  return (
    <Dialog
      opened
      title={ended ? 'Your session has ended' : 'Your session ends in a few minutes'}
      closable={!ended}
      onTop
      onClose={onDone}
    >
      <SignInAgain email={email} onSignedIn={signedIn} onLater={ended ? null : onDone} />
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

const setUpFirst = 'Your company now requires a second step. Sign out, then sign in to set it up';

type SignInProps = { email: string; onSignedIn: () => void; onLater: (() => void) | null };

function SignInAgain({ email, onSignedIn, onLater }: SignInProps) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<NextStep | null>(null);
  const { singleSignOn } = config();
  const fail = (message: string) => {
    setStep(null);
    setError(message);
    setBusy(false);
  };
  /** Leaves the page; what was typed is kept as a draft, and the way back leads here. */
  const elsewhere = () => {
    leaveForProvider(location.pathname + location.search).catch((thrown: unknown) => fail(asApiError(thrown).message));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const answer = await signIn({ email, password });
      if (answer.next === null) onSignedIn();
      else if (answer.next === 'secondStep') setStep(answer);
      else fail(setUpFirst);
    } catch (thrown) {
      fail(asApiError(thrown).message);
    }
  };
  if (step) return <SecondStep step={step} onDone={onSignedIn} onOver={fail} />;
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
