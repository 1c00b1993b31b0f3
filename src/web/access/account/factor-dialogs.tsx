import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { deviceWords } from '#core/access/devices.ts';
import { longestPasskeyName } from '#core/access/second-factor.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import type { Added } from '#web/api/factor-calls.ts';
import { makePasskey } from '#web/api/passkeys.ts';
import { askInSession } from '#web/api/session-calls.ts';
import { confirmCodesSaved, markCodesShown } from '#web/api/unconfirmed-codes.ts';
import { useViewer } from '#web/api/viewer.ts';
import { AuthenticatorSetUp } from '#web/shell/identity/authenticator-set-up.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { RecoveryCodes } from '#web/ui/recovery-codes.tsx';
import { useRenamePasskey } from './factor-mutations.ts';
import { FactorNote } from './factor-note.tsx';

type AddProps = { readonly onAdded: (added: Added) => void; readonly onClose: () => void };

export function PasskeyDialog({ onAdded, onClose }: AddProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const add = async (name: string) => {
    setBusy(true);
    setProblem(null);
    try {
      const added = await makePasskey<Added>(askInSession, name);
      onClose();
      onAdded(added);
    } catch (error) {
      setProblem(asApiError(error).message);
      setBusy(false);
    }
  };
  return (
    <Dialog opened title="Add a passkey" onClose={onClose}>
      <FactorNote act="add" />
      <NameForm
        initial={deviceWords(navigator.userAgent)}
        description="Your browser asks for your fingerprint, face, PIN or security key next."
        verb="Add passkey"
        busy={busy}
        problem={problem}
        onName={(name) => void add(name)}
        onClose={onClose}
      />
    </Dialog>
  );
}

type RenameProps = { readonly passkey: { readonly id: string; readonly name: string }; readonly onClose: () => void };

export function RenameDialog({ passkey, onClose }: RenameProps) {
  const rename = useRenamePasskey();
  return (
    <Dialog opened title="Rename passkey" onClose={onClose}>
      <NameForm
        initial={passkey.name}
        verb="Rename passkey"
        busy={rename.isPending}
        problem={null}
        onName={(name) => rename.mutate({ id: passkey.id, name }, { onSuccess: onClose })}
        onClose={onClose}
      />
    </Dialog>
  );
}

type NameProps = {
  readonly initial: string;
  readonly description?: string;
  readonly verb: string;
  readonly busy: boolean;
  readonly problem: string | null;
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
};

function NameForm({ initial, description, verb, busy, problem, onName, onClose }: NameProps) {
  const [name, setName] = useState(initial);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && name.trim() !== '') onName(name.trim());
  };
  return (
    <form onSubmit={send}>
      <TextInput
        label="Name"
        description={description}
        maxLength={longestPasskeyName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problem}
        data-autofocus
      />
      <DialogActions>
        <Button size="sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button size="sm" type="submit" loading={busy} disabled={name.trim() === ''}>
          {verb}
        </Button>
      </DialogActions>
    </form>
  );
}

export function AuthenticatorDialog({ onAdded, onClose }: AddProps) {
  return (
    <Dialog opened title="Set up an authenticator app" onClose={onClose}>
      <FactorNote act="add" />
      <AuthenticatorSetUp
        ask={askInSession}
        onAdded={(added) => {
          onClose();
          onAdded(added);
        }}
      />
    </Dialog>
  );
}

/** Closed by its button only: the codes aren't shown again. */
export function CodesDialog({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const { email } = useViewer();
  useEffect(markCodesShown, []);
  const saved = () => {
    confirmCodesSaved();
    onClose();
  };
  return (
    <Dialog opened title="Save your recovery codes" closable={false} onClose={onClose}>
      <p>Each code signs you in once if you lose your phone or passkey. We won’t show them again.</p>
      <RecoveryCodes codes={codes} appName={config().appName} email={email} />
      <DialogActions>
        <Button size="sm" onClick={saved} data-autofocus>
          I saved them
        </Button>
      </DialogActions>
    </Dialog>
  );
}
