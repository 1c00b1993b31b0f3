// A bulk change of people: its preview, and the change.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { graphql, type ResultOf, type VariablesOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';
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
  query AccountTies($userId: ID!) {
    accountTies(userId: $userId) { openTasks toDecide approves onlyApprover meetings }
  }
`);

export type SharedChange = VariablesOf<typeof apply>['change'];
export type UserPreview = ResultOf<typeof preview>['previewUserChanges'][number];
export type UserResult = ResultOf<typeof apply>['changeUsers'][number];
export type Ties = ResultOf<typeof ties>['accountTies'];

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

export const tiesQuery = (userId: string, enabled: boolean) =>
  queryOptions({
    queryKey: ['people', 'ties', userId],
    queryFn: async ({ signal }) => (await request(ties, { userId }, { signal })).accountTies,
    enabled,
    staleTime: 0,
    gcTime: 0,
  });

/** Of several accounts together, read one after the other: nobody waits for them but this dialog. */
export const tiesOfAllQuery = (userIds: readonly string[], enabled: boolean) =>
  queryOptions({
    queryKey: ['people', 'ties', userIds],
    queryFn: async ({ signal }) => {
      const all: Ties[] = [];
      for (const userId of userIds) all.push((await request(ties, { userId }, { signal })).accountTies);
      const sum = (count: (one: Ties) => number) => all.reduce((before, one) => before + count(one), 0);
      const once = (list: (one: Ties) => string[]) => [...new Set(all.flatMap(list))];
      return {
        openTasks: sum(({ openTasks }) => openTasks),
        toDecide: sum(({ toDecide }) => toDecide),
        onlyApprover: once(({ onlyApprover }) => onlyApprover),
        meetings: once(({ meetings }) => meetings),
      };
    },
    enabled,
    staleTime: 0,
    gcTime: 0,
  });

export function useChangeUsers() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (variables: VariablesOf<typeof apply>) =>
      (await request(apply, variables, { isLong: true })).changeUsers,
    onSettled: () => void client.invalidateQueries(aboutPeople),
    meta: { quiet: true },
  });
}
