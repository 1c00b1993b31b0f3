import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { peopleQuery } from './doctor-queries.ts';

/** Typing at rest is looked for on the server, which knows everybody. */
const restMs = 200;

type Props = {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
};

export function PersonSelect({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null);
  // The name of who is chosen stands in the field: it is no search of its own.
  const [search] = useDebouncedValue(typed === chosen?.label ? '' : typed, restMs);
  const { data: people = [], isError } = useQuery(peopleQuery(search));
  const found = people.map(({ id, name, role }) => ({ value: id, label: `${name} · ${role ?? 'No role'}` }));
  const options = chosen && !found.some((option) => option.value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      label={label}
      placeholder="Type a name"
      searchable
      clearable
      data={options}
      filter={({ options: all }) => all}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id, option) => {
        setChosen(option ? { value: option.value, label: option.label } : null);
        onChange(id);
      }}
      nothingFoundMessage={isError ? 'The people could not be loaded' : 'Nobody has this name'}
    />
  );
}
