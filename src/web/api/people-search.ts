// The options of a select of people, who are searched on the server: there may be thousands.
import type { ComboboxParsedItem } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type DefaultError, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { limits } from '#core/base/limits.ts';
import { personLabels } from '#core/people/people.ts';
import { bestMatches, matches } from '#web/ui/matches.ts';
import { typingPauseMs } from '#web/ui/timing.ts';

type Found = readonly { readonly id: string; readonly displayName: string; readonly email?: string | null }[];
/** Names by id, as the field shows them. */
export type PeopleNames = Readonly<Record<string, string>>;

type FilterInput = { readonly options: ComboboxParsedItem[]; readonly search: string };

type Options<People extends Found, Key extends QueryKey> = {
  /** The selected people, who stay in the list. */
  readonly names: PeopleNames;
  readonly search: (typed: string) => UseQueryOptions<People, DefaultError, People, Key>;
  readonly enabled?: boolean;
  readonly none?: string;
};

export function usePeopleSearch<People extends Found, Key extends QueryKey>(options: Options<People, Key>) {
  const { names, search, enabled = true, none = 'No matching people' } = options;
  const [typed, setTyped] = useState('');
  // The text of a choice, unless someone typed it to find people with the same name.
  const [written, setWritten] = useState('');
  const wanted = typed !== written && Object.values(names).includes(typed) ? '' : typed;
  const [settled] = useDebouncedValue(wanted, typingPauseMs);
  const found = useQuery({ ...search(settled), enabled });
  const labelOf = personLabels<People[number]>(found.data ?? []);
  const offered: PeopleNames = {
    ...names,
    ...Object.fromEntries((found.data ?? []).map((person) => [person.id, labelOf(person)])),
  };
  const isLooking = enabled && (settled !== wanted || found.isFetching);
  const foundIds = new Set(isLooking ? [] : found.data?.map(({ id }) => id));
  return {
    offered,
    found: found.data,
    // Not the object's order, which is by number.
    options: [...new Set([...Object.keys(names), ...(found.data ?? []).map(({ id }) => id)])].map((value) => ({
      value,
      label: offered[value]!,
    })),
    search: {
      /** The server searches more than the label, and without accents. */
      filter: ({ options, search: text }: FilterInput) =>
        bestMatches(options, text, ({ value, label }) => foundIds.has(value) || matches(label, text)),
      onSearchChange: setTyped,
      onInput: ({ currentTarget }: FormEvent<HTMLInputElement>) => setWritten(currentTarget.value),
      maxLength: limits.search,
      // A wrong person could get access or tasks: only a whole name counts without Enter.
      exact: true,
      settled: !isLooking,
      nothingFoundMessage: isLooking ? 'Searching…' : found.isError ? 'Couldn’t load people' : none,
    },
  };
}
