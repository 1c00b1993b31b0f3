import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { activePeople, plural } from '#core/base/formats.ts';
import { userLimits } from '#core/people/accounts.ts';
import { useList } from '#web/api/list-query.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useAddress } from '#web/shell/address.ts';
import { useCreating } from '#web/shell/asked.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { OpenedLate } from '#web/ui/opened-late.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { typingPauseMs } from '#web/ui/timing.ts';
import { measureFoot } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type PeopleCounts, peopleCountsQuery, unapprovedSentence } from '../shared/people-counts.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { NewPersonWords, NewUserDialog, newUserDraft } from './new-user-dialog.tsx';
import { UserPanel } from './user-panel.tsx';
import { type ChangeUsers, noFilters, useChoice } from './users-choice.ts';
import { UsersFilters } from './users-filters.tsx';
import classes from './users-page.module.css';
import { downloadPeople, usersQuery } from './users-queries.ts';
import { UsersTable } from './users-table.tsx';

// Few people are added by file.
const ImportDialog = lazyPart(
  () => import('./import-dialog.tsx'),
  (module) => module.ImportDialog,
);

export default function UsersPage() {
  const [search, change] = useAddress('/usermanagement');
  const { data: counts } = useQuery(peopleCountsQuery);
  const { creating, setCreating } = useCreating('/usermanagement', newUserDraft);
  const [importing, setImporting] = useState(false);
  useShortcuts([
    {
      key: 'c',
      label: 'New person',
      scope: 'User Management',
      writes: true,
      opensForm: true,
      run: () => setCreating(true),
    },
  ]);
  const onOpen = useCallback((person: string) => change({ person }), [change]);
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={counts && <CountsSentence {...counts} />}
        expected="47 active people and 3 disabled. 44 active people use S.T.A.R.T."
        actions={<Actions onImport={() => setImporting(true)} onCreate={() => setCreating(true)} />}
      />
      <People openId={search.person ?? null} onOpen={onOpen} />
      <UserPanel userId={search.person ?? null} onClose={() => change({ person: null }, { replace: true })} />
      <OpenedLate opened={importing} onFail={() => setImporting(false)}>
        <ImportDialog opened={importing} onClose={() => setImporting(false)} />
      </OpenedLate>
      <NewUserDialog opened={creating} onClose={() => setCreating(false)} />
    </>
  );
}

/** The people, and those without an approver who can decide. */
function CountsSentence({ active, disabled, permitted, unapproved }: PeopleCounts) {
  return (
    <>
      {`${activePeople(active, disabled)}. ${plural(permitted, 'active person uses', 'active people use')} S.T.A.R.T.`}
      {unapproved > 0 && (
        <>
          {' '}
          <Link to="/approvermanagement" search={{ show: 'undecided' }} className={classes.link}>
            {unapprovedSentence(unapproved)}
          </Link>
          .
        </>
      )}
    </>
  );
}

function Actions({ onImport, onCreate }: { onImport: () => void; onCreate: () => void }) {
  return (
    <>
      <ExportButton />
      <Writes>
        <Button variant="default" onClick={onImport}>
          Import
        </Button>
      </Writes>
      <Writes>
        <Button onClick={onCreate} aria-keyshortcuts="C">
          <NewPersonWords />
        </Button>
      </Writes>
    </>
  );
}

/** Exports the people that the filters show. */
function ExportButton() {
  const [choice] = useChoice();
  const save = useMutation({
    mutationFn: () => downloadPeople(choice),
    meta: { what: 'Exporting people' },
  });
  return (
    <Writes>
      <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
        Export CSV
      </Button>
    </Writes>
  );
}

type PeopleProps = { readonly openId: string | null; readonly onOpen: (id: string) => void };

function People({ openId, onOpen }: PeopleProps) {
  const client = useQueryClient();
  const { choice, kept, onChoice } = useTypedChoice();
  const { first, ...list } = useList(usersQuery(kept));
  const rows = list.items;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [changing, setChanging] = useState(false);
  // The list may still be catching up with the input.
  const openOnly = async () => {
    // The list says why it couldn't be read.
    const found = await client.fetchInfiniteQuery(usersQuery(choice)).catch(() => null);
    const [only, ...others] = found?.pages[0]?.rows ?? [];
    if (only && others.length === 0) onOpen(only.id);
  };
  // A bulk action never includes people hidden by a filter.
  const chosenUsers = useMemo(() => rows.filter(({ id }) => chosen.has(id)), [rows, chosen]);
  const empty = useMemo(() => <NobodyFound search={kept.q ?? ''} onChoice={onChoice} />, [kept.q, onChoice]);
  return (
    <>
      <UsersFilters counts={first} choice={choice} onChoice={onChoice} onEnter={() => void openOnly()} />
      <BulkDialog
        opened={changing}
        chosen={chosenUsers}
        onClose={() => setChanging(false)}
        onDone={() => {
          setChanging(false);
          setChosen(new Set());
        }}
      />
      <Panel flush>
        <UsersTable
          list={list}
          choice={kept}
          onChoice={onChoice}
          openId={openId}
          onOpen={onOpen}
          chosen={chosen}
          onChosen={setChosen}
          empty={empty}
        />
      </Panel>
      {chosen.size > 0 && (
        <BulkBar
          count={chosenUsers.length}
          unseen={chosen.size - chosenUsers.length}
          onChange={() => setChanging(true)}
          onClear={() => setChosen(new Set())}
        />
      )}
    </>
  );
}

type NobodyProps = { readonly search: string; readonly onChoice: ChangeUsers };

function NobodyFound({ search, onChoice }: NobodyProps) {
  return (
    <EmptyState
      title={search ? `Nobody matches “${search}”` : 'This list is empty'}
      action={
        <Button variant="default" onClick={() => onChoice({ ...noFilters, list: null })}>
          Show everyone
        </Button>
      }
    >
      Search covers names, email addresses, roles and teams.
    </EmptyState>
  );
}

type BulkBarProps = {
  readonly count: number;
  /** Ticked, but hidden by the filters or on a page that isn't loaded. */
  readonly unseen: number;
  readonly onChange: () => void;
  readonly onClear: () => void;
};

/** Below the table and over its end: a tick moves no row. */
function BulkBar({ count, unseen, onChange, onClear }: BulkBarProps) {
  return (
    <div ref={measureFoot} className={classes.bar} data-at-foot>
      <span role="status">
        {count} selected
        {unseen > 0 && `. ${plural(unseen, 'more isn’t', 'more aren’t')} in this list and won’t change`}
        {count > userLimits.bulk && `. Select up to ${userLimits.bulk} at a time`}
      </span>
      <Button variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
      <Writes>
        <Button variant="default" disabled={count === 0 || count > userLimits.bulk} onClick={onChange}>
          Edit…
        </Button>
      </Writes>
    </div>
  );
}

/** `kept` is in the address, which follows what is typed after a pause. */
function useTypedChoice() {
  const [kept, keep] = useChoice();
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => {
      keep({ q: typed });
      setTyped(null);
    }, typingPauseMs);
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
  return { choice, kept, onChoice };
}
