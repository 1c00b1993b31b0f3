// What user management reads: all people once, and one person in detail.
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { userLimits } from '#core/people/accounts.ts';
import { waysInFields } from '#web/api/account.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { secondFactorFields } from '#web/api/second-factors.ts';

export const userFields = graphql(`
  fragment ManagedUserFields on ManagedUser @_unmask {
    id
    email
    firstName
    lastName
    displayName
    role
    team
    approverId
    top5Invisible
    top5From
    top5Bound
    disabled
    hasPassword
    linkUntil
  }
`);

const everybody = graphql(
  `
    query ManagedUsers($after: ID) {
      managedUsers(after: $after) { ...ManagedUserFields }
    }
  `,
  [userFields],
);

const onePerson = graphql(
  `
    query ManagedUser($userId: ID!) {
      managedUser(userId: $userId) {
        user { ...ManagedUserFields }
        version
        grants
        rolePermissions
        controlRefusal
        reachRefusal
        linksAreMailed
        waysIn { ...WaysInFields }
      }
    }
  `,
  [userFields, waysInFields],
);

const factorsOfPerson = graphql(
  `
    query SecondFactorsOf($id: ID!) {
      secondFactorsOf(id: $id) { ...SecondFactorFields }
    }
  `,
  [secondFactorFields],
);

const roles = graphql(`
  query AssignableRoles {
    assignableRoles { name permissions }
  }
`);

export type User = ResultOf<typeof userFields>;
export type UserDetail = ResultOf<typeof onePerson>['managedUser'];
export type Role = ResultOf<typeof roles>['assignableRoles'][number];

/** Everyone, a thousand at a time: searching two thousand rows here is faster than asking the server. */
export const usersQuery = queryOptions({
  queryKey: ['people', 'managed'],
  queryFn: async ({ signal }) => {
    const users: User[] = [];
    for (;;) {
      const { managedUsers } = await request(everybody, { after: users.at(-1)?.id ?? null }, { signal });
      users.push(...managedUsers);
      if (managedUsers.length < userLimits.page) return users;
    }
  },
  meta: { what: 'Loading the people' },
});

export const userQuery = (userId: string) =>
  queryOptions({
    queryKey: ['people', 'managed', userId],
    queryFn: async ({ signal }) => (await request(onePerson, { userId }, { signal })).managedUser,
    // Several people may edit the same person, so always show the current state.
    staleTime: 0,
    gcTime: 0,
  });

/** Only admins can read them. */
export const secondFactorsOf = (userId: string) =>
  queryOptions({
    queryKey: ['people', 'second-factors', userId],
    queryFn: async ({ signal }) => (await request(factorsOfPerson, { id: userId }, { signal })).secondFactorsOf,
    staleTime: 0,
    gcTime: 0,
  });

export const rolesQuery = queryOptions({
  queryKey: ['people', 'roles'],
  queryFn: async ({ signal }) => (await request(roles, {}, { signal })).assignableRoles,
});

/** Puts the server's person into the list, and invalidates everything else about people. */
export function keepUser(client: QueryClient, user: User): void {
  client.setQueryData(usersQuery.queryKey, (users) =>
    users?.some(({ id }) => id === user.id)
      ? users.map((other) => (other.id === user.id ? user : other))
      : users && [...users, user],
  );
  void client.invalidateQueries({
    queryKey: ['people'],
    predicate: ({ queryKey }) => queryKey.length !== usersQuery.queryKey.length || queryKey[1] !== 'managed',
  });
}

/** A person form's values. Empty: no role, no team. */
export type UserValues = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string;
  readonly team: string;
  readonly approverId: readonly string[];
  readonly top5: boolean;
  readonly top5Invisible: boolean;
  readonly reason: string;
};
