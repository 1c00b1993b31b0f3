// What the permission doctor reads.
import { queryOptions } from '@tanstack/react-query';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const findingsDocument = graphql(`
  query PermissionFindings {
    permissionFindings {
      kind
      about
      key
      name
      detail
    }
  }
`);

const peopleDocument = graphql(`
  query PeopleToExplain($search: String, $id: ID) {
    peopleToExplain(search: $search, id: $id) {
      id
      name
      role
    }
  }
`);

const explanationDocument = graphql(`
  query ExplainedAccess($personId: ID!, $path: String!, $product: String) {
    explainedAccess(personId: $personId, path: $path, product: $product) {
      sees
      message
      checks {
        name
        outcome
        sentence
      }
      mends {
        kind
        permission
        roles
      }
    }
  }
`);

const rolesDocument = graphql(`
  query ViewableRoles {
    viewableRoles
  }
`);

export type Finding = ResultOf<typeof findingsDocument>['permissionFindings'][number];
export type Explanation = ResultOf<typeof explanationDocument>['explainedAccess'];

export const findingsQuery = queryOptions({
  queryKey: ['roles', 'findings'],
  queryFn: ({ signal }) => request(findingsDocument, {}, { signal }),
  select: ({ permissionFindings }) => permissionFindings,
  staleTime: 0,
});

export const peopleQuery = (wanted: { readonly search: string } | { readonly id: string }) =>
  queryOptions({
    queryKey: ['people', 'to-explain', wanted],
    queryFn: ({ signal }) => request(peopleDocument, wanted, { signal }),
    select: ({ peopleToExplain }) => peopleToExplain,
    placeholderData: (before) => before,
  });

export const explanationQuery = (personId: string, path: string, product: string | null) =>
  queryOptions({
    queryKey: ['roles', 'explained', personId, path, product],
    queryFn: ({ signal }) => request(explanationDocument, { personId, path, product }, { signal }),
    select: ({ explainedAccess }) => explainedAccess,
    staleTime: 0,
  });

export const viewableRolesQuery = queryOptions({
  queryKey: ['roles', 'viewable'],
  queryFn: ({ signal }) => request(rolesDocument, {}, { signal }),
  select: ({ viewableRoles }) => viewableRoles,
});
