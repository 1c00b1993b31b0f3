import { Button, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { activeCount, countWords } from '#core/base/formats.ts';
import type { approverFilters } from '#core/people/people-search.ts';
import { useList } from '#web/api/list-query.ts';
import { useAddress } from '#web/shell/address.ts';
import { DataTable, type Order } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { unapprovedTitle } from '../shared/people-counts.ts';
import { personColumns } from './approver-columns.tsx';
import { type Management, peopleQuery } from './approver-queries.ts';
import classes from './approvers.module.css';
import { PersonPanel } from './person-panel.tsx';
import { ShowChanges } from './show-changes.tsx';

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

type Props = {
  readonly counts: Management['counts'];
  readonly words: string;
  readonly search: ReactNode;
  readonly onClear: () => void;
};

/** People with their approvers. */
export function PeopleList({ counts, words, search, onClear }: Props) {
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
