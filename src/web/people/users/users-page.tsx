import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { plural } from '#core/base/formats.ts';
import { userLimits } from '#core/people/accounts.ts';
import { nobody as noRole, type UsersSearch } from '#core/people/people-search.ts';
import { useAddress } from '#web/shell/address.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { OpenedLate } from '#web/ui/opened-late.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { toHelpQuery } from '../shared/people-to-help.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { NewUserDialog } from './new-user-dialog.tsx';
import { UserPanel } from './user-panel.tsx';
import { type ChangeUsers, filtered, inList, ordered, useChoice } from './users-choice.ts';
import { UsersFilters } from './users-filters.tsx';
import classes from './users-page.module.css';
import { type User, usersQuery } from './users-queries.ts';
import { UsersTable } from './users-table.tsx';

// Few people are added by file.
const ImportDialog = lazyPart(
  () => import('./import-dialog.tsx'),
  (module) => module.ImportDialog,
);

const nobody: readonly User[] = [];
/** The address waits while someone types; the list doesn't. */
const restMs = 300;

export default function UsersPage() {
  const [search, change] = useAddress('/usermanagement');
  const { data, isError, error, refetch } = useQuery(usersQuery);
  const [creating, setCreating] = useState(false);
  const [importing, setImporting] = useState(false);
  useShortcuts([
    { key: 'c', label: 'New person', scope: 'User management', writes: true, run: () => setCreating(true) },
  ]);
  const onOpen = useCallback((person: string) => change({ person }), [change]);
  const users = data ?? nobody;
  const permitted = inList(users, 'permitted').length;
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={
          data && (
            <>
              {`${plural(users.length, 'account')}: ${permitted} with S.T.A.R.T, ${users.length - permitted} without.`}
              <WithoutRole users={users} />
              <WithoutApprover />
            </>
          )
        }
        expected="50 accounts: 44 with S.T.A.R.T, 6 without."
        actions={<Actions onImport={() => setImporting(true)} onCreate={() => setCreating(true)} />}
      />
      {isError && !data ? (
        <Panel flush>
          <PanelError sentence="Couldn’t load people." onRetry={() => void refetch()} requestId={error.requestId} />
        </Panel>
      ) : (
        <Loading
          loading={!data}
          skeleton={
            <Panel flush>
              <SkeletonRows rows={12} />
            </Panel>
          }
        >
          {data && <People users={users} openId={search.person ?? null} onOpen={onOpen} />}
        </Loading>
      )}
      <UserPanel
        userId={data ? (search.person ?? null) : null}
        users={users}
        onClose={() => change({ person: null })}
      />
      <OpenedLate opened={importing} onFail={() => setImporting(false)}>
        <ImportDialog opened={importing} onClose={() => setImporting(false)} />
      </OpenedLate>
      <NewUserDialog opened={creating} users={users} onClose={() => setCreating(false)} />
    </>
  );
}

/** They can sign in and open nothing, so one click shows them. */
function WithoutRole({ users }: { readonly users: readonly User[] }) {
  const count = users.filter(({ role, disabled }) => role === null && !disabled).length;
  if (count === 0) return null;
  return (
    <>
      {' '}
      <Link to="/usermanagement" search={{ role: noRole }} className={classes.link}>
        {plural(count, 'person has no role', 'people have no role')}
      </Link>{' '}
      and can’t open anything.
    </>
  );
}

/** Their tasks would wait forever, so one click leads to where approvers are chosen. */
function WithoutApprover() {
  const count = useQuery(toHelpQuery).data?.unapproved ?? 0;
  if (count === 0) return null;
  return (
    <>
      {' '}
      Nobody can approve the tasks of{' '}
      <Link to="/approvermanagement" search={{ show: 'undecided' }} className={classes.link}>
        {plural(count, 'person', 'people')}
      </Link>
      .
    </>
  );
}

function Actions({ onImport, onCreate }: { onImport: () => void; onCreate: () => void }) {
  return (
    <>
      <Writes>
        <Button variant="default" onClick={onImport}>
          Import
        </Button>
      </Writes>
      <Writes>
        <Button onClick={onCreate} aria-keyshortcuts="C">
          New person
        </Button>
      </Writes>
    </>
  );
}

type PeopleProps = {
  readonly users: readonly User[];
  readonly openId: string | null;
  readonly onOpen: (id: string) => void;
};

function People({ users, openId, onOpen }: PeopleProps) {
  const [choice, onChoice] = useTypedChoice();
  const looked = useDeferredValue(choice);
  const found = useMemo(() => filtered(users, looked), [users, looked]);
  const rows = useMemo(() => ordered(inList(found, looked.list), looked), [found, looked]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [changing, setChanging] = useState(false);
  // The list may still be catching up with the input.
  const openOnly = () => {
    const [only, ...others] = inList(filtered(users, choice), choice.list);
    if (only && others.length === 0) onOpen(only.id);
  };
  // A bulk action never includes people hidden by a filter.
  const chosenUsers = useMemo(() => rows.filter(({ id }) => chosen.has(id)), [rows, chosen]);
  const nameOf = useMemo(() => {
    const names = new Map(users.map(({ id, displayName }) => [id, displayName]));
    return (id: string) => names.get(id) ?? id;
  }, [users]);
  const empty = useMemo(() => <NobodyFound search={looked.q ?? ''} onChoice={onChoice} />, [looked.q, onChoice]);
  return (
    <>
      <UsersFilters users={users} found={found} choice={choice} onChoice={onChoice} onEnter={openOnly} />
      {chosenUsers.length > 0 && (
        <BulkBar count={chosenUsers.length} onChange={() => setChanging(true)} onClear={() => setChosen(new Set())} />
      )}
      <BulkDialog
        opened={changing}
        chosen={chosenUsers}
        users={users}
        onClose={() => setChanging(false)}
        onDone={() => {
          setChanging(false);
          setChosen(new Set());
        }}
      />
      <Panel flush>
        <UsersTable
          users={rows}
          nameOf={nameOf}
          choice={looked}
          onChoice={onChoice}
          openId={openId}
          onOpen={onOpen}
          chosen={chosen}
          onChosen={setChosen}
          empty={empty}
        />
      </Panel>
    </>
  );
}

type NobodyProps = { readonly search: string; readonly onChoice: ChangeUsers };

function NobodyFound({ search, onChoice }: NobodyProps) {
  return (
    <EmptyState
      title={search ? `Nobody matches “${search}”` : 'This list is empty'}
      action={
        <Button
          variant="default"
          onClick={() => onChoice({ q: null, role: null, team: null, state: null, approver: null, list: null })}
        >
          Show everyone
        </Button>
      }
    >
      Search covers names, email addresses, roles and teams.
    </EmptyState>
  );
}

type BulkBarProps = { readonly count: number; readonly onChange: () => void; readonly onClear: () => void };

function BulkBar({ count, onChange, onClear }: BulkBarProps) {
  return (
    <div className={classes.bar}>
      <span role="status">
        {count} selected{count > userLimits.bulk && `. Select up to ${userLimits.bulk} at a time`}
      </span>
      <Button variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
      <Writes>
        <Button variant="default" disabled={count > userLimits.bulk} onClick={onChange}>
          Edit…
        </Button>
      </Writes>
    </div>
  );
}

/** The address's state with the current search input; the address follows later. */
function useTypedChoice(): [UsersSearch, ChangeUsers] {
  const [kept, keep] = useChoice();
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => {
      keep({ q: typed });
      setTyped(null);
    }, restMs);
    return () => clearTimeout(timer);
  }, [typed, keep]);
  const choice = useMemo(() => (typed === null ? kept : { ...kept, q: typed }), [typed, kept]);
  const latest = useRef(typed);
  latest.current = typed;
  const onChoice: ChangeUsers = useCallback(
    (part) => {
      if (Object.keys(part).length === 1 && typeof part.q === 'string') {
        setTyped(part.q);
        return;
      }
      setTyped(null);
      keep({ ...(latest.current === null ? {} : { q: latest.current }), ...part });
    },
    [keep],
  );
  return [choice, onChoice];
}
