// What user management reads: the people in pages, and one person in detail.
import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { nobody, type UsersSearch } from '#core/people/people-search.ts';
import { waysInFields } from '#web/api/account.ts';
import { download } from '#web/api/download.ts';
import { graphql, type ResultOf, type VariablesOf } from '#web/api/graphql.ts';
import { listQuery } from '#web/api/list-query.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';
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
    approverNames
    byDefault
    top5Invisible
    top5From
    top5Bound
    disabled
    hasPassword
    linkUntil
    approves
    approverWarning
  }
`);

const page = graphql(
  `
    query ManagedUsers($find: String, $list: String, $role: String, $team: String, $state: String, $withoutApprover: Boolean, $roleRequested: Boolean, $awayNow: Boolean, $backThisWeek: Boolean, $sort: String, $desc: Boolean, $after: ID) {
      managedUsers(find: $find, list: $list, role: $role, team: $team, state: $state, withoutApprover: $withoutApprover, roleRequested: $roleRequested, awayNow: $awayNow, backThisWeek: $backThisWeek, sort: $sort, desc: $desc, after: $after) {
        people { ...ManagedUserFields awayUntil }
        permitted
        logged
        next
      }
    }
  `,
  [userFields],
);

const olderPage = graphql(
  `
    query OlderManagedUsers($find: String, $list: String, $role: String, $team: String, $state: String, $withoutApprover: Boolean, $roleRequested: Boolean, $backThisWeek: Boolean, $sort: String, $desc: Boolean, $after: ID) {
      managedUsers(find: $find, list: $list, role: $role, team: $team, state: $state, withoutApprover: $withoutApprover, roleRequested: $roleRequested, backThisWeek: $backThisWeek, sort: $sort, desc: $desc, after: $after) {
        people { ...ManagedUserFields }
        permitted
        logged
        next
      }
    }
  `,
  [userFields],
);

const ticket = graphql(`
  mutation PeopleTicket($find: String, $list: String, $role: String, $team: String, $state: String, $withoutApprover: Boolean, $roleRequested: Boolean, $awayNow: Boolean, $backThisWeek: Boolean, $sort: String, $desc: Boolean) {
    createPeopleTicket(find: $find, list: $list, role: $role, team: $team, state: $state, withoutApprover: $withoutApprover, roleRequested: $roleRequested, awayNow: $awayNow, backThisWeek: $backThisWeek, sort: $sort, desc: $desc)
  }
`);

const detailFields = graphql(
  `
    fragment ManagedUserDetailFields on ManagedUserDetail @_unmask {
      user { ...ManagedUserFields }
      version
      grants
      rolePermissions
      controlRefusal
      reachRefusal
      linksAreMailed
      rolesAsked { role by at }
      waysIn { ...WaysInFields }
    }
  `,
  [userFields, waysInFields],
);

const onePerson = graphql(
  `
    query ManagedUser($userId: ID!) {
      managedUser(userId: $userId) {
        ...ManagedUserDetailFields
        user { awayUntil }
        rolesAsked { own }
        refusedChoices { field value message }
      }
    }
  `,
  [detailFields],
);

const olderOnePerson = graphql(
  `
    query OlderManagedUser($userId: ID!) {
      managedUser(userId: $userId) { ...ManagedUserDetailFields }
    }
  `,
  [detailFields],
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
    assignableRoles { name permissions version }
  }
`);

/** Only the list and the panel read until when someone is away. */
export type User = ResultOf<typeof userFields> & { readonly awayUntil?: string | null };
type ReadDetail = ResultOf<typeof detailFields>;
/** An older server, during an upgrade, doesn't say whose request it is. */
type RoleAsked = ReadDetail['rolesAsked'][number] & { readonly own?: boolean };
export type UserDetail = Omit<ReadDetail, 'user' | 'rolesAsked'> & {
  readonly user: User;
  readonly rolesAsked: readonly RoleAsked[];
  /** Not from an older server, during an upgrade. */
  readonly refusedChoices?: ResultOf<typeof onePerson>['managedUser']['refusedChoices'];
};
/** What the viewer can't choose in one field, by value, with the reason. */
export type Refused = ReadonlyMap<string, string>;
export const refusedIn = ({ refusedChoices = [] }: Partial<UserDetail>, wanted: keyof UserValues): Refused =>
  new Map(refusedChoices.flatMap(({ field, value, message }) => (field === wanted ? [[value, message] as const] : [])));
export type Role = ResultOf<typeof roles>['assignableRoles'][number];

/** The lists, the counts and one person's details: most changes of a person show in all of them. */
export const aboutPeople = { queryKey: ['people'] } as const;

const pagesKey = ['people', 'managed', 'pages'] as const;
const orNothing = (wanted: string | undefined) => (wanted === nobody ? '' : (wanted ?? null));

const choiceOf = ({ q, list, role, team, state, approver, asked, away, back, sort, desc }: UsersSearch) => ({
  ...{ find: q ?? null, list: list ?? null, role: orNothing(role), team: orNothing(team), state: state ?? null },
  ...{ withoutApprover: approver !== undefined, roleRequested: asked !== undefined, awayNow: away !== undefined },
  ...{ backThisWeek: back !== undefined, sort: sort ?? null, desc: desc !== undefined },
});

/** As a file that the import reads. */
export async function downloadPeople(search: UsersSearch): Promise<void> {
  download((await request(ticket, choiceOf(search))).createPeopleTicket);
}

type Listed = Omit<ResultOf<typeof page>['managedUsers'], 'people'> & { readonly people: readonly User[] };

async function readPage(asked: VariablesOf<typeof page>, signal: AbortSignal): Promise<Listed> {
  const { awayNow, ...known } = asked;
  const answer = request(page, asked, { signal });
  // Without this filter, it would be a list of everyone.
  if (awayNow) return (await answer).managedUsers;
  const read = orWithoutNewFields<{ readonly managedUsers: Listed }>(answer, () =>
    request(olderPage, known, { signal }),
  );
  return (await read).managedUsers;
}

export const usersQuery = (search: UsersSearch) => {
  const choice = choiceOf(search);
  const { list } = search;
  return listQuery({
    queryKey: [...pagesKey, choice],
    read: async (after, signal) => {
      const { people, ...rest } = await readPage({ ...choice, after }, signal);
      const { permitted, logged } = rest;
      return { ...rest, rows: people, total: list ? rest[list] : permitted + logged };
    },
  });
};

export const userQuery = (userId: string) =>
  queryOptions({
    queryKey: ['people', 'managed', userId],
    queryFn: async ({ client, signal }) => {
      const read = orWithoutNewFields<{ readonly managedUser: UserDetail }>(
        request(onePerson, { userId }, { signal }),
        () => request(olderOnePerson, { userId }, { signal }),
      );
      const detail = (await read).managedUser;
      // Others may have changed the person since the list was read.
      showUser(client, detail.user);
      return detail;
    },
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

type UsersPage = { readonly rows: readonly User[]; readonly permitted: number; readonly logged: number };
type Pages = InfiniteData<UsersPage, string | null>;

/** Shows the person in the lists that have them, and in the counts. The lists are not read again. */
export function showUser(client: QueryClient, user: User): void {
  client.setQueriesData<Pages>({ queryKey: pagesKey }, (data) => {
    const before = data?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === user.id);
    if (!data || !before) return data;
    const moved = Number(user.top5From !== null) - Number(before.top5From !== null);
    const pages = data.pages.map((one) => ({
      ...one,
      permitted: one.permitted + moved,
      logged: one.logged - moved,
      rows: one.rows.map((row) => (row.id === user.id ? { ...row, ...user } : row)),
    }));
    return { ...data, pages };
  });
}

/** Shows the server's person, and reads everything about people again. */
export function keepUser(client: QueryClient, user: User): void {
  showUser(client, user);
  void client.invalidateQueries(aboutPeople);
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
