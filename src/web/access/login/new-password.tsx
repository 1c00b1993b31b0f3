import { useEffect, useState } from 'react';
import { passwordRefusal, shortestPassword } from '#core/access/passwords.ts';
import { homePath } from '#core/access/routes.ts';
import { invitationEndings } from '#core/access/sign-in-endings.ts';
import { displayName } from '#core/people/people.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { readToken } from '#web/api/session.ts';
import { leaveWithInvitation, takeSignInEnding } from '#web/api/single-sign-on.ts';
import { readStored, writeStored } from '#web/api/stored.ts';
import { PlainForm, useSending } from '#web/shell/identity/plain-form.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { type AccountLink, type LinkOwner, ownerOfLink, setPassword, signedInEmail } from './account-link.ts';
import classes from './login-page.module.css';
import type { useSignIn } from './use-sign-in.ts';

const usedLinkKey = 'used-link';

/**
 * Only the browser that used the link says so. The server gives one answer for every link that doesn't work,
 * so it tells a stranger nothing about the account.
 */
const rememberUsed = (token: string): void => writeStored('local', usedLinkKey, token);
const wasUsedHere = (token: string): boolean => readStored('local', usedLinkKey) === token;
const usedHere = 'You already set your password. Sign in with it.';
/** The answer to setting a password can get lost after the link was used up. */
const ifSet = 'If you set your password already, sign in with it.';

type Failure = { readonly message: string; readonly isExpired?: boolean };

const failureOf = (error: unknown): Failure => {
  const { code, message } = asApiError(error);
  return { message, isExpired: code === 'LINK_EXPIRED' };
};

export type NewPasswordProps = {
  readonly link: AccountLink;
  readonly signIn: ReturnType<typeof useSignIn>;
  /** Returns to signing in, and removes the link from the address. */
  readonly onLeave: () => void;
  /** Requests another link by mail. */
  readonly onForgotten: () => void;
};

/** The page of an invitation: the person sets a password and continues into the product. */
export default function NewPassword({ link, signIn, onLeave, onForgotten }: NewPasswordProps) {
  const [owner, setOwner] = useState<LinkOwner | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { singleSignOn } = config();
  useEffect(() => {
    ownerOfLink(link.token).then(setOwner, (error: unknown) => {
      const failed = failureOf(error);
      // A used link has nothing left to do: a signed-in visitor goes home, as from the sign-in page.
      if (failed.isExpired && readToken() !== null) location.replace(homePath);
      else setFailure(failed.isExpired && wasUsedHere(link.token) ? { message: usedHere } : failed);
    });
  }, [link.token]);
  return (
    <>
      <h1>{titleOf(link, failure !== null)}</h1>
      {failure !== null && (
        <>
          <p className={classes.notice} role="alert">
            {failure.message}
          </p>
          {failure.isExpired && <p className={classes.owner}>{ifSet}</p>}
          <button type="button" className={classes.submit} onClick={onLeave}>
            Go to the sign-in page
          </button>
          {link.kind === 'reset' && failure.message !== usedHere && (
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

/** Nobody is welcomed by a link that doesn’t work. */
function titleOf({ kind }: AccountLink, hasFailed: boolean): string {
  if (kind === 'reset') return 'New password';
  return hasFailed ? 'Invitation' : 'Welcome';
}

type AcceptProps = {
  readonly link: AccountLink;
  readonly owner: LinkOwner;
  readonly name: string;
  /** The only origin the provider returns to. */
  readonly origin: string;
};

/** Accepts the invitation with the person's account at the provider, without a password. */
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
        {displayName(owner)}, you’re invited as {owner.email}. Continue with {name} to link your account there, even if
        it uses another email address.
      </p>
      <div role="alert">{problem && <p className={classes.notice}>{problem}</p>}</div>
      <button type="button" className={classes.submit} aria-disabled={busy} aria-busy={busy} onClick={leave}>
        {busy ? 'One moment…' : `Continue with ${name}`}
      </button>
      <p className={classes.or}>or set a password</p>
    </div>
  );
}

type FormProps = {
  readonly link: AccountLink;
  readonly owner: LinkOwner;
  readonly signIn: NewPasswordProps['signIn'];
  readonly onFailure: (failure: Failure) => void;
};

/** The other account that the new sign-in replaces in this browser, or null. */
function useSignedInHere(owner: LinkOwner): string | null {
  const [email, setEmail] = useState<string | null>(null);
  useEffect(() => {
    if (readToken() !== null) signedInEmail().then(setEmail, () => setEmail(null));
  }, []);
  if (readToken() === null || email === owner.email) return null;
  return email ?? 'Another account signed in to this browser';
}

function Form({ link, owner, signIn, onFailure }: FormProps) {
  // If the provider is offered, the password is the secondary option.
  const isSecond = link.kind === 'invite' && config().singleSignOn !== undefined;
  const [password, setTyped] = useState('');
  const { busy, problem, setProblem, run } = useSending();
  const signedIn = useSignedInHere(owner);
  const send = () => {
    const refusal = passwordRefusal(password, owner);
    if (refusal) return setProblem(refusal.message);
    return run(async () => {
      await setPassword(link.token, password).catch((error: unknown) => {
        const failed = failureOf(error);
        if (failed.isExpired) onFailure(failed);
        throw error;
      });
      rememberUsed(link.token);
      // The link is used up: a reload would say that it is no longer valid.
      history.replaceState(null, '', location.pathname + location.search);
      const { page } = await signIn.submit({ email: owner.email, password });
      if (page !== undefined) onFailure({ message: `Password set. ${page}` });
    });
  };
  return (
    <PlainForm busy={busy} onSend={send}>
      <p className={classes.owner}>
        {displayName(owner)}, set a password for {owner.email}.{signedIn !== null && ` ${signedIn} will be signed out.`}
      </p>
      <input type="hidden" name="username" autoComplete="username" value={owner.email} />
      <PasswordField
        autoComplete="new-password"
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
        {busy ? 'Saving…' : 'Set password and sign in'}
      </button>
    </PlainForm>
  );
}
