// A bulk change of people: its preview, and the change.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { graphql, type ResultOf, type VariablesOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { orWithoutNewFields, questionMs, request } from '#web/api/request.ts';
import { aboutPeople } from './users-queries.ts';

const preview = graphql(`
  query PreviewUserChanges($users: [UserVersion!]!, $change: SharedUserChange!) {
    previewUserChanges(users: $users, change: $change) {
      userId
      version
      changes { field before after }
      refusal
      lacking
    }
  }
`);
const apply = graphql(`
  mutation ChangeUsers($users: [UserVersion!]!, $change: SharedUserChange!) {
    changeUsers(users: $users, change: $change) { userId outcome code message }
  }
`);
const ties = graphql(`
  query AccountTies($userIds: [ID!]!) {
    accountTies(userIds: $userIds) { openTasks toDecide approves onlyApprover meetings tools }
  }
`);
const olderTies = graphql(`
  query OlderAccountTies($userId: ID!) {
    accountTies(userId: $userId) { openTasks toDecide approves onlyApprover meetings }
  }
`);
const olderTiesOfAll = graphql(`
  query OlderAccountTiesOfAll($userIds: [ID!]!) {
    accountTies(userIds: $userIds) { openTasks toDecide approves onlyApprover meetings }
  }
`);

const leftWithoutApprover = graphql(`
  query LeftWithoutApprover($userIds: [ID!]!, $role: String, $permissions: [String!]) {
    leftWithoutApprover(userIds: $userIds, role: $role, permissions: $permissions)
  }
`);

export type SharedChange = VariablesOf<typeof apply>['change'];
export type UserPreview = ResultOf<typeof preview>['previewUserChanges'][number];
export type UserResult = ResultOf<typeof apply>['changeUsers'][number];
export type Ties = ResultOf<typeof olderTies>['accountTies'] & { readonly tools?: readonly string[] };

export const previewQuery = (userIds: readonly string[], change: SharedChange | null) =>
  queryOptions({
    queryKey: ['people', 'preview', userIds, change],
    queryFn: async ({ signal }) =>
      (await request(preview, { users: userIds.map((userId) => ({ userId })), change: change! }, { signal }))
        .previewUserChanges,
    enabled: change !== null,
    staleTime: 0,
    gcTime: 0,
  });

/** What depends on one account, or on several together, counting what they share once. */
export const tiesQuery = (userIds: readonly string[], enabled: boolean) =>
  queryOptions({
    queryKey: ['people', 'ties', userIds],
    queryFn: async ({ signal }): Promise<Ties> => {
      const [userId = '', ...others] = userIds;
      const read = orWithoutNewFields<{ readonly accountTies: Ties }>(
        request(ties, { userIds: [...userIds] }, { signal }),
        // An even older one knows one account at a time.
        () =>
          others.length === 0
            ? request(olderTies, { userId }, { signal })
            : request(olderTiesOfAll, { userIds: [...userIds] }, { signal }),
      );
      return (await read).accountTies;
    },
    enabled,
    staleTime: 0,
    gcTime: 0,
  });

/** What these people get: one role for all, or direct permissions. */
export type GivenAccess = { readonly role: string } | { readonly permissions: readonly string[] };

/** Who has no approver left if these people get the role or the direct permissions. */
export const leftQuery = (userIds: readonly string[], given: GivenAccess | null) =>
  queryOptions({
    queryKey: ['people', 'left', userIds, given],
    queryFn: async ({ signal }) => {
      const part = given && 'role' in given ? given : { permissions: [...(given?.permissions ?? [])] };
      const options = { signal, answerMs: questionMs };
      return (await request(leftWithoutApprover, { userIds: [...userIds], ...part }, options)).leftWithoutApprover;
    },
    enabled: given !== null && userIds.length > 0,
    staleTime: 0,
    gcTime: 0,
    // It only warns, so a change doesn't wait for another try.
    retry: false,
  });

/** The same change for some people. */
export type Step = VariablesOf<typeof apply>;

/** The results of all steps, which run one after the other. */
export function useChangeUsers() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (steps: readonly Step[]) => {
      const results: UserResult[] = [];
      for (const step of steps) results.push(...(await request(apply, step, { isLong: true })).changeUsers);
      return results;
    },
    onSettled: () => void client.invalidateQueries(aboutPeople),
    meta: { quiet: true },
  });
}
