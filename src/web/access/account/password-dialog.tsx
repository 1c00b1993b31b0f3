import { PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { passwordRefusal, shortestPassword } from '#core/access/passwords.ts';
import { changePassword } from '#web/api/account.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
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
  const form = useForm({
    initial: { password: '' },
    // The server knows the names as well, and checks them.
    rule: ({ password }) => passwordRefusal(password, { email: viewer.email, firstName: viewer.name, lastName: '' }),
    mutation: useMutation({
      mutationFn: changePassword,
      meta: { quiet: true },
      onSettled: () => void client.invalidateQueries({ queryKey: ['account'] }),
    }),
    variables: ({ password }) => password,
    onSent: () => {
      showToast({ message: 'Password changed. Your other sessions were signed out' });
      onChanged();
    },
  });
  return (
    <Dialog opened title="Change password" onClose={onClose}>
      <Form form={form} submit="Change password" disabled={form.values.password === ''}>
        <input type="hidden" name="username" autoComplete="username" value={viewer.email} />
        <PasswordInput
          label="New password"
          description={`At least ${shortestPassword} characters. Several words work well`}
          autoComplete="new-password"
          data-autofocus
          {...form.field('password')}
        />
        <p className={classes.quiet}>Your other sessions are signed out.</p>
      </Form>
    </Dialog>
  );
}
