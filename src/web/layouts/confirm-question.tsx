import { Button } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { recentProofMinutes } from '#core/account-events.ts';
import { confirmWithPassword } from '#web/api/account.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { leaveToConfirm } from '#web/api/single-sign-on.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { ConfirmFactors } from './confirm-factors.tsx';
import classes from './session-question.module.css';

type Props = { readonly email: string; readonly onClose: (confirmed: boolean) => void };

/** What `ConfirmIdentity` asks. */
export function ConfirmQuestion({ email, onClose }: Props) {
  const [error, setError] = useState<string | null>(null);
  const { singleSignOn } = config();
  return (
    <Dialog opened title="Confirm it’s you" onTop onClose={() => onClose(false)}>
      <p className={classes.sentence}>
        This changes who can get into your account. We’ll ask again after {recentProofMinutes} minutes.
      </p>
      <WithPassword email={email} error={error} onError={setError} onClose={onClose} />
      <ConfirmFactors onConfirmed={() => onClose(true)} onError={setError} />
      {singleSignOn && (
        <Button
          size="sm"
          variant="default"
          fullWidth
          onClick={() => {
            leaveToConfirm(location.pathname + location.search).catch((thrown: unknown) =>
              setError(asApiError(thrown).message),
            );
          }}
        >
          Confirm with {singleSignOn.name}
        </Button>
      )}
    </Dialog>
  );
}

type PasswordProps = Props & { readonly error: string | null; readonly onError: (error: string | null) => void };

function WithPassword({ email, error, onError, onClose }: PasswordProps) {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    onError(null);
    try {
      await confirmWithPassword(password);
      onClose(true);
    } catch (thrown) {
      onError(asApiError(thrown).message);
      setBusy(false);
      input.current?.focus();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={error ?? undefined}
        inputRef={input}
        data-autofocus
      />
      <DialogActions>
        <Button size="sm" variant="default" onClick={() => onClose(false)}>
          Cancel
        </Button>
        <Button size="sm" type="submit" loading={busy} disabled={password === ''}>
          Confirm
        </Button>
      </DialogActions>
    </form>
  );
}
