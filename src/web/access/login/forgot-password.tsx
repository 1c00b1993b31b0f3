import { useState } from 'react';
import { forgottenInput } from '#core/access/sign-in-inputs.ts';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { config } from '#web/api/config.ts';
import { PlainForm, useSending } from '#web/shell/identity/plain-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { requestPasswordLink } from './account-link.ts';
import classes from './login-page.module.css';

export type ForgotPasswordProps = {
  /** The email typed on the sign-in form. */
  readonly email: string;
  readonly onLeave: () => void;
};

/** Requests a one-time link by mail. The answer is the same for every address, known or not. */
export default function ForgotPassword({ email: typed, onLeave }: ForgotPasswordProps) {
  const [email, setEmail] = useState(typed);
  const [answer, setAnswer] = useState<'mailed' | 'askAdmin' | null>(config().mailsLinks ? null : 'askAdmin');
  const { busy, problem, setProblem, run } = useSending();
  const send = () => {
    const parsed = readInput(forgottenInput, { email });
    if (isRefusal(parsed)) return setProblem('Enter your email address, like ada@example.com');
    return run(async () => setAnswer((await requestPasswordLink(parsed.email)).mails ? 'mailed' : 'askAdmin'));
  };
  return (
    <>
      <h1>Forgot password?</h1>
      {answer === null ? (
        <PlainForm busy={busy} onSend={send}>
          <p className={classes.owner}>
            Enter your email address. We’ll send you a one-time link to set a new password.
          </p>
          <Field
            label="Email"
            type="email"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={problem ?? undefined}
            autoFocus
          />
          <button type="submit" className={classes.submit} aria-disabled={busy} aria-busy={busy}>
            {busy ? 'Sending…' : 'Send link'}
          </button>
        </PlainForm>
      ) : (
        <Said mails={answer === 'mailed'} />
      )}
      <button type="button" className={classes.back} onClick={onLeave}>
        Back to sign in
      </button>
    </>
  );
}

/** The mail has no link for someone without a password, or with a link from an admin. */
const onItsWay =
  'If there’s an account with this address, we’re sending an email. Its link works once and expires in 1 hour.';

function Said({ mails }: { readonly mails: boolean }) {
  // The form that had the focus is gone. A second Enter must not press a button.
  return (
    <p className={classes.said} role="status" tabIndex={-1} ref={(said) => said?.focus()}>
      {mails
        ? `${onItsWay} Check your spam folder too.`
        : 'This server doesn’t send email. Ask an admin for a link to set a new password.'}
    </p>
  );
}
