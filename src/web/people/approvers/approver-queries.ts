// What approver management reads and sends.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { readPermission } from '#core/access/permissions.ts';
import { type ApproverMap, approverMap, type MappedPerson } from '#core/people/approver-map.ts';
import type { ApiError } from '#web/api/api-error.ts';
import { useChange } from '#web/api/change.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';
import { showToast } from '#web/ui/toasts.tsx';

const management = graphql(`
  query ApproverManagement {
    approverManagement {
      defaultApproverId
      defaultIsChosen
      defaultVersion
      people {
        id
        displayName
        email
        team
        role
        permissions
        disabled
        canSignIn
        ownApproverIds
        toApprove
        toSignOff
        decided
        medianWaited
        p90Waited
      }
    }
  }
`);

const pendingItems = graphql(`
  query PendingItems($userIds: [ID!]!) {
    pendingItems(userIds: $userIds) {
      id
      userId
      sprintId
      title
      status
      statusAt
    }
  }
`);

const setApprovers = graphql(`
  mutation SetApprovers($changes: [ApproversChange!]!) {
    setApprovers(changes: $changes) {
      defaultVersion
    }
  }
`);

const setDefaultApprover = graphql(`
  mutation SetDefaultApprover($approverId: ID, $version: Int) {
    setDefaultApprover(approverId: $approverId, version: $version) {
      defaultVersion
    }
  }
`);

type Read = ResultOf<typeof management>['approverManagement'];
export type Managed = Read['people'][number] & MappedPerson;
export type Management = Omit<Read, 'people'> & {
  readonly people: readonly Managed[];
  readonly map: ApproverMap<Managed>;
};

export const managementKey = ['people', 'approvers'] as const;

export const managementQuery = queryOptions({
  queryKey: managementKey,
  queryFn: async ({ signal }): Promise<Management> => {
    const { approverManagement: read } = await request(management, {}, { signal });
    const people = read.people.map((person) => ({
      ...person,
      permissions: person.permissions.map(readPermission).filter((permission) => permission !== null),
    }));
    return { ...read, people, map: approverMap(people, read.defaultApproverId) };
  },
  // Others change it too, and tasks come and go.
  refetchInterval: 30_000,
});

export const pendingQuery = (userIds: readonly string[]) =>
  queryOptions({
    queryKey: [...managementKey, 'pending', ...userIds],
    queryFn: async ({ signal }) => (await request(pendingItems, { userIds: [...userIds] }, { signal })).pendingItems,
    enabled: userIds.length > 0,
    gcTime: 0,
  });

/** A person's own approvers before and after. */
export type Change = {
  readonly userId: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
};

type Sending = { readonly changes: readonly Change[]; readonly message: string };

const sendApprovers = (changes: readonly Change[]) =>
  request(setApprovers, {
    changes: changes.map(({ userId, before, after }) => ({ userId, approverIds: [...after], known: [...before] })),
  });

/** The caller handles refusals. */
export function useSetApprovers() {
  return useChange({
    send: ({ changes }: Sending) => sendApprovers(changes),
    touches: [['people']],
    meta: { quiet: true },
    done: (_done, { changes, message }) => ({
      message,
      undo: () => sendApprovers(changes.map((one) => ({ ...one, before: one.after, after: one.before }))),
      undone: 'Approvers restored',
    }),
  });
}

type Choosing = { readonly approverId: string | null; readonly version: number };

export function useSetDefaultApprover() {
  const client = useQueryClient();
  return useMutation<void, ApiError, Choosing>({
    mutationFn: async (choice) => {
      await request(setDefaultApprover, choice);
      await client.invalidateQueries({ queryKey: ['people'] });
    },
    onSuccess: () => showToast({ message: 'Default approver saved' }),
  });
}
