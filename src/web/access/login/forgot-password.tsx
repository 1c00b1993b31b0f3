import { type FormEvent, useRef, useState } from 'react';
import { forgottenInput } from '#core/access/sign-in-inputs.ts';
import { readInput } from '#core/base/inputs.ts';
import { isRefusal } from '#core/base/refusals.ts';
import { asApiError } from '#web/api/api-error.ts';
import { Field } from '#web/ui/field.tsx';
import { requestPasswordLink } from './account-link.ts';
import classes from './login-page.module.css';

export type ForgotPasswordProps = {
  /** What was typed on the sign-in form. */
  readonly email: string;
  readonly onLeave: () => void;
};

/** Asks for a one-time link by mail. What it says is the same for every address, known or not. */
export default function ForgotPassword({ email: typed, onLeave }: ForgotPasswordProps) {
  const [email, setEmail] = useState(typed);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<'mailed' | 'askAdmin' | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const parsed = readInput(forgottenInput, { email });
    if (isRefusal(parsed)) {
      setProblem('Enter your email address, like ada@example.com');
      input.current?.focus();
      return;
    }
    setBusy(true);
    setProblem(null);
    try {
      const { mails } = await requestPasswordLink(parsed.email);
      setAnswer(mails ? 'mailed' : 'askAdmin');
    } catch (error) {
      setProblem(asApiError(error).message);
      input.current?.focus();
    }
    setBusy(false);
  };
  return (
    <>
      <h1>Forgot password?</h1>
      {answer === null ? (
        <form onSubmit={(event) => void send(event)} noValidate>
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
            inputRef={input}
            autoFocus
          />
          <button type="submit" className={classes.submit} aria-disabled={busy} aria-busy={busy}>
            {busy ? 'Sending…' : 'Send link'}
          </button>
        </form>
      ) : (
        <Said mails={answer === 'mailed'} />
      )}
      <button type="button" className={classes.back} onClick={onLeave}>
        Back to sign in
      </button>
    </>
  );
}

function Said({ mails }: { readonly mails: boolean }) {
  return (
    <p className={classes.said} role="status">
      {mails
        ? 'If an account has this address, a link is on its way. It works once, for 1 hour. Check your spam folder too.'
        : 'This server doesn’t send email. Ask an admin for a link to set a new password.'}
    </p>
  );
}
