import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { passwordRefusal, shortestPassword } from '#core/access/passwords.ts';
import { changePassword } from '#web/api/account.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import classes from './account-page.module.css';

type Props = {
  readonly onClose: () => void;
  /** Instead of closing, once the password is changed. */
  readonly onChanged?: () => void;
};

/** A new password. Who asks is confirmed by the call itself. */
export function PasswordDialog({ onClose, onChanged = onClose }: Props) {
  const viewer = useViewer();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: changePassword,
    meta: { quiet: true },
    onSuccess: () => {
      showToast({ message: 'Password changed. Your other sessions were signed out' });
      onChanged();
    },
    onError: (error) => setProblem(error.message),
    onSettled: () => void client.invalidateQueries({ queryKey: ['account'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The server knows the names as well, and checks them.
    const refusal = passwordRefusal(password, { email: viewer.email, firstName: viewer.name, lastName: '' });
    setProblem(refusal?.message ?? null);
    if (!refusal) change.mutate(password);
  };
  return (
    <Dialog opened title="Change password" onClose={onClose}>
      <form onSubmit={submit}>
        <input type="hidden" name="username" autoComplete="username" value={viewer.email} />
        <PasswordInput
          label="New password"
          description={`At least ${shortestPassword} characters. Several words work well`}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={problem}
          data-autofocus
        />
        <p className={classes.quiet}>Your other sessions are signed out.</p>
        <DialogActions>
          <Button size="sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" type="submit" loading={change.isPending} disabled={password === ''}>
            Change password
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
