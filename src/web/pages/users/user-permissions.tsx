import { Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { isAccountOfAdmin, permissionSources } from '#core/accounts.ts';
import { type Permission, permissionGroups, permissionKeys, permissions } from '#core/permissions.ts';
import { showError } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './user-panel.module.css';
import { useUpdateUser } from './users-calls.ts';
import { type UserDetail, userQuery } from './users-queries.ts';

/** Everything that can be permitted, what of it this person holds, and where it comes from. Direct ones are given and taken here. */
export function UserPermissions({ detail }: { detail: UserDetail }) {
  const client = useQueryClient();
  const update = useUpdateUser();
  const { user, grants, rolePermissions, version } = detail;
  const held = new Map(
    permissionSources(user.role, rolePermissions, grants).map(({ permission, sources }) => [permission, sources]),
  );
  const isOfAdmin = isAccountOfAdmin(user);
  const change = (permission: Permission, on: boolean) => {
    const next = on ? [...grants, permission] : grants.filter((grant) => grant !== permission);
    update.mutate(
      { userId: user.id, version, permissions: next },
      {
        onError: (error) => showError(error.message, error.requestId),
        onSettled: () => void client.invalidateQueries(userQuery(user.id)),
      },
    );
  };
  return (
    <>
      <p className={classes.sentence}>
        {isOfAdmin
          ? 'An admin holds every permission.'
          : `${held.size} of ${permissionKeys.length} permissions, from ${user.role === null ? 'no role' : `the role ${user.role}`} and what is given directly. Tick one to give it to this person besides the role.`}
      </p>
      {user.role === null && (
        <p className={classes.sentence}>Without a role nothing of this counts: give a role first.</p>
      )}
      {permissionGroups.map((group) => (
        <section key={group} className={classes.group}>
          <h3>{group}</h3>
          {permissionKeys
            .filter((permission) => permissions[permission].group === group)
            .map((permission) => {
              const sources = held.get(permission) ?? [];
              return (
                <div key={permission} className={classes.permission}>
                  <Writes>
                    <Checkbox
                      label={permissions[permission].title}
                      description={permissions[permission].meaning}
                      checked={sources.length > 0}
                      disabled={
                        update.isPending || isOfAdmin || (sources.includes('role') && !sources.includes('direct'))
                      }
                      onChange={(event) => change(permission, event.currentTarget.checked)}
                    />
                  </Writes>
                  <span className={classes.from}>
                    {sources.map((source) => sourceWords(source, user.role)).join(', ')}
                  </span>
                </div>
              );
            })}
        </section>
      ))}
    </>
  );
}

function sourceWords(source: 'admin' | 'role' | 'direct', role: string | null): string {
  if (source === 'admin') return 'as an admin';
  return source === 'role' ? `role ${role}` : 'given directly';
}
