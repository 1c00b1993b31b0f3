import { Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { can } from '#core/access/access.ts';
import { givingRefusal, oneWayWarning, ownAccessRefusal } from '#core/access/holdings.ts';
import { type PermissionSource, permissionSources } from '#core/access/permission-sources.ts';
import { type Permission, permissionGroups, permissionKeys, permissions } from '#core/access/permissions.ts';
import { isAccountOfAdmin } from '#core/people/accounts.ts';
import type { ApiError } from '#web/api/api-error.ts';
import { useViewer } from '#web/api/viewer.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { showFailure } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './user-panel.module.css';
import { useUpdateUser } from './users-calls.ts';
import { type UserDetail, userQuery } from './users-queries.ts';

const givingHint = 'You can give permissions that you have. Ask an admin for others.';

type Ticks = ReadonlyMap<string, boolean>;

const withTicks = (grants: readonly string[], ticks: Ticks): string[] => [
  ...new Set([
    ...grants.filter((grant) => ticks.get(grant) !== false),
    ...[...ticks.keys()].filter((key) => ticks.get(key)),
  ]),
];

/** The direct grants with the ticks that aren't saved yet: these wait for the answer before, and its version. */
function useGrants(detail: UserDetail) {
  const client = useQueryClient();
  const update = useUpdateUser();
  const { id: userId } = detail.user;
  const [ticks, setTicks] = useState<Ticks>(new Map());
  const latest = useRef(ticks);
  const isSaving = useRef(false);
  const become = (next: Ticks) => {
    latest.current = next;
    setTicks(next);
  };
  const save = async () => {
    let known = detail;
    while (latest.current.size > 0) {
      const sent = latest.current;
      const permissions = withTicks(known.grants, sent);
      await update.mutateAsync({ userId, version: known.version, permissions });
      known = await client.fetchQuery(userQuery(userId));
      become(new Map([...latest.current].filter(([key, on]) => sent.get(key) !== on)));
    }
  };
  const change = (permission: Permission, on: boolean) => {
    become(new Map(latest.current).set(permission, on));
    if (isSaving.current) return;
    isSaving.current = true;
    save()
      .catch((error: ApiError) => {
        become(new Map());
        showFailure(error);
        void client.invalidateQueries(userQuery(userId));
      })
      .finally(() => {
        isSaving.current = false;
      });
  };
  return { grants: withTicks(detail.grants, ticks), change };
}

/** All permissions, which of them this person has, and from where. Direct grants can be edited here. */
export function UserPermissions({ detail }: { detail: UserDetail }) {
  const { user, rolePermissions } = detail;
  const { grants, change } = useGrants(detail);
  const held = new Map(
    permissionSources(user.role, rolePermissions, grants).map(({ permission, sources }) => [permission, sources]),
  );
  const viewer = useViewer();
  const isOfAdmin = isAccountOfAdmin(user);
  const own = ownAccessRefusal(viewer, user.id);
  const lacking = isOfAdmin ? null : (own ?? givingRefusal(viewer, permissionKeys));
  const [asked, setAsked] = useState<Permission | null>(null);
  return (
    <>
      <p className={classes.sentence}>
        {isOfAdmin
          ? 'Admins have every permission.'
          : `${held.size} of ${permissionKeys.length} permissions, ${user.role === null ? 'granted directly' : `from the role ${user.role} and direct grants`}. Check one to grant it directly.`}
      </p>
      {lacking && <p className={classes.sentence}>{own ? `${own.message}.` : givingHint}</p>}
      {user.role === null && (
        <p className={classes.sentence}>Permissions only work with a role. Give this person a role first.</p>
      )}
      {permissionGroups.map((group) => (
        <section key={group} className={classes.group}>
          <h3>{group}</h3>
          {permissionKeys
            .filter((permission) => permissions[permission].group === group)
            .map((permission) => {
              const sources = held.get(permission) ?? [];
              return (
                <PermissionBox
                  key={permission}
                  permission={permission}
                  sources={sources}
                  role={user.role}
                  isFixed={isOfAdmin || own !== null}
                  isLacking={!can(viewer, permission)}
                  onChange={(on) => (on || can(viewer, permission) ? change(permission, on) : setAsked(permission))}
                />
              );
            })}
        </section>
      ))}
      <TakeAway permission={asked} name={user.displayName} onTake={change} onClose={() => setAsked(null)} />
    </>
  );
}

type TakeAwayProps = {
  /** Null when no question is open. */
  readonly permission: Permission | null;
  readonly name: string;
  readonly onTake: (permission: Permission, on: false) => void;
  readonly onClose: () => void;
};

/** Asks before the viewer removes a permission they couldn't give back. */
function TakeAway({ permission, name, onTake, onClose }: TakeAwayProps) {
  const viewer = useViewer();
  if (permission === null) return null;
  return (
    <ConfirmDialog
      opened
      title={`Remove “${permissions[permission].title}” from ${name}?`}
      confirm="Remove"
      danger
      onClose={onClose}
      onConfirm={() => {
        onTake(permission, false);
        onClose();
      }}
    >
      <p>{oneWayWarning(viewer, [permission])}.</p>
    </ConfirmDialog>
  );
}

type BoxProps = {
  readonly permission: Permission;
  readonly sources: readonly PermissionSource[];
  readonly role: string | null;
  readonly isFixed: boolean;
  /** The viewer doesn't have it, so they can remove it but not give it. */
  readonly isLacking: boolean;
  readonly onChange: (on: boolean) => void;
};

function PermissionBox({ permission, sources, role, isFixed, isLacking, onChange }: BoxProps) {
  const { title, meaning } = permissions[permission];
  const isLocked = sources.length === 0 && isLacking;
  const isOfRoleOnly = sources.includes('role') && !sources.includes('direct');
  return (
    <div className={classes.permission}>
      <Writes>
        <Checkbox
          label={title}
          description={meaning}
          checked={sources.length > 0}
          disabled={isFixed || isLocked || isOfRoleOnly}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      </Writes>
      <span className={classes.from}>
        {isLocked && !isFixed ? 'You don’t have this' : sources.map((source) => sourceWords(source, role)).join(', ')}
      </span>
    </div>
  );
}

function sourceWords(source: PermissionSource, role: string | null): string {
  if (source === 'admin') return 'as an admin';
  return source === 'role' ? `role ${role}` : 'granted directly';
}
