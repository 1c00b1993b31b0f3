import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { logoutPath } from '#core/access/routes.ts';
import { refusals } from '#core/base/refusals.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { onSignedInElsewhere } from '#web/api/session.ts';
import { type NextStep, signIn } from '#web/api/sign-in.ts';
import { type End, goOnSignedIn, isPasswordUnsure } from '#web/api/signed-in-again.ts';
import { openProviderIn } from '#web/api/single-sign-on.ts';
import { isSessionOf } from '#web/api/viewer.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { leave } from '../leave.ts';
import { PlainForm, useSending } from './plain-form.tsx';
import { SecondStep } from './second-step.tsx';
import classes from './session-question.module.css';

/** `soon`: the hour is nearly over, and the question can be postponed. With `ended`, a refused call waits. */
export type SessionAsk = 'soon' | End;

type Props = { readonly ask: SessionAsk; readonly email: string; readonly onDone: () => void };

/** The content of a `SessionDialog`. */
export function SessionQuestion({ ask, email, onDone }: Props) {
  const client = useQueryClient();
  const signedIn = (password?: string) => {
    onDone();
    goOnSignedIn(password);
    void client.invalidateQueries();
  };
  useSignedInElsewhere(email, () => signedIn());
  const ended = ask === 'ended';
  if (ask === 'disabled') return <AccountDisabled />;
  if (ask === 'otherPerson') return <OtherPerson />;
  return (
    <Dialog
      opened
      title={ended ? 'Your session has ended' : 'Your session ends in a few minutes'}
      closable={!ended}
      uninvited
      onClose={onDone}
    >
      <SignInAgain email={email} onSignedIn={signedIn} onLater={ended ? null : onDone} />
    </Dialog>
  );
}

/** Goes on once this person signs in in another tab, such as the provider's. */
function useSignedInElsewhere(email: string, onSignedIn: () => void): void {
  const goOn = useEffectEvent(onSignedIn);
  useEffect(() => {
    const closed = new AbortController();
    let stop = () => {};
    const wait = () => {
      stop = onSignedInElsewhere(() => {
        wait();
        isSessionOf(email, closed.signal).then(
          (isSame) => isSame && !closed.signal.aborted && goOn(),
          () => undefined,
        );
      });
    };
    wait();
    return () => {
      closed.abort();
      stop();
    };
  }, [email]);
}

/** Over the page, which stays readable but can't be used anymore. */
function AccountDisabled() {
  return (
    <Dialog opened title="Your account is disabled" closable={false} uninvited onClose={() => {}}>
      <p className={classes.sentence}>{refusals.ACCOUNT_DISABLED.message}.</p>
      <DialogActions primary="Sign out" onPrimary={leave} cancel={null} focused />
    </Dialog>
  );
}

/** Whatever this tab sent would be done by the other person. */
function OtherPerson() {
  return (
    <Dialog opened title="Someone else signed in" closable={false} uninvited onClose={() => {}}>
      <p className={classes.sentence}>
        Another tab in this browser signed in as someone else, so this page no longer works. Reload to continue as that
        person. Your drafts will be here when you sign in again.
      </p>
      <DialogActions primary="Reload the page" onPrimary={() => location.reload()} cancel={null} focused />
    </Dialog>
  );
}

const setUpFirst = 'Your company now requires a second step. Sign out, then sign in to set it up';

/** By a full load: the page that waits for an answer goes, and its drafts are counted there. */
const askToSignOut = () => location.assign(logoutPath);

type SignInProps = { email: string; onSignedIn: (password: string) => void; onLater: (() => void) | null };

function SignInAgain({ email, onSignedIn, onLater }: SignInProps) {
  const [password, setPassword] = useState('');
  const { busy, problem, fail, run } = useSending();
  const [step, setStep] = useState<NextStep | null>(null);
  const { singleSignOn } = config();
  const elsewhere = () => {
    // Opened by the press itself: browsers block a tab that comes later.
    const tab = window.open('', '_blank');
    if (!tab) return fail('Your browser blocked the new tab. Allow it, then try again');
    openProviderIn(tab).catch((error: unknown) => fail(asApiError(error).message));
  };
  const send = () =>
    run(async () => {
      const answer = await signIn({ email, password });
      if (answer.next === null) onSignedIn(password);
      else if (answer.next === 'secondStep') setStep(answer);
      else fail(setUpFirst);
    });
  const startOver = (message: string) => {
    setStep(null);
    fail(message);
  };
  if (step) return <SecondStep step={step} onDone={() => onSignedIn(password)} onOver={startOver} />;
  return (
    <PlainForm busy={busy} onSend={send}>
      <p className={classes.sentence}>
        Sign in again to continue, here or in another tab. Nothing on this page is lost.
      </p>
      {isPasswordUnsure() && (
        <p className={classes.sentence} role="status">
          Your password may have been changed. Try the new one.
        </p>
      )}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field
        label={`Password for ${email}`}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={problem ?? undefined}
        data-autofocus
      />
      {singleSignOn && (
        <Button size="sm" variant="default" fullWidth onClick={elsewhere}>
          Sign in with {singleSignOn.name} in a new tab
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
