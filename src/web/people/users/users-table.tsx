import { Switch, Tooltip } from '@mantine/core';
import { type ComponentProps, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { oneWayWarning } from '#core/access/holdings.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { awayUntilWords } from '#core/people/absences.ts';
import type { UsersSearch } from '#core/people/people-search.ts';
import { useViewer } from '#web/api/viewer.ts';
import { DraftMark } from '#web/shell/draft-mark.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type TopFiveSwitch, useTopFiveSwitch } from './users-calls.ts';
import { type ChangeUsers, isPermitted, stateOf, states, teamTitle } from './users-choice.ts';
import type { User } from './users-queries.ts';
import classes from './users-table.module.css';

const stateTones = { invited: 'warn', disabled: 'bad', noPassword: 'quiet' } as const;

type Props = {
  readonly list: Pick<ComponentProps<typeof DataTable<User>>, 'query' | 'items' | 'more'>;
  readonly choice: UsersSearch;
  readonly onChoice: ChangeUsers;
  readonly openId: string | null;
  readonly onOpen: (id: string) => void;
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
  readonly empty: ReactNode;
};

export function UsersTable({ list, choice, onChoice, openId, onOpen, chosen, onChosen, empty }: Props) {
  const { onSwitch, question } = useAskedTopFive();
  const columns = useMemo(() => columnsOf(onSwitch), [onSwitch]);
  return (
    <>
      <DataTable
        caption="People with an account"
        unit="people"
        {...list}
        failed="Couldn’t load people."
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        openKey={openId}
        order={{ id: choice.sort ?? 'name', desc: choice.desc === '1' }}
        onOrder={({ id, desc }) =>
          onChoice({ sort: id === 'name' ? null : (id as UsersSearch['sort']), desc: desc ? '1' : null })
        }
        selection={{ chosen, onChange: onChosen, nameOf: ({ displayName }) => displayName }}
        choosable="users"
        empty={empty}
      />
      {question}
    </>
  );
}

const outside = () => null;

/** Who it is and where they belong. */
const placeColumns: readonly DataColumn<User>[] = [
  {
    id: 'name',
    title: 'Name',
    sortBy: outside,
    cell: (user) => (
      <span className={classes.person}>
        <Avatar name={user.displayName} />
        <span>
          <span className={classes.name}>{user.displayName}</span>
          <span className={classes.email}>{user.email}</span>
          <DraftMark about="person" id={user.id} />
        </span>
      </span>
    ),
  },
  {
    id: 'role',
    title: 'Role',
    sortBy: outside,
    phone: 'below',
    cell: ({ role }) => role ?? <span className={classes.none}>No role</span>,
  },
  {
    id: 'team',
    title: 'Team',
    sortBy: outside,
    cell: ({ team }) => (team === null ? <span className={classes.none}>–</span> : teamTitle(team)),
  },
];

/** Other admins decide an admin’s tasks. */
function withoutApprovers(user: User): string {
  if (!isPermitted(user)) return '–';
  if (user.byDefault) return 'Default approver';
  return user.top5From === 'admin' ? '–' : 'Nobody';
}

function columnsOf(onSwitch: TopFiveSwitch): readonly DataColumn<User>[] {
  return [
    ...placeColumns,
    {
      id: 'approvers',
      title: 'Approvers',
      cell: (user) =>
        user.approverId.length === 0 ? (
          <span className={classes.none}>{withoutApprovers(user)}</span>
        ) : (
          <span className={classes.approvers}>{user.approverNames.join(', ')}</span>
        ),
    },
    {
      id: 'state',
      title: 'Account',
      sortBy: outside,
      phone: 'change',
      cell: (user) => <AccountState user={user} />,
    },
    {
      id: 'top5',
      title: 'S.T.A.R.T',
      phone: 'value',
      cell: (user) => <TopFive user={user} onSwitch={onSwitch} />,
    },
  ];
}

/** Away instead of active; someone without a password can be away too. */
function AccountState({ user }: { readonly user: User }) {
  const state = stateOf(user);
  const away = user.awayUntil && <span className={classes.away}>{awayUntilWords(user.awayUntil)}</span>;
  if (state === 'active') return away || states.active;
  return (
    <>
      <Pill tone={stateTones[state]}>{states[state]}</Pill> {away}
    </>
  );
}

/** Moves the person between the two lists. Disabled with a reason if the permission comes from elsewhere. */
function TopFive({ user, onSwitch }: { readonly user: User; readonly onSwitch: TopFiveSwitch }) {
  const control = (
    <Writes>
      <Switch
        aria-label={`S.T.A.R.T for ${user.displayName}`}
        checked={isPermitted(user)}
        disabled={user.disabled}
        {...(user.top5Bound === null ? {} : { readOnly: true, 'aria-disabled': true, 'data-bound': true })}
        onChange={(event) => user.top5Bound === null && onSwitch({ user, on: event.currentTarget.checked })}
      />
    </Writes>
  );
  const bound =
    user.top5Bound === null ? (
      control
    ) : (
      <Tooltip label={user.top5Bound} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
        <span className={classes.bound}>{control}</span>
      </Tooltip>
    );
  return (
    <div className={classes.switch}>
      <span className={classes.switchWords} aria-hidden="true">
        S.T.A.R.T
      </span>
      {bound}
    </div>
  );
}

/** The list's switch. Asks first if the viewer couldn't switch it back on. */
function useAskedTopFive() {
  const warning = oneWayWarning(useViewer(), [topFivePermission]);
  const change = useTopFiveSwitch();
  const latest = useRef(change);
  latest.current = change;
  const [asked, setAsked] = useState<User | null>(null);
  const close = () => setAsked(null);
  const onSwitch: TopFiveSwitch = useCallback(
    (wanted) => (warning !== null && !wanted.on ? setAsked(wanted.user) : latest.current(wanted)),
    [warning],
  );
  const question = asked && (
    <ConfirmDialog
      opened
      title={`Remove ${asked.displayName} from S.T.A.R.T?`}
      confirm="Remove from S.T.A.R.T"
      danger
      onClose={close}
      onConfirm={() => {
        change({ user: asked, on: false, isFinal: true });
        close();
      }}
    >
      <p>{asked.displayName} stops using S.T.A.R.T. Their tasks stay.</p>
      <p>{warning}.</p>
    </ConfirmDialog>
  );
  return { onSwitch, question };
}
