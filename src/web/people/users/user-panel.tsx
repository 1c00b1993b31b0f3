import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ViewAsButton } from '#web/access/shared/view-as-button.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { UserAccount } from './user-account.tsx';
import { UserForm } from './user-form.tsx';
import classes from './user-panel.module.css';
import { UserPermissions } from './user-permissions.tsx';
import { type User, type UserDetail, userQuery } from './users-queries.ts';

type Props = {
  readonly userId: string | null;
  readonly users: readonly User[];
  readonly onClose: () => void;
};

/** One person next to the list: settings, permissions, and ways to sign in. */
export function UserPanel({ userId, users, onClose }: Props) {
  const name = users.find(({ id }) => id === userId)?.displayName;
  return (
    <SidePanel opened={userId !== null} title={name ?? 'Person'} onClose={onClose}>
      {userId !== null && <Content key={userId} userId={userId} users={users} onClose={onClose} />}
    </SidePanel>
  );
}

function Content({ userId, users, onClose }: Props & { userId: string }) {
  const { data, error, refetch } = useQuery(userQuery(userId));
  if (error && !data)
    return error.code === 'NOT_FOUND' ? (
      <div className={classes.gone}>
        <p>Person not found.</p>
        <Button variant="default" onClick={onClose}>
          Back to the list
        </Button>
      </div>
    ) : (
      <PanelError sentence="Couldn’t load this person." onRetry={() => void refetch()} requestId={error.requestId} />
    );
  return (
    <Loading loading={!data} skeleton={<SkeletonRows rows={8} />}>
      {data && <Parts detail={data} users={users} />}
    </Loading>
  );
}

function Parts({ detail, users }: { detail: UserDetail; users: readonly User[] }) {
  return (
    <Tabs defaultValue="person" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="person">Person</Tabs.Tab>
        <Tabs.Tab value="permissions">Permissions</Tabs.Tab>
        <Tabs.Tab value="account">Sign-in</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="person" className={classes.part ?? ''}>
        <UserForm detail={detail} users={users} />
      </Tabs.Panel>
      <Tabs.Panel value="permissions" className={classes.part ?? ''}>
        <ViewAsButton as={{ personId: detail.user.id }} label="View as this person" />
        <UserPermissions detail={detail} />
      </Tabs.Panel>
      <Tabs.Panel value="account" className={classes.part ?? ''}>
        <UserAccount detail={detail} />
      </Tabs.Panel>
    </Tabs>
  );
}
