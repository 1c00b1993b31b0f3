import { useEffect, useState } from 'react';
import { passwordRefusal, shortestPassword } from '#core/access/passwords.ts';
import { invitationEndings } from '#core/access/sign-in-endings.ts';
import { displayName } from '#core/people/people.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { leaveWithInvitation, takeSignInEnding } from '#web/api/single-sign-on.ts';
import { PlainForm, useSending } from '#web/shell/identity/plain-form.tsx';
import { NewPasswordField } from '#web/ui/field.tsx';
import { type AccountLink, type LinkOwner, ownerOfLink, setPassword } from './account-link.ts';
import classes from './login-page.module.css';
import type { useSignIn } from './use-sign-in.ts';

export type NewPasswordProps = {
  readonly link: AccountLink;
  readonly signIn: ReturnType<typeof useSignIn>;
  /** Back to signing in, with the link out of the address. */
  readonly onLeave: () => void;
  /** Asks for another link by mail. */
  readonly onForgotten: () => void;
};

/** What stands behind an invitation: a password of one's own, and on into the product with it. */
export default function NewPassword({ link, signIn, onLeave, onForgotten }: NewPasswordProps) {
  const [owner, setOwner] = useState<LinkOwner | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { singleSignOn } = config();
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
          {link.kind === 'reset' && (
            <button type="button" className={classes.back} onClick={onForgotten}>
              Forgot password?
            </button>
          )}
        </>
      )}
      {owner && failure === null && (
        <>
          {link.kind === 'invite' && singleSignOn && <AcceptThere link={link} owner={owner} {...singleSignOn} />}
          <Form link={link} owner={owner} signIn={signIn} onFailure={setFailure} />
        </>
      )}
    </>
  );
}

type AcceptProps = {
  readonly link: AccountLink;
  readonly owner: LinkOwner;
  readonly name: string;
  /** The only origin that the provider leads back to. */
  readonly origin: string;
};

/** Accepts the invitation with the account that the person has at the provider: no password is needed then. */
function AcceptThere({ link, owner, name, origin }: AcceptProps) {
  const [ending] = useState(takeSignInEnding);
  const [problem, setProblem] = useState<string | null>(ending && invitationEndings[ending]);
  const [busy, setBusy] = useState(false);
  const leave = () => {
    if (busy) return;
    if (location.origin !== origin) return location.assign(`${origin}${location.pathname}#invite=${link.token}`);
    setBusy(true);
    setProblem(null);
    leaveWithInvitation(link.token).catch((error: unknown) => {
      setProblem(asApiError(error).message);
      setBusy(false);
    });
  };
  return (
    <div className={classes.single}>
      <p className={classes.owner}>
        {displayName(owner)}, you are invited as {owner.email}. Your account at {name} is connected to it, whatever
        address it has there.
      </p>
      <div role="alert">{problem && <p className={classes.notice}>{problem}</p>}</div>
      <button type="button" className={classes.submit} aria-disabled={busy} aria-busy={busy} onClick={leave}>
        {busy ? 'One moment …' : `Continue with ${name}`}
      </button>
      <p className={classes.or}>or without it</p>
    </div>
  );
}

type FormProps = {
  readonly link: AccountLink;
  readonly owner: LinkOwner;
  readonly signIn: NewPasswordProps['signIn'];
  readonly onFailure: (message: string) => void;
};

function Form({ link, owner, signIn, onFailure }: FormProps) {
  // Where the provider is offered, a password is the other choice.
  const isSecond = link.kind === 'invite' && config().singleSignOn !== undefined;
  const [password, setTyped] = useState('');
  const { busy, problem, setProblem, run } = useSending();
  const send = () => {
    const refusal = passwordRefusal(password, owner);
    if (refusal) return setProblem(refusal.message);
    return run(async () => {
      await setPassword(link.token, password).catch((error: unknown) => {
        if (asApiError(error).code === 'LINK_EXPIRED') onFailure(asApiError(error).message);
        throw error;
      });
      // The link is used up: a reload would say that it is no longer good.
      history.replaceState(null, '', location.pathname + location.search);
      const { page } = await signIn.submit({ email: owner.email, password });
      if (page !== undefined) onFailure(`Password set. ${page}`);
    });
  };
  return (
    <PlainForm busy={busy} onSend={send}>
      <p className={classes.owner}>
        {displayName(owner)}, choose a password for {owner.email}.
      </p>
      <input type="hidden" name="username" autoComplete="username" value={owner.email} />
      <NewPasswordField
        label={`Password, at least ${shortestPassword} characters`}
        name="password"
        value={password}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={problem ?? undefined}
        autoFocus={!isSecond}
      />
      <button
        type="submit"
        className={isSecond ? classes.second : classes.submit}
        aria-disabled={busy}
        aria-busy={busy}
      >
        {busy ? 'Saving …' : 'Set password and sign in'}
      </button>
    </PlainForm>
  );
}
