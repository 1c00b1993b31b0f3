// People for the fields that choose some: searched on the server, because there may be thousands.
import { type DefaultError, type QueryKey, queryOptions, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Away } from '#core/people/absences.ts';
import { personLabels } from '#core/people/people.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { type PeopleNames, usePeopleSearch } from '#web/api/people-search.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';

const candidateFields = graphql(`
  fragment Candidate on ManagedUser @_unmask {
    id
    displayName
    email
    disabled
    approves
    approverWarning
  }
`);
const document = graphql(
  `
    query PeopleToChoose($find: String, $ids: [ID!]) {
      peopleToChoose(find: $find, ids: $ids) { ...Candidate away { until delegate problem } }
    }
  `,
  [candidateFields],
);
const olderDocument = graphql(
  `
    query OlderPeopleToChoose($find: String, $ids: [ID!]) {
      peopleToChoose(find: $find, ids: $ids) { ...Candidate }
    }
  `,
  [candidateFields],
);
// Apart: a server of an older version, during an upgrade, refuses the argument.
const everyoneDocument = graphql(`
  query EveryoneToChoose($find: String!) {
    peopleToChoose(find: $find, disabled: true) { id displayName email disabled }
  }
`);

export type Candidate = ResultOf<typeof candidateFields> & { readonly away?: Away | null };

const readPeople = async (choice: PeopleChoice, signal: AbortSignal): Promise<Candidate[]> => {
  const read = orWithoutNewFields<{ readonly peopleToChoose: Candidate[] }>(request(document, choice, { signal }), () =>
    request(olderDocument, choice, { signal }),
  );
  return (await read).peopleToChoose;
};

/** The people that a field offers for a text, or those with these ids. */
export type PeopleChoice = { readonly find: string } | { readonly ids: string[] };
type Person = {
  readonly id: string;
  readonly displayName: string;
  readonly email?: string | null;
  readonly disabled?: boolean | null;
};
type PeopleQuery<One extends Person, Key extends QueryKey> = (
  choice: PeopleChoice,
) => UseQueryOptions<One[], DefaultError, One[], Key>;

const managedPeople = (choice: PeopleChoice) =>
  queryOptions({
    queryKey: ['people', 'choice', choice],
    queryFn: ({ signal }) => readPeople(choice, signal),
  });

const everyone = (choice: PeopleChoice) =>
  queryOptions({
    queryKey: ['people', 'everyone', choice],
    queryFn: async ({ signal }): Promise<Person[]> =>
      'find' in choice
        ? (await request(everyoneDocument, choice, { signal })).peopleToChoose
        : readPeople(choice, signal),
  });

/** The people that a field offers, with the chosen ones, and the properties of its search. */
export function usePeopleToChoose(chosen: readonly string[], names: PeopleNames = {}) {
  return useChoice(chosen, names, managedPeople);
}

function labels<One extends Person>(people: Iterable<One>): (person: One) => string {
  const labelOf = personLabels(people);
  return (person) => (person.disabled ? `${labelOf(person)}, disabled` : labelOf(person));
}

function useChoice<One extends Person, Key extends QueryKey>(
  chosen: readonly string[],
  names: PeopleNames,
  query: PeopleQuery<One, Key>,
) {
  // Everyone who was found: the chosen ones stay known, and no label loses its address.
  const [seen] = useState(() => new Map<string, One>());
  const unseen = chosen.filter((id) => !seen.has(id));
  const asked = useQuery({ ...query({ ids: unseen }), enabled: unseen.length > 0 });
  const known = asked.data;
  const optionsOf = (ids: readonly string[]) => {
    const labelOf = labels(seen.values());
    const unnamed = asked.isPending ? 'Loading…' : 'Unknown person';
    return ids.map((id) => {
      const person = seen.get(id);
      return { value: id, label: person ? labelOf(person) : (names[id] ?? unnamed) };
    });
  };
  const { found, search } = usePeopleSearch({
    names: { ...names, ...Object.fromEntries(optionsOf(chosen).map(({ value, label }) => [value, label])) },
    search: (find) => query({ find }),
  });
  const people = useMemo(() => {
    for (const person of [...(known ?? []), ...(found ?? [])]) seen.set(person.id, person);
    const ids = new Set([...chosen, ...(found ?? []).map(({ id }) => id)]);
    return [...ids].flatMap((id) => seen.get(id) ?? []);
  }, [known, found, chosen, seen]);
  return {
    people,
    labelOf: labels(seen.values()),
    /** The chosen people that the server has not sent yet. */
    unseen: optionsOf(chosen.filter((id) => !seen.has(id))),
    search,
  };
}

/** The properties of a select of one person, whose name shows until the server answers. */
export function usePersonSelect(chosen: string | null, names: PeopleNames = {}) {
  return usePersonSelectOf(managedPeople, chosen, names);
}

/** The same for what people did: also with those who have left. */
export function useEveryoneSelect(chosen: string | null) {
  return usePersonSelectOf(everyone, chosen);
}

/** The same among other people. `first` is an option that is always there, also while it is chosen. */
export function usePersonSelectOf<One extends Person, Key extends QueryKey>(
  query: PeopleQuery<One, Key>,
  chosen: string | null,
  names: PeopleNames = {},
  first?: { readonly value: string; readonly label: string },
) {
  const ids = useMemo(() => (chosen && chosen !== first?.value ? [chosen] : []), [chosen, first?.value]);
  const { people, labelOf, unseen, search } = useChoice(
    ids,
    first ? { ...names, [first.value]: first.label } : names,
    query,
  );
  const options = [...unseen, ...people.map((person) => ({ value: person.id, label: labelOf(person) }))];
  return { data: first ? [first, ...options] : options, ...search };
}
