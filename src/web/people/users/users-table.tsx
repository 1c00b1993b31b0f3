import { Button, Checkbox, Switch, Tooltip } from '@mantine/core';
import { type Dispatch, memo, type SetStateAction, useCallback, useRef, useState } from 'react';
import { oneWayWarning } from '#core/access/holdings.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import type { UsersSearch } from '#core/people/people-search.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import shared from '#web/ui/data-table.module.css';
import { SortButton, sortWords } from '#web/ui/data-table-parts.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type TopFiveSwitch, useTopFiveSwitch } from './users-calls.ts';
import { type ChangeUsers, isPermitted, pageSize, stateOf, states, teamTitle } from './users-choice.ts';
import type { User } from './users-queries.ts';
import classes from './users-table.module.css';

const stateTones = { invited: 'warn', disabled: 'bad', noPassword: 'quiet' } as const;

type Props = {
  /** In their order, all that were found. */
  readonly users: readonly User[];
  readonly nameOf: (id: string) => string;
  readonly choice: UsersSearch;
  readonly onChoice: ChangeUsers;
  readonly openId: string | null;
  readonly onOpen: (id: string) => void;
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: Dispatch<SetStateAction<ReadonlySet<string>>>;
};

const columns = [
  { id: 'name', title: 'Name' },
  { id: 'role', title: 'Role' },
  { id: 'team', title: 'Team' },
  { id: null, title: 'Approvers' },
  { id: 'state', title: 'Account' },
  { id: null, title: 'Top 5' },
] as const;

/** Drawn anew only for other rows: whoever types into the search does not wait for fifty of them. */
export const UsersTable = memo(function UsersTable(props: Props) {
  const { users, nameOf, choice, onChoice, openId, onOpen, chosen, onChosen } = props;
  const { onSwitch, question } = useAskedTopFive();
  // A filter that leaves fewer pages shows the last of them.
  const page = Math.min((choice.page ?? 1) - 1, Math.max(0, Math.ceil(users.length / pageSize) - 1));
  const first = page * pageSize;
  const shown = users.slice(first, first + pageSize);
  const chosenHere = shown.filter(({ id }) => chosen.has(id)).length;
  const onChoose = useCallback(
    (id: string, isChosen: boolean) =>
      onChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((other) => other !== id))),
    [onChosen],
  );
  const chooseAll = (all: boolean) => {
    const ids = shown.map(({ id }) => id);
    onChosen(new Set(all ? [...chosen, ...ids] : [...chosen].filter((id) => !ids.includes(id))));
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs focus to be scrolled by keys. */}
      <section className={`${shared.box} ${classes.box}`} aria-label="People with an account" tabIndex={0}>
        <table className={shared.table}>
          <caption className="visually-hidden">People with an account</caption>
          <thead>
            <tr>
              <th scope="col" className={classes.check}>
                <ChooseAll chosen={chosenHere} of={shown.length} onChoose={chooseAll} />
              </th>
              <Heads choice={choice} onChoice={onChoice} />
            </tr>
          </thead>
          <tbody>
            {shown.map((user) => (
              <Row
                key={user.id}
                user={user}
                nameOf={nameOf}
                isOpen={user.id === openId}
                onOpen={onOpen}
                isChosen={chosen.has(user.id)}
                onChoose={onChoose}
                onSwitch={onSwitch}
              />
            ))}
          </tbody>
        </table>
      </section>
      {question}
      {users.length > pageSize && (
        <Pages count={users.length} first={first} onPage={(to) => onChoice({ page: to === 0 ? null : to + 1 })} />
      )}
    </>
  );
});

type ChooseAllProps = {
  readonly chosen: number;
  readonly of: number;
  readonly onChoose: (all: boolean) => void;
};

/** On a phone it is all that is seen of the head, so it says there what it does. */
function ChooseAll({ chosen, of, onChoose }: ChooseAllProps) {
  const words = 'Select everyone on this page';
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box inside has a name of its own, and these words are not seen on a wide screen.
    <label className={classes.all}>
      <span className={classes.thumb}>
        <Checkbox
          size="xs"
          aria-label={words}
          checked={chosen === of}
          indeterminate={chosen > 0 && chosen < of}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </span>
      <span className={classes.words} aria-hidden="true">
        {words}
      </span>
    </label>
  );
}

function Heads({ choice, onChoice }: Pick<Props, 'choice' | 'onChoice'>) {
  return columns.map(({ id, title }) => {
    const sorted = id !== null && (choice.sort ?? 'name') === id ? (choice.desc ? 'desc' : 'asc') : false;
    return (
      <th key={title} scope="col" aria-sort={sortWords(sorted)}>
        {id === null ? (
          title
        ) : (
          <SortButton
            title={title}
            sorted={sorted}
            onSort={() => onChoice({ sort: id === 'name' ? null : id, desc: sorted === 'asc' ? '1' : null })}
          />
        )}
      </th>
    );
  });
}

type PagesProps = { readonly count: number; readonly first: number; readonly onPage: (page: number) => void };

function Pages({ count, first, onPage }: PagesProps) {
  const page = first / pageSize;
  return (
    <div className={classes.pages}>
      <span>
        {first + 1} to {Math.min(count, first + pageSize)} of {count}
      </span>
      <Button variant="default" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button variant="default" disabled={first + pageSize >= count} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </div>
  );
}

type RowProps = Pick<Props, 'nameOf' | 'onOpen'> & {
  readonly user: User;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (id: string, isChosen: boolean) => void;
  readonly onSwitch: TopFiveSwitch;
};

/** A row that stays in the list while somebody types is not drawn again. */
const Row = memo(function Row({ user, nameOf, isOpen, onOpen, isChosen, onChoose, onSwitch }: RowProps) {
  const state = stateOf(user);
  return (
    <tr data-open={isOpen || undefined}>
      <td data-phone="check" className={classes.check}>
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside has a name of its own; around it is room for a thumb. */}
        <label className={classes.thumb}>
          <Checkbox
            size="xs"
            aria-label={`Select ${user.displayName}`}
            checked={isChosen}
            onChange={(event) => onChoose(user.id, event.currentTarget.checked)}
          />
        </label>
      </td>
      <td data-phone="name">
        <button type="button" className={classes.person} onClick={() => onOpen(user.id)}>
          <Avatar name={user.displayName} />
          <span>
            <span className={classes.name}>{user.displayName}</span>
            <span className={classes.email}>{user.email}</span>
          </span>
        </button>
      </td>
      <td data-phone="below">{user.role ?? <span className={classes.none}>No role</span>}</td>
      <td data-phone="none">{user.team === null ? <span className={classes.none}>–</span> : teamTitle(user.team)}</td>
      <td data-phone="none" className={classes.approvers}>
        {user.approverId.length === 0 ? (
          <span className={classes.none}>{isPermitted(user) ? 'Nobody' : '–'}</span>
        ) : (
          user.approverId.map(nameOf).join(', ')
        )}
      </td>
      <td data-phone="change">
        {state === 'active' ? states.active : <Pill tone={stateTones[state]}>{states[state]}</Pill>}
      </td>
      <td data-phone="value">
        <div className={classes.switch}>
          <span className={classes.switchWords} aria-hidden="true">
            Top 5
          </span>
          <TopFive user={user} onSwitch={onSwitch} />
        </div>
      </td>
    </tr>
  );
});

/** Moves the person between the two lists. It is fixed where the permission comes with something else, and says with what. */
function TopFive({ user, onSwitch }: Pick<RowProps, 'user' | 'onSwitch'>) {
  const control = (
    <Writes>
      <Switch
        aria-label={`Top 5 of ${user.displayName}`}
        checked={isPermitted(user)}
        disabled={user.disabled}
        {...(user.top5Bound === null ? {} : { readOnly: true, 'aria-disabled': true, 'data-bound': true })}
        onChange={(event) => user.top5Bound === null && onSwitch({ user, on: event.currentTarget.checked })}
      />
    </Writes>
  );
  return user.top5Bound === null ? (
    control
  ) : (
    <Tooltip label={user.top5Bound} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
      <span className={classes.bound}>{control}</span>
    </Tooltip>
  );
}

/** The switch of the list. It asks first where the viewer couldn't switch on again what they switch off. */
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
      title={`Take ${asked.displayName} out of Top 5?`}
      confirm="Take out of Top 5"
      danger
      onClose={close}
      onConfirm={() => {
        change({ user: asked, on: false, isFinal: true });
        close();
      }}
    >
      <p>{asked.displayName} stops using S.T.A.R.T. Past tasks stay.</p>
      <p>{warning}.</p>
    </ConfirmDialog>
  );
  return { onSwitch, question };
}
