import { TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { deviceWords } from '#core/access/devices.ts';
import { longestPasskeyName } from '#core/access/second-factor.ts';
import { config } from '#web/api/config.ts';
import type { Added, Ask } from '#web/api/factor-calls.ts';
import { useMutation } from '#web/api/mutation.ts';
import { makePasskey } from '#web/api/passkeys.ts';
import { askInSession } from '#web/api/session-calls.ts';
import { confirmCodesSaved, markCodesShown, orMarkLost } from '#web/api/unconfirmed-codes.ts';
import { useViewer } from '#web/api/viewer.ts';
import { AuthenticatorSetUp } from '#web/shell/identity/authenticator-set-up.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Form, type FormOf, useForm } from '#web/ui/form.tsx';
import { RecoveryCodes } from '#web/ui/recovery-codes.tsx';
import { useRenamePasskey } from './factor-mutations.ts';
import { FactorNote } from './factor-note.tsx';

type AddProps = { readonly onAdded: (added: Added) => void; readonly onClose: () => void };

export function PasskeyDialog({ onAdded, onClose }: AddProps) {
  const form = useNameForm(deviceWords(navigator.userAgent), {
    mutation: useMutation({
      mutationFn: (name: string) => orMarkLost(makePasskey<Added>(askInSession, name)),
      meta: { quiet: true },
    }),
    onSent: (added) => {
      onClose();
      onAdded(added);
    },
  });
  return (
    <Dialog opened title="Add a passkey" onClose={onClose}>
      <FactorNote act="add" />
      <NameForm
        form={form}
        description="Next, your browser asks for your fingerprint, face, PIN or security key."
        verb="Add passkey"
      />
    </Dialog>
  );
}

type RenameProps = { readonly passkey: { readonly id: string; readonly name: string }; readonly onClose: () => void };

export function RenameDialog({ passkey, onClose }: RenameProps) {
  const form = useNameForm(passkey.name, { mutation: useRenamePasskey(passkey.id), onSent: onClose });
  return (
    <Dialog opened title="Rename passkey" onClose={onClose}>
      <NameForm form={form} verb="Rename passkey" />
    </Dialog>
  );
}

type Sending<Answer> = {
  readonly mutation: { readonly isPending: boolean; readonly mutateAsync: (name: string) => Promise<Answer> };
  readonly onSent: (answer: Answer) => void;
};

const useNameForm = <Answer,>(name: string, sending: Sending<Answer>) =>
  useForm({ initial: { name }, variables: (typed) => typed.name.trim(), ...sending });

type NameProps = {
  readonly form: FormOf<{ name: string }>;
  readonly description?: string;
  readonly verb: string;
};

function NameForm({ form, description, verb }: NameProps) {
  return (
    <Form form={form} submit={verb} disabled={form.values.name.trim() === ''}>
      <TextInput
        label="Name"
        description={description}
        maxLength={longestPasskeyName}
        data-autofocus
        {...form.field('name')}
      />
    </Form>
  );
}

/** Only the call with the code brings recovery codes. */
const askForApp: Ask = (path, body) => (body ? orMarkLost(askInSession(path, body)) : askInSession(path));

export function AuthenticatorDialog({ onAdded, onClose }: AddProps) {
  return (
    <Dialog opened title="Set up an authenticator app" onClose={onClose}>
      <FactorNote act="add" />
      <AuthenticatorSetUp
        ask={askForApp}
        onAdded={(added) => {
          onClose();
          onAdded(added);
        }}
      />
    </Dialog>
  );
}

/** Only its button closes it: the codes aren't shown again. */
export function CodesDialog({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const { email } = useViewer();
  useEffect(() => markCodesShown(), []);
  const saved = () => {
    confirmCodesSaved();
    onClose();
  };
  return (
    <Dialog opened title="Save your recovery codes" closable={false} onClose={onClose}>
      <p>Each code signs you in once if you lose your phone or passkey. We won’t show them again.</p>
      <RecoveryCodes codes={codes} appName={config().appName} email={email} />
      <DialogActions primary="I saved them" onPrimary={saved} cancel={null} />
    </Dialog>
  );
}
