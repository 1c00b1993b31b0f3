import { Button, PasswordInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Viewer } from '#core/access/access.ts';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { passwordRefusal, shortestPassword } from '#core/access/passwords.ts';
import { provesNewPassword } from '#core/access/second-factor.ts';
import { changePassword } from '#web/api/account.ts';
import { isUnanswered } from '#web/api/api-error.ts';
import { offersPasskeys } from '#web/api/factor-calls.ts';
import { useMutation } from '#web/api/mutation.ts';
import { secondFactorsQuery } from '#web/api/second-factors.ts';
import { expectPassword } from '#web/api/signed-in-again.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import classes from './account-page.module.css';

const endsWords = (viewer: Viewer): string =>
  callRefusal(viewer, callAccess.people) === null
    ? 'Your other sessions will be signed out, and one-time links you saw for other people stop working.'
    : 'Your other sessions will be signed out.';

function usePasswordChange(onChanged: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: changePassword,
    meta: { quiet: true },
    // If the session still works, it wasn't changed: a change replaces this session's token.
    onError: (error, { password }) => expectPassword(isUnanswered(error) ? { password, onChanged } : null),
    onSettled: () => void client.invalidateQueries({ queryKey: ['account'] }),
  });
}

type Props = {
  readonly onClose: () => void;
  /** Replaces closing after the password was changed. */
  readonly onChanged?: () => void;
};

/** A new password. The call itself proves who asks, with the current password or a passkey. */
export function PasswordDialog({ onClose, onChanged = onClose }: Props) {
  const viewer = useViewer();
  const { data: factors } = useQuery(secondFactorsQuery);
  const [withPasskey, setWithPasskey] = useState(false);
  const now = Temporal.Now.instant();
  const hasPasskey =
    factors?.passkeys.some(({ createdAt }) => provesNewPassword(createdAt, now)) === true && offersPasskeys();
  const finish = () => {
    expectPassword(null);
    showToast({ message: 'Password changed. Your other sessions were signed out' });
    onChanged();
  };
  const form = useForm({
    initial: { current: '', password: '' },
    // The server also checks the names.
    rule: ({ password, current }) =>
      passwordRefusal(
        password,
        { email: viewer.email, firstName: viewer.name, lastName: '' },
        withPasskey ? undefined : current,
      ),
    mutation: usePasswordChange(finish),
    variables: ({ current, password }) => ({ password, current: withPasskey ? null : current }),
    onSent: finish,
  });
  return (
    <Dialog opened title="Change password" onClose={onClose}>
      <Form
        form={form}
        submit="Change password"
        disabled={form.values.password === '' || (!withPasskey && form.values.current === '')}
      >
        <input type="hidden" name="username" autoComplete="username" value={viewer.email} />
        {!withPasskey && (
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            data-autofocus
            {...form.field('current')}
          />
        )}
        {hasPasskey && (
          <Button size="sm" variant="default" onClick={() => setWithPasskey(!withPasskey)}>
            {withPasskey ? 'Use your current password' : 'Use a passkey instead'}
          </Button>
        )}
        <PasswordInput
          label="New password"
          description={`At least ${shortestPassword} characters. Several words work well`}
          autoComplete="new-password"
          {...form.field('password')}
        />
        <p className={classes.quiet}>{endsWords(viewer)}</p>
      </Form>
    </Dialog>
  );
}
