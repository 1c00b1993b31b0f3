import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { addedPermissions, knownPermissions, type Role } from '#core/access/role-changes.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { PermissionList } from '../shared/permission-list.tsx';
import classes from './role-panel.module.css';
import { historyQuery, type ListedRole, type RoleEvent } from './role-queries.ts';

type State = Pick<Role, 'name' | 'permissions'>;
type Props = { readonly role: ListedRole; readonly onBring: (state: State) => void };

/** The role's changes, newest first, each with a way to restore that state. */
export function RoleHistory({ role, onBring }: Props) {
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

function Event({ event, isNow, onBring }: { event: RoleEvent; isNow: boolean; onBring: Props['onBring'] }) {
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
