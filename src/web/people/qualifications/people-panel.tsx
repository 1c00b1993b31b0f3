import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { activeCount } from '#core/base/formats.ts';
import { isExcepted, qualificationStates } from '#core/people/qualifications.ts';
import { StatePill, stateWords } from '#web/access/shared/state-pill.tsx';
import { useList } from '#web/api/list-query.ts';
import { useAddress } from '#web/shell/address.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
import { PersonPanel } from './person-panel.tsx';
import { peopleQuery, type QualifiedPerson, type QualifiedRole } from './qualification-queries.ts';
import classes from './qualifications-page.module.css';

const states = [
  { value: 'lacking', label: 'Not met' },
  { value: 'excepted', label: 'By exception' },
  ...qualificationStates.map((state) => ({ value: state, label: stateWords[state] })),
] as const;

/** The person, then each of the role's requirements. */
function columnsOf(role: QualifiedRole): DataColumn<QualifiedPerson>[] {
  return [
    { id: 'person', title: 'Person', cell: ({ displayName }) => displayName, phone: 'name' },
    {
      id: 'state',
      title: 'Overall',
      cell: ({ state, standings, exception }) => (
        <StatePill state={state} excepted={isExcepted(standings, exception)} />
      ),
      phone: 'value',
    },
    ...role.requirements.map(
      ({ id, title }): DataColumn<QualifiedPerson> => ({
        id,
        title,
        cell: ({ standings, exception }) => {
          const standing = standings.find(({ requirementId }) => requirementId === id);
          return standing ? <StatePill {...standing} excepted={isExcepted([standing], exception)} /> : '–';
        },
      }),
    ),
  ];
}

export function PeoplePanel({ role }: { role: QualifiedRole }) {
  const [address, change] = useAddress('/role-qualifications');
  const [typed, setTyped] = useState(address.search ?? '');
  const [search] = useDebouncedValue(typed, typingPauseMs);
  const { state = null } = address;
  const everyone = address.who === 'everyone';
  const columns = useMemo(() => columnsOf(role), [role]);
  const { query, items, more } = useList(peopleQuery({ role: role.name, everyone, state, search }));
  const narrowed = state !== null || search !== '';
  const clear = () => {
    setTyped('');
    change({ state: null }, { replace: true });
  };
  return (
    <Panel
      title={everyone ? 'Everyone' : 'People in this role'}
      {...(more.total === null ? {} : { note: activeCount(more.total) })}
      actions={<Filters role={role.name} typed={typed} onType={setTyped} />}
      flush
    >
      <DataTable
        caption={`People and requirements for ${role.name}`}
        unit="people"
        query={query}
        failed="Couldn’t load people."
        items={items}
        more={more}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => change({ person: id })}
        openKey={address.person ?? null}
        empty={
          <Nobody
            role={role.name}
            narrowed={narrowed}
            everyone={everyone}
            onClear={clear}
            onEveryone={() => change({ who: 'everyone' })}
          />
        }
      />
      <PersonPanel
        role={role}
        personId={address.person ?? null}
        onClose={() => change({ person: null }, { replace: true })}
      />
    </Panel>
  );
}

type FiltersProps = { readonly role: string; readonly typed: string; readonly onType: (text: string) => void };

function Filters({ role, typed, onType }: FiltersProps) {
  const [address, change] = useAddress('/role-qualifications');
  return (
    <div className={classes.filters}>
      <Segmented
        label="People"
        segments={[
          { value: 'role', label: 'In this role' },
          { value: 'everyone', label: 'Everyone' },
        ]}
        value={address.who ?? 'role'}
        onChange={(who) => change({ who: who === 'everyone' ? who : null }, { replace: true })}
      />
      <Select
        aria-label="State"
        placeholder="Any state"
        w={140}
        data={states}
        clearable
        value={address.state ?? null}
        // Without the role, a reload could open another one for this state.
        onChange={(state) => change({ state, role }, { replace: true })}
      />
      <SearchField label="Find a person" scope="Role qualifications" value={typed} onChange={onType} />
    </div>
  );
}

type NobodyProps = {
  readonly role: string;
  readonly narrowed: boolean;
  readonly everyone: boolean;
  readonly onClear: () => void;
  readonly onEveryone: () => void;
};

function Nobody({ role, narrowed, everyone, onClear, onEveryone }: NobodyProps) {
  if (narrowed || everyone)
    return (
      <EmptyState
        title="No matches"
        action={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        No one matches this name and state.
      </EmptyState>
    );
  return (
    <EmptyState
      title={`Nobody has the role ${role}`}
      action={
        <Button variant="default" onClick={onEveryone}>
          Show everyone
        </Button>
      }
    >
      Show everyone to see who could take this role.
    </EmptyState>
  );
}
