import { useEffect, useState } from 'react';
import { asApiError } from '#web/api/api-error.ts';
import type { Added, Ask, AuthenticatorSetUp as SetUp } from '#web/api/factor-calls.ts';
import { Field } from '#web/ui/field.tsx';
import { PlainButton } from '#web/ui/plain-button.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';
import { PlainForm, useSending } from './plain-form.tsx';
import classes from './second-step.module.css';

type Props = { readonly ask: Ask; readonly onAdded: (added: Added) => void };

/** Sets up an authenticator app: its QR code and key, and its first code. */
export function AuthenticatorSetUp({ ask, onAdded }: Props) {
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const [code, setCode] = useState('');
  const { busy, problem, setProblem, run } = useSending();
  useEffect(() => {
    let isShown = true;
    ask<SetUp>('authenticator/options').then(
      (made) => isShown && setSetUp(made),
      (error: unknown) => isShown && setProblem(asApiError(error).message),
    );
    return () => {
      isShown = false;
    };
  }, [ask, setProblem]);
  const confirm = () => {
    if (code.trim() !== '') run(async () => onAdded(await ask<Added>('authenticator', { code })));
  };
  if (setUp === null)
    return (
      <p className={classes.sentence} role={problem === null ? 'status' : 'alert'}>
        {problem ?? 'Creating a QR code…'}
      </p>
    );
  return (
    <PlainForm busy={busy} onSend={confirm}>
      <Steps uri={setUp.uri} secret={setUp.key} />
      <Field
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={64}
        autoFocus
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={problem ?? undefined}
      />
      <PlainButton kind="primary" type="submit" busy={busy}>
        {busy ? 'Checking…' : 'Turn on'}
      </PlainButton>
    </PlainForm>
  );
}

function Steps({ uri, secret }: { readonly uri: string; readonly secret: string }) {
  return (
    <ol className={classes.steps}>
      <li>Install an authenticator app on your phone, if you don’t have one.</li>
      <li>
        Scan this code with the app.
        <QrCode text={uri} label="QR code for your authenticator app" />
        <span className={classes.key}>
          On this phone? <a href={uri}>Open in your app</a>
        </span>
        <span className={classes.key}>
          No camera? Enter this key: <code>{secret}</code>
        </span>
        <CopyKey secret={secret} />
      </li>
      <li>Enter the 6-digit code that the app shows.</li>
    </ol>
  );
}

function CopyKey({ secret }: { readonly secret: string }) {
  const [said, setSaid] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setSaid('Key copied'),
      // Browsers block the clipboard on pages loaded over plain http.
      () => setSaid('The browser blocked copying. Select the key and copy it'),
    );
  return (
    <span className={classes.copy}>
      <PlainButton kind="link" onClick={() => void copy()}>
        Copy key
      </PlainButton>
      <span role="status">{said}</span>
    </span>
  );
}
