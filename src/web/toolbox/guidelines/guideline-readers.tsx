import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Scope, scopes } from '#core/access/brands.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { guidelineReadersPage } from '#core/toolbox/guidelines.ts';
import { config } from '#web/api/config.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import classes from './guideline-readers.module.css';
import { type GuidelineReader, readersQuery } from './guidelines-queries.ts';

const teamOf = ({ team }: GuidelineReader) => (team ? (scopes[team as Scope]?.title ?? team) : '–');

const columns: readonly DataColumn<GuidelineReader>[] = [
  { id: 'name', title: 'Person', cell: ({ displayName }) => displayName },
  { id: 'team', title: 'Team', cell: teamOf, phone: 'below' },
  {
    id: 'confirmed',
    title: 'Confirmed',
    cell: ({ confirmedAt, lastConfirmed }) => {
      if (confirmedAt) return formatInstant(confirmedAt, config().companyTimeZone);
      return lastConfirmed === null ? 'Nothing yet' : `Version ${lastConfirmed}`;
    },
    phone: 'value',
  },
];

/** Who has confirmed the version that holds, and who has not: in numbers, and by name a page at a time. */
export function GuidelineReaders({ version }: { version: number }) {
  const [confirmed, setConfirmed] = useState(false);
  const [search, setSearch] = useState('');
  const [offset, setOffset] = useState(0);
  const found = useQuery(readersQuery({ confirmed, search, offset, limit: guidelineReadersPage }));
  const { data } = found;
  return (
    <Panel
      title={`Who has confirmed version ${version}`}
      {...(data ? { note: `${data.confirmed} of ${data.readers}` } : {})}
      actions={
        <Choices
          counts={data}
          confirmed={confirmed}
          search={search}
          onChange={(choice) => {
            setConfirmed(choice.confirmed);
            setSearch(choice.search);
            setOffset(0);
          }}
        />
      }
      flush
    >
      {found.isError && !data ? (
        <PanelError
          sentence="Couldn’t load the readers."
          onRetry={() => void found.refetch()}
          requestId={found.error.requestId}
        />
      ) : (
        <Loading loading={!data} skeleton={<SkeletonRows rows={6} />}>
          {data && (
            <>
              <DataTable
                caption={confirmed ? 'People who have confirmed' : 'People who have not confirmed yet'}
                items={data.people}
                columns={columns}
                keyOf={({ id }) => id}
                empty={<EmptyState title={emptyTitle(search, confirmed)} />}
              />
              <Pages offset={offset} matching={data.matching} onMove={setOffset} />
            </>
          )}
        </Loading>
      )}
    </Panel>
  );
}

type Choice = { readonly confirmed: boolean; readonly search: string };
type ChoicesProps = Choice & {
  readonly counts: { readonly readers: number; readonly confirmed: number } | undefined;
  readonly onChange: (choice: Choice) => void;
};

function Choices({ counts, confirmed, search, onChange }: ChoicesProps) {
  const counted = (title: string, count: number | undefined) => (count === undefined ? title : `${title} (${count})`);
  return (
    <div className={classes.choices}>
      <Segmented
        label="People"
        segments={[
          { value: 'no', label: counted('Not yet', counts && counts.readers - counts.confirmed) },
          { value: 'yes', label: counted('Confirmed', counts?.confirmed) },
        ]}
        value={confirmed ? 'yes' : 'no'}
        onChange={(value) => onChange({ confirmed: value === 'yes', search })}
      />
      <TextInput
        type="search"
        aria-label="Find a person"
        placeholder="Find a person"
        leftSection={<IconSearch size={15} stroke={1.7} />}
        value={search}
        onChange={({ currentTarget }) => onChange({ confirmed, search: currentTarget.value })}
      />
    </div>
  );
}

function emptyTitle(search: string, confirmed: boolean): string {
  if (search.trim() !== '') return `No one matches “${search.trim()}”`;
  return confirmed ? 'No one confirmed this version yet' : 'Everyone confirmed this version';
}

type PagesProps = { readonly offset: number; readonly matching: number; readonly onMove: (offset: number) => void };

function Pages({ offset, matching, onMove }: PagesProps) {
  if (matching <= guidelineReadersPage) return null;
  const last = Math.min(offset + guidelineReadersPage, matching);
  return (
    <nav className={classes.pages} aria-label="Pages of people">
      <span>
        {offset + 1} to {last} of {matching}
      </span>
      <Button
        variant="default"
        disabled={offset === 0}
        onClick={() => onMove(Math.max(0, offset - guidelineReadersPage))}
      >
        Earlier
      </Button>
      <Button variant="default" disabled={last >= matching} onClick={() => onMove(offset + guidelineReadersPage)}>
        Later
      </Button>
    </nav>
  );
}
