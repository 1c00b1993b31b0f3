import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { activeCount, activePeople, countWords, plural } from '#core/base/formats.ts';
import type { approverFilters } from '#core/people/people-search.ts';
import { useList } from '#web/api/list-query.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAddress } from '#web/shell/address.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { DataTable, type Order } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
import { Writes } from '#web/ui/writes.tsx';
import { useApproverOptions } from '../shared/approver-picker.tsx';
import {
  approversQuery,
  isReadAgain,
  type Management,
  managementQuery,
  peopleQuery,
  useSetDefaultApprover,
} from '../shared/approver-queries.ts';
import { unapprovedSentence, unapprovedTitle } from '../shared/people-counts.ts';
import { approverColumns, personColumns } from './approver-columns.tsx';
import classes from './approvers.module.css';
import { PersonPanel } from './person-panel.tsx';
import { ReassignPanel } from './reassign-panel.tsx';

type Pages = { readonly pages: readonly { readonly readAt: number }[] };
type ShowChangesProps = { readonly query: UseInfiniteQueryResult<Pages> };

/** Counts that are this much newer than a list may come from the same change of the viewer's own. */
const sameReadMs = 10_000;

/** Reads a list of several pages again, which is older than the current counts. */
export function ShowChanges({ query: { data, isFetching, refetch } }: ShowChangesProps) {
  const readAt = data?.pages[0]?.readAt ?? 0;
  const counts = useQuery(managementQuery);
  const [seen, setSeen] = useState(counts.data);
  if (counts.data !== seen && counts.dataUpdatedAt - readAt < sameReadMs) setSeen(counts.data);
  if (counts.data === seen || isReadAgain(data?.pages ?? [])) return null;
  return (
    <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
      Show changes
    </Button>
  );
}

type Filter = 'all' | (typeof approverFilters)[number];

const filters: Readonly<Record<Filter, string>> = {
  all: 'Everyone',
  undecided: unapprovedTitle,
  none: 'No approver chosen',
  circle: 'Approve each other',
  waiting: 'With tasks waiting',
};
const filterKeys = Object.keys(filters) as Filter[];

/** The list has disabled people only while something still depends on them. */
const disabledWords = (count: number): string =>
  count === 0
    ? ''
    : `, plus ${countWords(count)} disabled who still ${count === 1 ? 'approves or has' : 'approve or have'} waiting tasks`;

type PeopleListProps = {
  readonly counts: Management['counts'];
  readonly words: string;
  readonly search: ReactNode;
  readonly onClear: () => void;
};

/** People with their approvers. */
function PeopleList({ counts, words, search, onClear }: PeopleListProps) {
  const [address, change] = useAddress('/approvermanagement');
  const [order, setOrder] = useState<Order>();
  const shown = address.show ?? 'all';
  const { query, items, more } = useList(peopleQuery({ show: address.show ?? null, search: words, order }));
  const all = counts.active + counts.disabled;
  const clear = () => {
    onClear();
    change({ show: null });
  };
  return (
    <Panel
      title="People"
      note={
        more.total === null || more.total === all
          ? `${activeCount(counts.active)}${disabledWords(counts.disabled)}`
          : `${more.total} of ${all}`
      }
      actions={
        <div className={classes.actions}>
          <ShowChanges query={query} />
          <FilterChoice
            counts={counts}
            shown={shown}
            onChange={(next) => change({ show: next === 'all' ? null : next })}
          />
          {search}
        </div>
      }
      flush
    >
      <DataTable
        caption="People with their approvers"
        query={query}
        failed="Couldn’t load people."
        items={items}
        more={more}
        columns={personColumns}
        keyOf={({ person }) => person.id}
        onOpen={({ person }) => change({ open: person.id })}
        openKey={address.open ?? null}
        order={order}
        onOrder={setOrder}
        unit="people"
        empty={<NobodyFound onClear={clear} />}
      />
      <PersonPanel personId={address.open ?? null} onClose={() => change({ open: null }, { replace: true })} />
    </Panel>
  );
}

function NobodyFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      title="No matches"
      action={
        <Button variant="default" onClick={onClear}>
          Show everyone
        </Button>
      }
    >
      Search covers names, email addresses, teams and approvers.
    </EmptyState>
  );
}

type ChoiceProps = {
  readonly counts: Management['counts'];
  readonly shown: Filter;
  readonly onChange: (shown: Filter) => void;
};

/** Filters the people, with the count of each kind. */
function FilterChoice({ counts, shown, onChange }: ChoiceProps) {
  const options = filterKeys.map((value) => ({
    value,
    label: value === 'all' ? filters.all : `${filters[value]} (${counts[value]})`,
  }));
  return (
    <Select
      aria-label="Show"
      data={options}
      value={shown}
      allowDeselect={false}
      onChange={(next) => next && onChange(next)}
      w={290}
      maw="calc(100vw - 80px)"
    />
  );
}

type Props = {
  /** How many approvers the whole company has. */
  readonly count: number;
  readonly words: string;
  readonly search: ReactNode;
  readonly onClear: () => void;
};

/** Approvers with their load. */
function ApproverList({ count, words, search, onClear }: Props) {
  const [address, change] = useAddress('/approvermanagement');
  const [order, setOrder] = useState<Order>({ id: 'waiting', desc: true });
  const { query, items, more } = useList(approversQuery({ search: words, order }));
  return (
    <Panel
      title="Approvers"
      note={more.total === null || more.total === count ? count : `${more.total} of ${count}`}
      actions={
        <div className={classes.actions}>
          <ShowChanges query={query} />
          {search}
        </div>
      }
      flush
    >
      <DataTable
        caption="Approvers, their people and waiting tasks"
        query={query}
        failed="Couldn’t load the approvers."
        items={items}
        more={more}
        columns={approverColumns}
        keyOf={({ approver }) => approver.id}
        onOpen={({ approver }) => change({ open: approver.id })}
        openKey={address.open ?? null}
        order={order}
        onOrder={setOrder}
        unit="approvers"
        empty={<NoApprover words={words} onClear={onClear} />}
      />
      <p className={classes.foot}>
        Wait times from the last four weeks: the median, and the time within which 9 in 10 tasks were decided.
      </p>
      <ReassignPanel approverId={address.open ?? null} onClose={() => change({ open: null }, { replace: true })} />
    </Panel>
  );
}

function NoApprover({ words, onClear }: Pick<Props, 'words' | 'onClear'>) {
  if (words.trim() === '')
    return (
      <EmptyState title="No approvers yet">
        Choose approvers in the list by person, or a default approver above.
      </EmptyState>
    );
  return (
    <EmptyState
      title={`No approver matches “${words}”`}
      action={
        <Button variant="default" onClick={onClear}>
          Show all approvers
        </Button>
      }
    >
      Search covers approvers and their people.
    </EmptyState>
  );
}

const views = [
  { value: 'people', label: 'By person' },
  { value: 'approvers', label: 'By approver' },
];

export default function ApproversPage() {
  const [search, change] = useAddress('/approvermanagement');
  const view = search.view ?? 'people';
  const read = useQuery(managementQuery);
  const { data } = read;
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={data && <CountsSentence {...data} />}
        expected="44 active people, 7 approvers. 12 tasks are waiting for a decision."
        actions={
          <Segmented
            label="View"
            segments={views}
            value={view}
            onChange={(next) => change({ view: next === 'approvers' ? next : null, open: null })}
          />
        }
      />
      {read.isError && !data ? (
        <Panel flush>
          <PanelError
            sentence="Couldn’t load the approvers."
            requestId={read.error.requestId}
            onRetry={() => void read.refetch()}
          />
        </Panel>
      ) : (
        <Loading loading={!data} skeleton={<SkeletonRows rows={12} />}>
          {data && <Lists management={data} view={view} />}
        </Loading>
      )}
    </>
  );
}

function CountsSentence({ counts }: Management) {
  const { active, approvers, unable = 0, undecided } = counts;
  const tasks = plural(counts.tasks, 'task is waiting', 'tasks are waiting');
  const cannot = unable === 0 ? '' : `, ${countWords(unable)} of them unable to approve`;
  return (
    <>
      {`${activePeople(active)}, ${plural(approvers, 'approver')}${cannot}. ${tasks} for a decision.`}
      {undecided > 0 && (
        <>
          {' '}
          <Link to="/approvermanagement" search={{ show: 'undecided' }} className={classes.link}>
            {unapprovedSentence(undecided)}
          </Link>
          .
        </>
      )}
    </>
  );
}

function Lists({ management, view }: { management: Management; view: 'people' | 'approvers' }) {
  const [typed, setWords] = useState('');
  const [words] = useDebouncedValue(typed.trim(), typingPauseMs);
  const find = (
    <SearchField
      label="Find a person or team"
      scope="Approver Management"
      width={280}
      value={typed}
      onChange={setWords}
    />
  );
  return (
    <div className={classes.page}>
      <div className={classes.default}>
        <DefaultApprover key={management.defaultVersion} management={management} />
      </div>
      {view === 'people' ? (
        <PeopleList counts={management.counts} words={words} search={find} onClear={() => setWords('')} />
      ) : (
        <ApproverList count={management.counts.approvers} words={words} search={find} onClear={() => setWords('')} />
      )}
    </div>
  );
}

/** Who approves for people without an approver. */
function DefaultApprover({ management }: { management: Management }) {
  const { defaultApproverId, defaultIsChosen } = management;
  const saving = useSetDefaultApprover();
  const chosen = useMemo(() => (defaultApproverId === null ? [] : [defaultApproverId]), [defaultApproverId]);
  const { select } = useApproverOptions({ chosen });
  // It also approves for admins, and for the person who chooses it.
  const mayChoose = isAdmin(useViewer());
  return (
    <Writes>
      <SearchSelect
        label="Default approver"
        description={
          defaultApproverId !== null && !defaultIsChosen
            ? 'Approves for people without an approver. Set in the server’s configuration'
            : `Approves for people without an approver${mayChoose ? '' : '. Only an admin can change it'}`
        }
        {...select}
        value={defaultApproverId}
        onChange={(approverId) => saving.mutate({ approverId, from: management })}
        disabled={saving.isPending || !mayChoose}
        placeholder="Nobody"
        clearable
        w={280}
      />
    </Writes>
  );
}
