// What approver management reads and sends.
import { queryOptions } from '@tanstack/react-query';
import { limits } from '#core/base/limits.ts';
import type { ApproversSearch } from '#core/people/people-search.ts';
import { useChange } from '#web/api/change.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { listQuery } from '#web/api/list-query.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';
import type { Order } from '#web/ui/data-table.tsx';

const managedFields = graphql(`
  fragment ManagedPersonFields on ManagedPerson @_unmask {
    id
    displayName
    role
    team
    disabled
    ownApproverIds
    toApprove
    toSignOff
    away { until delegate problem }
  }
`);

const managementFields = graphql(`
  fragment ManagementFields on ApproverManagement @_unmask {
    defaultApproverId
    defaultIsChosen
    defaultVersion
    counts { active disabled approvers tasks undecided none circle waiting }
  }
`);
const management = graphql(
  `
    query ApproverManagement {
      approverManagement { ...ManagementFields counts { unable } }
    }
  `,
  [managementFields],
);
const olderManagement = graphql(
  `
    query OlderApproverManagement {
      approverManagement { ...ManagementFields }
    }
  `,
  [managementFields],
);

const people = graphql(
  `
    query PeopleWithApprovers($id: ID, $approverId: ID, $show: String, $search: String, $sort: String, $desc: Boolean, $limit: Int, $after: ID) {
      approverManagement {
        people(id: $id, approverId: $approverId, show: $show, search: $search, sort: $sort, desc: $desc, limit: $limit, after: $after) {
          rows {
            person { ...ManagedPersonFields }
            approvers { id displayName warning }
            byDefault
            unapproved
            circle
          }
          total
          next
        }
      }
    }
  `,
  [managedFields],
);

const approvers = graphql(
  `
    query ApproversWithPeople($id: ID, $search: String, $sort: String, $desc: Boolean, $after: ID) {
      approverManagement {
        approvers(id: $id, search: $search, sort: $sort, desc: $desc, after: $after) {
          rows {
            approver { ...ManagedPersonFields warning }
            people
            toApprove
            toSignOff
            medianWaited
            p90Waited
          }
          total
          next
        }
      }
    }
  `,
  [managedFields],
);

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

export type Managed = ResultOf<typeof managedFields>;
type OlderManagement = ResultOf<typeof managementFields>;
export type Management = OlderManagement & { readonly counts: { readonly unable?: number } };
export type PersonRow = ResultOf<typeof people>['approverManagement']['people']['rows'][number];
export type ApproverRow = ResultOf<typeof approvers>['approverManagement']['approvers']['rows'][number];

export const managementKey = ['people', 'approvers'] as const;
/** Others change it too, and tasks come and go. */
const everyMs = 30_000;
/** Whether a list is read again by itself: several pages cost the server too much. */
export const isReadAgain = (pages: readonly unknown[]): boolean => pages.length <= 1;
const every = (pages: readonly unknown[]) => isReadAgain(pages) && everyMs;

export const managementQuery = queryOptions({
  queryKey: managementKey,
  queryFn: async ({ signal }) => {
    const read = orWithoutNewFields<{ readonly approverManagement: Management }>(
      request(management, {}, { signal }),
      () => request(olderManagement, {}, { signal }),
    );
    return (await read).approverManagement;
  },
  refetchInterval: everyMs,
});

/** A list's search, in the order that its head shows. */
type Listed = { readonly search: string; readonly order: Order | undefined };

/** A list's first page says when the whole list was read: later ones are read alone, too. */
const withTime = <Page extends object>(page: Page) => ({ ...page, readAt: Date.now() });

const listed = ({ search, order }: Listed) => ({
  ...{ search, sort: order?.id ?? null, desc: order?.desc ?? false },
});

export const peopleQuery = ({ show, ...list }: Listed & { readonly show: ApproversSearch['show'] | null }) =>
  listQuery({
    queryKey: [...managementKey, 'people', show, list],
    read: async (after, signal) =>
      withTime(
        (await request(people, { ...listed(list), show: show ?? null, after }, { signal })).approverManagement.people,
      ),
    every,
  });

export const approversQuery = (list: Listed) =>
  listQuery({
    queryKey: [...managementKey, 'approvers', list],
    read: async (after, signal) =>
      withTime((await request(approvers, { ...listed(list), after }, { signal })).approverManagement.approvers),
    every,
  });

/**
 * The person or the approver that the address opens, who may be on no page that was read. Not from the
 * cache: a form begins with the current approvers.
 */
export const personRowQuery = (id: string) =>
  queryOptions({
    queryKey: [...managementKey, 'person', id],
    queryFn: async ({ signal }) =>
      (await request(people, { id }, { signal })).approverManagement.people.rows[0] ?? null,
    gcTime: 0,
  });

export const approverRowQuery = (id: string) =>
  queryOptions({
    queryKey: [...managementKey, 'approver', id],
    queryFn: async ({ signal }) =>
      (await request(approvers, { id }, { signal })).approverManagement.approvers.rows[0] ?? null,
    gcTime: 0,
  });

/** The people of an approver. A page has as many as the server allows, because all of them are reassigned. */
export const peopleOfQuery = (approverId: string) =>
  listQuery({
    queryKey: [...managementKey, 'people-of', approverId],
    read: async (after, signal) =>
      (await request(people, { approverId, limit: limits.page, after }, { signal })).approverManagement.people,
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

/** Undo of a change that was saved with the person. */
export const useRestoreApprovers = () =>
  useChange({
    send: (change: Change) => sendApprovers([change]),
    touches: [['people']],
    done: () => ({ message: 'Approvers restored' }),
  });

type Choosing = {
  readonly approverId: string | null;
  readonly from: Management;
};

export function useSetDefaultApprover() {
  const send = async (approverId: string | null, version: number) =>
    (await request(setDefaultApprover, { approverId, version })).setDefaultApprover.defaultVersion;
  return useChange({
    send: ({ approverId, from }: Choosing) => send(approverId, from.defaultVersion),
    touches: [['people']],
    done: (version, { from }) => ({
      message: 'Default approver saved',
      // The configuration decides until someone chooses, and no choice brings that back. Where it names
      // nobody, the choice of nobody is the same until it names someone.
      undo:
        from.defaultIsChosen || from.defaultApproverId === null
          ? () => send(from.defaultApproverId, version)
          : undefined,
      undone: 'Default approver restored',
    }),
  });
}
