import { Button } from '@mantine/core';
import { isAdmin } from '#core/access/access.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Writes } from '#web/ui/writes.tsx';
import classes from './user-fields.module.css';
import { useAskForRole } from './users-calls.ts';
import type { User } from './users-queries.ts';

/** What an account without a role opens, and how someone gets it a role who can't give one. */
export function AskForRole({ user }: { readonly user: User }) {
  const viewer = useViewer();
  const ask = useAskForRole(user.id);
  if (user.role !== null) return null;
  const name = user.firstName || user.displayName;
  if (isAdmin(viewer)) return <p className={classes.warning}>{name} can’t open anything until you give them a role.</p>;
  return (
    <div className={classes.ask}>
      <p className={classes.warning}>{name} can’t open anything until an admin gives them a role.</p>
      {ask.isSuccess ? (
        <p role="status">The admins were notified.</p>
      ) : (
        <Writes>
          <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
            Ask an admin for a role
          </Button>
        </Writes>
      )}
    </div>
  );
}
