import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isAdmin } from '#core/access/access.ts';
import { leftWithoutApproverWords } from '#core/people/approvers.ts';
import { useViewer } from '#web/api/viewer.ts';
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
  const { data, isError } = useQuery(tiesQuery([user.id], opened));
  const disable = useSetDisabled();
  const viewer = useViewer();
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
          <li>
            {sessions === 0
              ? 'Not signed in right now'
              : `${counted(sessions, 'session', 'sessions')} will end right away`}
          </li>
          {data.approves > 0 && (
            <li>
              Approves {counted(data.approves, 'person', 'people').toLowerCase()}. <ReassignLink user={user} />
            </li>
          )}
          <TieRows ties={data} boardOf={isAdmin(viewer) ? user.id : undefined} />
        </ul>
      )}
      <p>
        {removedForGood} If the account is enabled again, {afterEnabling(user)}
      </p>
      <p>
        Everything they did stays.{' '}
        {controlRefusal === null ? 'You can enable the account again.' : `Only an admin can enable the account again.`}
      </p>
    </ConfirmDialog>
  );
}

/** Leads to the people that this person approves, and the choice of another approver. */
export function ReassignLink({ user: { id } }: Pick<Props, 'user'>) {
  return (
    <Link to="/approvermanagement" search={{ view: 'approvers', open: id }} className={classes.link}>
      Reassign their people
    </Link>
  );
}

const removedForGood =
  'This permanently removes their passkeys, company sign-in, calendar feeds, service tokens and one-time links.';

/** Disabling removes every way to sign in but the password and the authenticator app. */
const afterEnabling = ({ displayName, hasPassword }: Pick<User, 'displayName' | 'hasPassword'>): string =>
  hasPassword
    ? `${displayName} can sign in with the same password (and authenticator app, if any), but must set up the rest again.`
    : `${displayName} needs a new invitation to sign in.`;

const counted = (count: number, one: string, many: string): string => (count === 1 ? `One ${one}` : `${count} ${many}`);

type WorkTies = Omit<Ties, 'approves'>;

type TieProps = {
  readonly ties: WorkTies;
  /** The person whose board the viewer can open. */
  readonly boardOf?: string | undefined;
};

function TieRows({ ties: { openTasks, toDecide, onlyApprover, meetings, tools = [] }, boardOf }: TieProps) {
  return (
    <>
      {openTasks > 0 && (
        <li>
          {counted(openTasks, 'task', 'tasks')} not signed off, in this sprint or the next
          {boardOf !== undefined && (
            <>
              .{' '}
              <Link to="/top-5/tasks" search={{ person: boardOf }} className={classes.link}>
                Open their board
              </Link>
            </>
          )}
        </li>
      )}
      {toDecide > 0 && <li>{counted(toDecide, 'task is waiting', 'tasks are waiting')} for their decision</li>}
      {onlyApprover.length > 0 && <li>{leftWithoutApproverWords(onlyApprover)}</li>}
      {meetings.length > 0 && <li>Meetings they chair: {meetings.join(', ')}</li>}
      {tools.length > 0 && <li>Tools they own: {tools.join(', ')}</li>}
    </>
  );
}

/** What depends on several accounts, before they are disabled. */
export function DisablingFacts({
  ties,
  isFailed,
}: {
  readonly ties: WorkTies | undefined;
  readonly isFailed: boolean;
}) {
  return (
    <>
      {!ties && (
        <p role="status">
          {isFailed ? 'Couldn’t load what depends on these accounts.' : 'Loading what depends on these accounts…'}
        </p>
      )}
      <ul className={classes.ties}>
        <li>Everyone listed is signed out right away</li>
        {ties && <TieRows ties={ties} />}
      </ul>
      <p>
        {removedForGood} If the accounts are enabled again, people with a password can sign in with it, and the others
        need a new invitation.
      </p>
    </>
  );
}
