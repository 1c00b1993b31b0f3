import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type Scope, scopes } from '#core/access/brands.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { useList } from '#web/api/list-query.ts';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { typingPauseMs } from '#web/ui/timing.ts';
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
      return lastConfirmed === null ? 'No version yet' : `Version ${lastConfirmed}`;
    },
    phone: 'value',
  },
];

/** Who has confirmed the current version and who hasn't: the counts, and a page of names at a time. */
export function GuidelineReaders({ version }: { version: number }) {
  const [confirmed, setConfirmed] = useState(false);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, typingPauseMs);
  const { query, items, more, first } = useList(readersQuery({ confirmed, search }));
  return (
    <Panel
      title={`Who has confirmed version ${version}`}
      {...(first ? { note: `${first.confirmed} of ${first.readers}` } : {})}
      actions={
        <Choices counts={first} confirmed={confirmed} typed={typed} onConfirmed={setConfirmed} onType={setTyped} />
      }
      flush
    >
      <DataTable
        caption={confirmed ? 'People who have confirmed' : 'People who have not confirmed yet'}
        unit="people"
        query={query}
        failed="Couldn’t load the readers."
        items={items}
        more={more}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={emptyTitle(search, confirmed)} />}
      />
    </Panel>
  );
}

type ChoicesProps = {
  readonly counts: { readonly readers: number; readonly confirmed: number } | undefined;
  readonly confirmed: boolean;
  readonly typed: string;
  readonly onConfirmed: (confirmed: boolean) => void;
  readonly onType: (typed: string) => void;
};

function Choices({ counts, confirmed, typed, onConfirmed, onType }: ChoicesProps) {
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
        onChange={(value) => onConfirmed(value === 'yes')}
      />
      <SearchField label="Find a person" scope="Guidelines" value={typed} onChange={onType} />
    </div>
  );
}

function emptyTitle(search: string, confirmed: boolean): string {
  if (search.trim() !== '') return `No one matches “${search.trim()}”`;
  return confirmed ? 'No one has confirmed this version yet' : 'Everyone has confirmed this version';
}
