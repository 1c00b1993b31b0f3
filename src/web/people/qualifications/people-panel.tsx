import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { dayWithYear } from '#core/base/day-words.ts';
import { qualificationStates } from '#core/people/qualifications.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useAddress } from '#web/shell/address.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { PersonPanel } from './person-panel.tsx';
import { pageSize, peopleQuery, type QualifiedPerson, type QualifiedRole } from './qualification-queries.ts';
import classes from './qualifications-page.module.css';
import { StatePill, stateWords } from './state-pill.tsx';

const restMs = 200;
const states = qualificationStates.map((state) => ({ value: state, label: stateWords[state] }));

/** The person, each requirement of the role, in its order. */
function columnsOf(role: QualifiedRole): DataColumn<QualifiedPerson>[] {
  return [
    { id: 'person', title: 'Person', cell: ({ displayName }) => displayName, phone: 'name' },
    { id: 'state', title: 'Overall', cell: ({ state }) => <StatePill state={state} />, phone: 'value' },
    ...role.requirements.map(
      ({ id, title }): DataColumn<QualifiedPerson> => ({
        id,
        title,
        cell: ({ standings }) => {
          const standing = standings.find(({ requirementId }) => requirementId === id);
          if (!standing) return '–';
          return (
            <StatePill
              state={standing.state}
              note={standing.goodUntil ? `until ${dayWithYear(standing.goodUntil)}` : undefined}
            />
          );
        },
      }),
    ),
  ];
}

export function PeoplePanel({ role }: { role: QualifiedRole }) {
  const [address, change] = useAddress('/role-qualifications');
  const [typed, setTyped] = useState(address.search ?? '');
  const [search] = useDebouncedValue(typed, restMs);
  const { state = null } = address;
  const everyone = address.who === 'everyone';
  const page = (address.page ?? 1) - 1;
  const columns = useMemo(() => columnsOf(role), [role]);
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(
    peopleQuery({ role: role.name, everyone, state, search, page }),
  );
  const narrowed = state !== null || search !== '';
  const clear = () => {
    setTyped('');
    change({ state: null, page: null }, { replace: true });
  };
  return (
    <Panel
      title={everyone ? 'Everyone' : 'People in this role'}
      {...(data ? { note: data.total } : {})}
      actions={<Filters typed={typed} onType={setTyped} />}
      flush
    >
      {error && !data ? (
        <PanelError
          sentence="Couldn’t load people."
          requestId={asApiError(error).requestId}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading loading={isPending} skeleton={<SkeletonRows />}>
          <div className={classes.fading} data-stale={isPlaceholderData || undefined}>
            <DataTable
              caption={`People and requirements of ${role.name}`}
              items={data?.people ?? []}
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
                  onEveryone={() => change({ who: 'everyone', page: null })}
                />
              }
            />
          </div>
          {data && data.total > pageSize && (
            <Pages page={page} total={data.total} onPage={(next) => change({ page: next + 1 })} />
          )}
        </Loading>
      )}
      <PersonPanel role={role} personId={address.person ?? null} onClose={() => change({ person: null })} />
    </Panel>
  );
}

function Filters({ typed, onType }: { typed: string; onType: (text: string) => void }) {
  const [address, change] = useAddress('/role-qualifications');
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ key: '/', label: 'Find a person', scope: 'Role qualifications', run: () => field.current?.focus() }]);
  return (
    <div className={classes.filters}>
      <Segmented
        label="People"
        segments={[
          { value: 'role', label: 'In this role' },
          { value: 'everyone', label: 'Everyone' },
        ]}
        value={address.who ?? 'role'}
        onChange={(who) => change({ who: who === 'everyone' ? who : null, page: null }, { replace: true })}
      />
      <Select
        aria-label="State"
        placeholder="Any state"
        w={140}
        data={states}
        clearable
        value={address.state ?? null}
        onChange={(state) => change({ state, page: null }, { replace: true })}
      />
      <TextInput
        ref={field}
        type="search"
        aria-label="Find a person"
        placeholder="Find a person"
        w={180}
        leftSection={<IconSearch size={15} stroke={1.7} />}
        aria-keyshortcuts="/"
        value={typed}
        onChange={(event) => {
          onType(event.currentTarget.value);
          if (address.page) change({ page: null }, { replace: true });
        }}
      />
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
        No one has this name and state.
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

function Pages({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const last = Math.ceil(total / pageSize) - 1;
  return (
    <nav className={classes.pages} aria-label="Pages of people">
      <span>
        {page * pageSize + 1} to {Math.min(total, (page + 1) * pageSize)} of {total}
      </span>
      <Button variant="default" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button variant="default" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
