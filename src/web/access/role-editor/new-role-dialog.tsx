import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { applicationPermission } from '#core/access/permissions.ts';
import { canGive, newRoleRefusal, noGroups, roleLimits } from '#core/access/role-changes.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import classes from './new-role-dialog.module.css';
import { createRole, type ListedRole, rolesKey } from './role-queries.ts';

type Props = {
  readonly roles: readonly ListedRole[];
  readonly copyOf: ListedRole | null;
  readonly onClose: () => void;
};

/** A role that nobody has yet, empty but for the application, or a copy of another. */
export function NewRoleDialog(props: Props) {
  return (
    <Dialog opened title={props.copyOf ? `Duplicate ${props.copyOf.name}` : 'New role'} onClose={props.onClose}>
      <NewRoleForm {...props} />
    </Dialog>
  );
}

const nothing = '';

function useNewRole({ roles, copyOf, onClose }: Props) {
  const viewer = useViewer();
  const client = useQueryClient();
  const [name, setName] = useState(copyOf ? `${copyOf.name} copy`.slice(0, roleLimits.name) : '');
  const [from, setFrom] = useState<string | null>(copyOf?.id ?? nothing);
  const [refused, setRefused] = useState<{ message: string; field?: string | undefined } | null>(null);
  const create = useMutation({
    mutationFn: createRole,
    meta: { what: 'Making the role', quiet: true },
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: rolesKey });
      showToast({ message: `The role “${made.name}” is made. Nobody has it yet` });
      onClose();
    },
    onError: (error) => setRefused(asApiError(error)),
  });
  const original = roles.find(({ id }) => id === from);
  const permissions = original?.permissions ?? (canGive(viewer, applicationPermission) ? [applicationPermission] : []);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const role = { name: name.trim(), permissions };
    const refusal = newRoleRefusal(
      viewer,
      roles.map((other) => other.name),
      role,
      noGroups,
    );
    setRefused(refusal);
    if (!refusal && !create.isPending) create.mutate(role);
  };
  const rename = (next: string) => {
    setName(next);
    setRefused(null);
  };
  return { name, rename, from, setFrom, refused, send, busy: create.isPending };
}

function NewRoleForm(props: Props) {
  const { name, rename, from, setFrom, refused, send, busy } = useNewRole(props);
  return (
    <form onSubmit={send} noValidate className={classes.form}>
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={roleLimits.name}
        value={name}
        error={refused?.field === 'name' ? refused.message : null}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <SearchSelect
        label="Begin with"
        data={[
          { value: nothing, label: 'The dashboard only' },
          ...props.roles.map((role) => ({ value: role.id, label: `What ${role.name} permits` })),
        ]}
        value={from}
        onChange={setFrom}
        allowDeselect={false}
      />
      {refused && refused.field !== 'name' && (
        <p role="alert" className={classes.failure}>
          {refused.message}
        </p>
      )}
      <DialogActions>
        <Button size="sm" variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button size="sm" type="submit" loading={busy}>
          Make the role
        </Button>
      </DialogActions>
    </form>
  );
}
