import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { oneWayWarning } from '#core/access/holdings.ts';
import {
  addedPermissions,
  knownPermissions,
  noGroups,
  type Role,
  renameRefusal,
  roleLimits,
} from '#core/access/role-changes.ts';
import { activeCount } from '#core/base/formats.ts';
import { asApiError } from '#web/api/api-error.ts';
import { config } from '#web/api/config.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Age } from '#web/ui/age.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { showError, showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { PermissionList } from '../shared/permission-list.tsx';
import { ViewAsButton } from '../shared/view-as-button.tsx';
import { type Pending, wantedName, withName, withState } from './pending-roles.ts';
import classes from './role-panel.module.css';
import { deleteRole, historyQuery, holdersQuery, type ListedRole, type RoleEvent, rolesKey } from './role-queries.ts';

type State = Pick<Role, 'name' | 'permissions'>;
type RoleHistoryProps = { readonly role: ListedRole; readonly onBring: (state: State) => void };

/** The role's changes, newest first, each with a way to restore that state. */
function RoleHistory({ role, onBring }: RoleHistoryProps) {
  const history = useQuery(historyQuery(role.id));
  return (
    <section className={classes.section}>
      <h3>History</h3>
      {history.isError && !history.data ? (
        <PanelError sentence="Couldn’t load the history." onRetry={() => void history.refetch()} />
      ) : (
        <Loading loading={!history.data} skeleton={<SkeletonRows rows={3} />}>
          {history.data?.length === 0 && <p className={classes.quiet}>No changes yet.</p>}
          <ol className={classes.events}>
            {history.data?.map((event, index) => (
              <Event key={event.id} event={event} isNow={index === 0} onBring={onBring} />
            ))}
          </ol>
        </Loading>
      )}
    </section>
  );
}

const stateOf = ({ name, permissions }: { name: string; permissions: readonly string[] }): State => ({
  name,
  permissions: knownPermissions(permissions),
});

function Event({ event, isNow, onBring }: { event: RoleEvent; isNow: boolean; onBring: RoleHistoryProps['onBring'] }) {
  const after = stateOf(event.after);
  const before = event.before && stateOf(event.before);
  return (
    <li>
      <p>
        <strong>{event.actorName ?? 'Someone'}</strong> {before ? 'changed the role' : 'created the role'}{' '}
        <span className={classes.quiet}>
          <Age instant={event.at} zone={config().companyTimeZone} ago />
        </span>
      </p>
      {before && before.name !== after.name && (
        <p className={classes.quiet}>
          {before.name} → {after.name}
        </p>
      )}
      <PermissionList
        sign="+"
        words="Added"
        permissions={addedPermissions(before?.permissions ?? [], after.permissions)}
      />
      <PermissionList
        sign="−"
        words="Removed"
        permissions={addedPermissions(after.permissions, before?.permissions ?? [])}
      />
      {!isNow && (
        <Writes>
          <Button variant="subtle" size="compact-sm" onClick={() => onBring(after)}>
            Restore this version
          </Button>
        </Writes>
      )}
    </li>
  );
}

type Props = {
  readonly role: ListedRole;
  readonly roles: readonly ListedRole[];
  readonly pending: Pending;
  readonly onChange: (pending: Pending) => void;
  readonly onCopy: () => void;
  readonly onClose: () => void;
};

/** One role: its name, its people and its history. */
export function RolePanel({ role, roles, pending, onChange, onCopy, onClose }: Props) {
  const viewer = useViewer();
  const name = wantedName(role, pending);
  const others = roles.filter(({ id }) => id !== role.id).map((other) => wantedName(other, pending));
  return (
    <SidePanel inAddress opened title={role.name} onClose={onClose}>
      <Writes>
        <TextInput
          label="Name"
          description="Saved with your other changes. Nobody loses the role."
          value={name}
          maxLength={roleLimits.name}
          error={name === role.name ? null : renameRefusal(viewer, role, name, others, noGroups)?.message}
          onChange={(event) => onChange(withName(pending, role, event.currentTarget.value))}
        />
      </Writes>
      <div className={classes.actions}>
        <Writes>
          <Button variant="default" onClick={onCopy}>
            Duplicate
          </Button>
        </Writes>
        <ViewAsButton as={{ role: role.name }} label="View as this role" />
        <DeleteButton role={role} onDeleted={onClose} />
      </div>
      <Holders role={role} />
      <RoleHistory
        role={role}
        onBring={(state) => {
          onChange(withState(pending, role, state));
          onClose();
          showToast({ message: 'Earlier version loaded. Review and save it' });
        }}
      />
    </SidePanel>
  );
}

function DeleteButton({ role, onDeleted }: { role: ListedRole; onDeleted: () => void }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const oneWay = oneWayWarning(useViewer(), role.permissions);
  const used = role.people + role.disabledPeople > 0;
  const remove = useMutation({
    mutationFn: deleteRole,
    meta: { what: 'Deleting the role', quiet: true },
    onSuccess: () => {
      showToast({ message: `Role “${role.name}” deleted` });
      onDeleted();
    },
    onError: (error) => showError(asApiError(error).message),
    onSettled: () => {
      setAsking(false);
      void client.invalidateQueries({ queryKey: rolesKey });
    },
  });
  return (
    <>
      <Writes>
        <Button variant="default" color="danger" disabled={used} onClick={() => setAsking(true)}>
          Delete
        </Button>
      </Writes>
      {used && <p className={classes.why}>Can’t be deleted while someone has it.</p>}
      <ConfirmDialog
        opened={asking}
        title={`Delete role “${role.name}”?`}
        confirm="Delete role"
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ id: role.id, version: role.version })}
        onClose={() => setAsking(false)}
      >
        <p>
          Nobody has it. Its requirements in Role Qualifications are deleted too.{' '}
          {oneWay ? `${oneWay}.` : 'You can’t undo this.'}
        </p>
      </ConfirmDialog>
    </>
  );
}

function Holders({ role }: { role: ListedRole }) {
  const holders = useQuery(holdersQuery(role.id));
  return (
    <section className={classes.section}>
      <h3>
        People with this role <span className={classes.quiet}>{activeCount(role.people, role.disabledPeople)}</span>
      </h3>
      {holders.isError && !holders.data ? (
        <PanelError sentence="Couldn’t load people." onRetry={() => void holders.refetch()} />
      ) : (
        <Loading loading={!holders.data} skeleton={<SkeletonRows rows={3} />}>
          {holders.data?.length === 0 && (
            <p className={classes.quiet}>Nobody yet. Give people roles in User Management.</p>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list needs focus to be scrolled by keys. */}
          <ul className={classes.holders} aria-label="People with this role" tabIndex={0}>
            {holders.data?.map(({ id, displayName, disabled }) => (
              <li key={id}>
                {displayName} {disabled && <span className={classes.quiet}>disabled</span>}
              </li>
            ))}
          </ul>
        </Loading>
      )}
    </section>
  );
}
