// Everyone with an account, for fields in which an admin chooses a person.

import { queryOptions, useQuery } from '@tanstack/react-query';
import { compareNames } from '#core/base/formats.ts';
import { displayName } from '#core/people/people.ts';
import { graphql } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const document = graphql(`
  query PeopleToChoose {
    getUsers {
      getLoggedUsers {
        id
        email
        firstName
        lastName
      }
      getPermittedUsers {
        id
        email
        firstName
        lastName
      }
    }
  }
`);

const query = queryOptions({
  queryKey: ['people', 'choice'],
  queryFn: ({ signal }) => request(document, {}, { signal }),
  select: ({ getUsers }) =>
    [...getUsers.getLoggedUsers, ...getUsers.getPermittedUsers]
      .map((user) => ({ value: user.id, label: displayName(user) }))
      .sort((a, b) => compareNames(a.label, b.label)),
});

export type PersonOption = { readonly value: string; readonly label: string };

/** A select's options, including the chosen person even if they have left. */
export function usePeopleOptions(chosen?: {
  readonly id: string | null;
  readonly name: string | null;
}): PersonOption[] {
  const { data = [] } = useQuery(query);
  const isThere = !chosen?.id || data.some(({ value }) => value === chosen.id);
  return isThere || !chosen?.id ? data : [{ value: chosen.id, label: chosen.name ?? `Person ${chosen.id}` }, ...data];
}
