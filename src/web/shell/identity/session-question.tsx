import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { logoutPath } from '#core/access/routes.ts';
import { refusals } from '#core/base/refusals.ts';
import { config } from '#web/api/config.ts';
import { type NextStep, signIn } from '#web/api/sign-in.ts';
import { goOnSignedIn } from '#web/api/signed-in-again.ts';
import { leaveForProvider } from '#web/api/single-sign-on.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { leave } from '../leave.ts';
import { PlainForm, useSending } from './plain-form.tsx';
import { SecondStep } from './second-step.tsx';
import classes from './session-question.module.css';

/**
 * `ended`: a refused call waits for the answer. `soon`: the hour is nearly over, and the question can be
 * postponed. `disabled`: there is no way on, which is shown.
 */
export type SessionAsk = 'soon' | 'ended' | 'disabled';

type Props = { readonly ask: SessionAsk; readonly email: string; readonly onDone: () => void };

/** The content of a `SessionDialog`. */
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

/** Over the page, which stays readable but can't be used anymore. */
function AccountDisabled() {
  return (
    <Dialog opened title="Your account is disabled" closable={false} onTop onClose={() => {}}>
      <p className={classes.sentence}>{refusals.ACCOUNT_DISABLED.message}.</p>
      <DialogActions primary="Sign out" onPrimary={leave} cancel={null} focused />
    </Dialog>
  );
}

const setUpFirst = 'Your company now requires a second step. Sign out, then sign in to set it up';

/** By a full load: the page that waits for an answer goes, and its drafts are counted there. */
const askToSignOut = () => location.assign(logoutPath);

type SignInProps = { email: string; onSignedIn: () => void; onLater: (() => void) | null };

function SignInAgain({ email, onSignedIn, onLater }: SignInProps) {
  const [password, setPassword] = useState('');
  const { busy, problem, fail, run } = useSending();
  const [step, setStep] = useState<NextStep | null>(null);
  const { singleSignOn } = config();
  /** Leaves the page; input is saved as a draft, and the return leads here. */
  const elsewhere = () => run(() => leaveForProvider(location.pathname + location.search));
  const send = () =>
    run(async () => {
      const answer = await signIn({ email, password });
      if (answer.next === null) onSignedIn();
      else if (answer.next === 'secondStep') setStep(answer);
      else fail(setUpFirst);
    });
  const startOver = (message: string) => {
    setStep(null);
    fail(message);
  };
  if (step) return <SecondStep step={step} onDone={onSignedIn} onOver={startOver} />;
  return (
    <PlainForm busy={busy} onSend={send}>
      <p className={classes.sentence}>Sign in again to continue. Nothing on this page is lost.</p>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field
        label={`Password of ${email}`}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={problem ?? undefined}
        data-autofocus
      />
      {singleSignOn && (
        <Button size="sm" variant="default" fullWidth onClick={elsewhere}>
          Sign in with {singleSignOn.name}
        </Button>
      )}
      <DialogActions
        primary="Sign in"
        busy={busy}
        disabled={password === ''}
        cancel={onLater ? 'Later' : 'Sign out'}
        onCancel={onLater ?? askToSignOut}
      />
    </PlainForm>
  );
}
