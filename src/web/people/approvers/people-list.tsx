import { Button, Select } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { PersonOfMap } from '#core/people/approver-map.ts';
import type { approverFilters } from '#core/people/people-search.ts';
import { useAddress } from '#web/shell/address.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { personColumns } from './approver-columns.tsx';
import type { Managed, Management } from './approver-queries.ts';
import classes from './approvers.module.css';
import { PersonPanel } from './person-panel.tsx';

type Row = PersonOfMap<Managed>;

type Filter = 'all' | (typeof approverFilters)[number];

const filters = {
  all: { label: 'Everyone', holds: () => true },
  undecided: { label: 'Nobody can approve their tasks', holds: ({ unapproved }: Row) => unapproved },
  none: { label: 'Without an approver', holds: ({ person }: Row) => person.ownApproverIds.length === 0 },
  circle: { label: 'Approve each other', holds: ({ circle }: Row) => circle.length > 0 },
  waiting: { label: 'With tasks waiting', holds: ({ person }: Row) => person.toApprove + person.toSignOff > 0 },
} as const satisfies Record<Filter, object>;
const filterKeys = Object.keys(filters) as Filter[];

function isFound({ person, approvers }: Row, words: string): boolean {
  const names = [
    person.displayName,
    person.team ?? '',
    person.email,
    ...approvers.map(({ displayName }) => displayName),
  ];
  return names.join(' ').toLocaleLowerCase('en').includes(words.trim().toLocaleLowerCase('en'));
}

type Props = {
  readonly management: Management;
  readonly words: string;
  readonly search: ReactNode;
  readonly onClear: () => void;
};

/** People with their approvers. */
export function PeopleList({ management, words, search, onClear }: Props) {
  const [address, change] = useAddress('/approvermanagement');
  const shown = address.show ?? 'all';
  const { people } = management.map;
  const rows = useMemo(
    () => people.filter((row) => filters[shown].holds(row) && isFound(row, words)),
    [people, shown, words],
  );
  const open = people.find(({ person }) => person.id === address.open);
  const clear = () => {
    onClear();
    change({ show: null });
  };
  return (
    <Panel
      title="People"
      note={rows.length === people.length ? people.length : `${rows.length} of ${people.length}`}
      actions={
        <div className={classes.actions}>
          <FilterChoice
            people={people}
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
        items={rows}
        columns={personColumns}
        keyOf={({ person }) => person.id}
        onOpen={({ person }) => change({ open: person.id })}
        openKey={open?.person.id ?? null}
        unit="people"
        empty={<NobodyFound onClear={clear} />}
      />
      <PersonPanel row={open} people={management.people} onClose={() => change({ open: null })} />
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
  readonly people: readonly Row[];
  readonly shown: Filter;
  readonly onChange: (shown: Filter) => void;
};

/** Filters the people, with the count of each kind. */
function FilterChoice({ people, shown, onChange }: ChoiceProps) {
  const options = filterKeys.map((value) => {
    const { label, holds } = filters[value];
    return { value, label: value === 'all' ? label : `${label} (${people.filter(holds).length})` };
  });
  return (
    <Select
      aria-label="Show"
      data={options}
      value={shown}
      allowDeselect={false}
      onChange={(next) => next && onChange(next)}
      w={240}
    />
  );
}
