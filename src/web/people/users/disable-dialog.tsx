import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { type Ties, tiesQuery } from './bulk-calls.ts';
import classes from './user-panel.module.css';
import { useSetDisabled } from './users-calls.ts';
import type { User } from './users-queries.ts';

type Props = {
  readonly opened: boolean;
  readonly user: User;
  readonly sessions: number;
  /** Why the viewer couldn't enable the account again, or null. */
  readonly controlRefusal: string | null;
  readonly onClose: () => void;
};

/** Lists what depends on the account before it is disabled. */
export function DisableDialog({ opened, user, sessions, controlRefusal, onClose }: Props) {
  const { data, isError } = useQuery(tiesQuery(user.id, opened));
  const disable = useSetDisabled();
  return (
    <ConfirmDialog
      opened={opened}
      title={`Disable ${user.displayName}?`}
      confirm="Disable account"
      danger
      busy={disable.isPending}
      disabled={!data && !isError}
      onClose={onClose}
      onConfirm={() => disable.mutate({ user, disabled: true }, { onSettled: onClose })}
    >
      {isError && <p>Couldn’t load what depends on this account.</p>}
      {data && (
        <ul className={classes.ties}>
          {tieWords(data, sessions).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p>
        This permanently removes their passkeys, company sign-in, calendar feeds, service tokens and open links. If the
        account is enabled again, {afterEnabling(user)}
      </p>
      <p>
        Everything they did stays.{' '}
        {controlRefusal === null ? 'You can enable the account again.' : `Only an admin can enable the account again.`}
      </p>
    </ConfirmDialog>
  );
}

/** Disabling removes every way to sign in but the password and the authenticator app. */
const afterEnabling = ({ displayName, hasPassword }: Pick<User, 'displayName' | 'hasPassword'>): string =>
  hasPassword
    ? `${displayName} can sign in with the same password (and authenticator app, if any), but must set up the rest again.`
    : `${displayName} needs a new invitation to sign in.`;

const counted = (count: number, one: string, many: string): string => (count === 1 ? `One ${one}` : `${count} ${many}`);

function tieWords({ openTasks, toDecide, approves, onlyApprover, meetings }: Ties, sessions: number): string[] {
  return [
    sessions === 0 ? 'Not signed in right now' : `${counted(sessions, 'session', 'sessions')} will end right away`,
    ...(openTasks > 0 ? [`${counted(openTasks, 'task', 'tasks')} not signed off, in this sprint or the next`] : []),
    ...(toDecide > 0 ? [`${counted(toDecide, 'task waits', 'tasks wait')} for their decision`] : []),
    ...(approves > 0 ? [`Approves ${counted(approves, 'person', 'people').toLowerCase()}`] : []),
    ...(onlyApprover.length > 0
      ? [
          `Left without an approver: ${onlyApprover.slice(0, 10).join(', ')}${onlyApprover.length > 10 ? ` and ${onlyApprover.length - 10} more` : ''}`,
        ]
      : []),
    ...(meetings.length > 0 ? [`Chairs ${meetings.join(', ')}`] : []),
  ];
}
