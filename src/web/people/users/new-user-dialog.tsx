import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { givingRefusal } from '#core/access/holdings.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { createUserInput } from '#core/people/accounts.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { doublePressMs } from '#web/ui/timing.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { AskForRole } from './ask-for-role.tsx';
import { SignInLinkView } from './sign-in-link.tsx';
import { emptyValues, UserFields, userFieldNames } from './user-fields.tsx';
import { useCreateUser, useMakeLink } from './users-calls.ts';
import { rolesQuery, type User, type UserValues } from './users-queries.ts';

type Props = { readonly opened: boolean; readonly users: readonly User[]; readonly onClose: () => void };

/** Creates a person, then their invitation. */
export function NewUserDialog({ opened, users, onClose }: Props) {
  const [made, setMade] = useState<User | null>(null);
  const close = () => {
    onClose();
    setMade(null);
  };
  return (
    <Dialog opened={opened} title={made ? `Invite ${made.displayName}` : 'New person'} onClose={close} width={520}>
      {made ? (
        <Invitation user={made} onDone={close} />
      ) : (
        <NewUserForm users={users} onMade={setMade} onClose={close} />
      )}
    </Dialog>
  );
}

type FormProps = {
  readonly users: readonly User[];
  readonly onMade: (user: User) => void;
  readonly onClose: () => void;
};

function NewUserForm({ users, onMade, onClose }: FormProps) {
  const refusal = givingRefusal(useViewer(), [topFivePermission]);
  const draft = useDraft<UserValues>('new-person', { ...emptyValues, top5: refusal === null });
  const { data: roles = [] } = useQuery(rolesQuery);
  const form = useForm({
    initial: draft.value,
    input: ({ reason, ...values }) => ({
      ...values,
      top5: refusal === null && values.top5,
      approverId: [...values.approverId],
      ...(reason ? { reason } : {}),
    }),
    schema: createUserInput,
    names: userFieldNames,
    mutation: useCreateUser(),
    onSent: (user) => {
      draft.discard();
      showToast({ message: `${user.displayName} has an account` });
      onMade(user);
    },
    keep: draft.change,
  });
  const discard = () => {
    draft.discard();
    onClose();
  };
  return (
    <Form form={form} submit="Create and invite" cancel="Discard" onCancel={discard}>
      <UserFields form={form} users={users} roles={roles} tasksFixed={refusal?.message ?? null} autoFocus />
    </Form>
  );
}

/** Sends the invitation, or shows its link, as soon as the person exists. */
function Invitation({ user, onDone }: { user: User; onDone: () => void }) {
  const link = useMakeLink(user.id);
  const shownAt = useRef(performance.now());
  useEffect(() => link.mutate(), [link.mutate]);
  // The second click of a double-click on "Create and invite" lands here, and would close what is shown only
  // once.
  const end = useRef<HTMLButtonElement>(null);
  // A button that is still disabled can't be focused.
  const isEnded = link.isSuccess || link.isError;
  useEffect(() => {
    if (isEnded) end.current?.focus();
  }, [isEnded]);
  const done = () => performance.now() - shownAt.current > doublePressMs && onDone();
  return (
    <>
      <p>
        {user.displayName} has an account now. {invitationWords(link.status)}
      </p>
      <SignInLinkView link={link.data} />
      <AskForRole user={user} />
      <DialogActions primary="Done" primaryRef={end} disabled={!isEnded} onPrimary={done} cancel={null}>
        {link.isError && (
          <Button size="sm" variant="default" loading={link.isPending} onClick={() => link.mutate()}>
            Invite again
          </Button>
        )}
      </DialogActions>
    </>
  );
}

function invitationWords(status: 'idle' | 'pending' | 'success' | 'error'): string {
  if (status === 'success') return 'They have 7 days to set a password with the one-time link.';
  if (status === 'error') return 'The invitation couldn’t be created. Invite again, or create it later under Sign-in.';
  return 'Creating the invitation…';
}
