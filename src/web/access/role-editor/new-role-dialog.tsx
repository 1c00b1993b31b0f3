import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { applicationPermission } from '#core/access/permissions.ts';
import { canGive, newRoleRefusal, noGroups, roleLimits } from '#core/access/role-changes.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { createRole, type ListedRole, rolesKey } from './role-queries.ts';

type Props = {
  readonly roles: readonly ListedRole[];
  readonly copyOf: ListedRole | null;
  readonly onMade: (id: string) => void;
  readonly onClose: () => void;
};

const nothing = '';

/** A new role with only the application permission, or a copy of another. */
export function NewRoleDialog({ roles, copyOf, onMade, onClose }: Props) {
  const viewer = useViewer();
  const client = useQueryClient();
  const form = useForm({
    initial: {
      name: copyOf ? `${copyOf.name} copy`.slice(0, roleLimits.name) : '',
      from: copyOf?.id ?? nothing,
    },
    input: ({ name, from }) => ({
      name: name.trim(),
      permissions:
        roles.find(({ id }) => id === from)?.permissions ??
        (canGive(viewer, applicationPermission) ? [applicationPermission] : []),
    }),
    rule: (role) =>
      newRoleRefusal(
        viewer,
        roles.map((other) => other.name),
        role,
        noGroups,
      ),
    mutation: useMutation({
      mutationFn: createRole,
      meta: { quiet: true },
      onSuccess: () => client.invalidateQueries({ queryKey: rolesKey }),
    }),
    onSent: (made) => {
      showToast({ message: `Role “${made.name}” created. Nobody has it yet` });
      onMade(made.id);
      onClose();
    },
  });
  return (
    <Dialog opened title={copyOf ? `Duplicate ${copyOf.name}` : 'New role'} onClose={onClose}>
      <Form form={form} submit="Create role">
        <TextInput label="Name" required data-autofocus maxLength={roleLimits.name} {...form.field('name')} />
        <SearchSelect
          label="Start from"
          exact
          data={[
            { value: nothing, label: 'Dashboard permission only' },
            ...roles.map((role) => ({ value: role.id, label: `Permissions from ${role.name}` })),
          ]}
          allowDeselect={false}
          {...form.field('from')}
        />
      </Form>
    </Dialog>
  );
}
