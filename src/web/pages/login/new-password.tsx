import { type FormEvent, useEffect, useRef, useState } from 'react';
import { passwordRefusal, shortestPassword } from '#core/passwords.ts';
import { displayName } from '#core/people.ts';
import { asApiError } from '#web/api/api-error.ts';
import { Field } from '#web/ui/field.tsx';
import { type AccountLink, type LinkOwner, ownerOfLink, setPassword } from './account-link.ts';
import classes from './login-page.module.css';
import type { useSignIn } from './use-sign-in.ts';

type Props = {
  readonly link: AccountLink;
  readonly signIn: ReturnType<typeof useSignIn>;
  /** Back to signing in, with the link out of the address. */
  readonly onLeave: () => void;
};

/** What stands behind an invitation: a password of one's own, and on into the product with it. */
export default function NewPassword({ link, signIn, onLeave }: Props) {
  const [owner, setOwner] = useState<LinkOwner | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    ownerOfLink(link.token).then(setOwner, (error: unknown) => setFailure(asApiError(error).message));
  }, [link.token]);
  return (
    <>
      <h1>{link.kind === 'invite' ? 'Welcome' : 'New password'}</h1>
      {failure !== null && (
        <>
          <p className={classes.notice} role="alert">
            {failure}
          </p>
          <button type="button" className={classes.submit} onClick={onLeave}>
            Go to the sign-in page
          </button>
        </>
      )}
      {owner && failure === null && <Form link={link} owner={owner} signIn={signIn} onFailure={setFailure} />}
    </>
  );
}

type FormProps = {
  readonly link: AccountLink;
  readonly owner: LinkOwner;
  readonly signIn: Props['signIn'];
  readonly onFailure: (message: string) => void;
};

function Form({ link, owner, signIn, onFailure }: FormProps) {
  const [password, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const wrong = (message: string) => {
    setProblem(message);
    setBusy(false);
    input.current?.focus();
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const refusal = passwordRefusal(password, owner);
    if (refusal) return wrong(refusal.message);
    setBusy(true);
    setProblem(null);
    try {
      await setPassword(link.token, password);
    } catch (error) {
      const { code, message } = asApiError(error);
      if (code === 'LINK_EXPIRED') onFailure(message);
      else wrong(message);
      return;
    }
    // The link is used up: a reload would say that it is no longer good.
    history.replaceState(null, '', location.pathname + location.search);
    const { page } = await signIn.submit({ email: owner.email, password });
    if (page !== undefined) onFailure(`The password is set. ${page}`);
  };
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <p className={classes.owner}>
        {displayName(owner)}, choose a password for {owner.email}.
      </p>
      <input type="hidden" name="username" autoComplete="username" value={owner.email} />
      <Field
        label={`Password, ${shortestPassword} characters or more`}
        type="password"
        name="password"
        autoComplete="new-password"
        value={password}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={problem ?? undefined}
        inputRef={input}
      />
      <button type="submit" className={classes.submit} aria-disabled={busy} aria-busy={busy}>
        {busy ? 'Saving …' : 'Set the password and sign in'}
      </button>
    </form>
  );
}
