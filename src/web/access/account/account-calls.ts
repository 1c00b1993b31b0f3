// What the account page reads and changes. Every change returns the remaining ways in.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { ClosableWay } from '#core/access/account-inputs.ts';
import { type WaysIn, waysInFields } from '#web/api/account.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { leaveForStep } from '#web/api/pending-step.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';
import { replaceToken } from '#web/api/session.ts';
import { useViewer } from '#web/api/viewer.ts';
import { showToast } from '#web/ui/toasts.tsx';

const accountDocument = graphql(
  `
    query MyAccount {
      myAccount { ...WaysInFields }
    }
  `,
  [waysInFields],
);
const newSignInsDocument = graphql(`
  query NewSignIns {
    newSignIns { id at device address how answerable }
  }
`);
const olderNewSignInsDocument = graphql(`
  query OlderNewSignIns {
    newSignIns { id at device address how }
  }
`);

type NewSignIn = ResultOf<typeof olderNewSignInsDocument>['newSignIns'][number] & {
  readonly answerable?: boolean | null;
};

export const accountQuery = queryOptions({
  queryKey: ['account', 'ways'],
  queryFn: async ({ signal }) => (await request(accountDocument, {}, { signal })).myAccount,
  // Other devices may sign in at any time.
  staleTime: 0,
});
export const newSignInsQuery = queryOptions({
  queryKey: ['account', 'new-sign-ins'],
  queryFn: async ({ signal }) => {
    const read = orWithoutNewFields<{ readonly newSignIns: readonly NewSignIn[] }>(
      request(newSignInsDocument, {}, { signal }),
      () => request(olderNewSignInsDocument, {}, { signal }),
    );
    return (await read).newSignIns;
  },
  staleTime: 0,
});
export type Session = WaysIn['sessions'][number];

const endDocument = graphql(
  `
    mutation EndSession($id: ID!) {
      endSession(id: $id) { ...WaysInFields }
    }
  `,
  [waysInFields],
);
const disconnectDocument = graphql(
  `
    mutation DisconnectIdentity($id: ID!) {
      disconnectIdentity(id: $id) { ...WaysInFields }
    }
  `,
  [waysInFields],
);
const revokeFeedDocument = graphql(`
  mutation RevokeFeedOfAccount($id: ID!) {
    revokeCalendarFeed(id: $id) { id }
  }
`);
const signOutDocument = graphql(
  `
    mutation SignOutEverywhere($also: [String!]!) {
      signOutEverywhere(also: $also) {
        token
        next
        waysIn { ...WaysInFields }
      }
    }
  `,
  [waysInFields],
);
const acknowledgeDocument = graphql(`
  mutation AcknowledgeSignIn($id: ID!) {
    acknowledgeSignIn(id: $id)
  }
`);

/** Makes a change, shows what remains, and rereads the log. */
function useAccountChange<Variables>(change: (variables: Variables) => Promise<WaysIn | null>, done: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (ways) => {
      if (ways) client.setQueryData(accountQuery.queryKey, ways);
      showToast({ message: done });
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['account'] }),
  });
}

export const useEndSession = () =>
  useAccountChange(async (id: string) => (await request(endDocument, { id })).endSession, 'Session signed out');
export const useDisconnect = () =>
  useAccountChange(
    async (id: string) => (await request(disconnectDocument, { id })).disconnectIdentity,
    'Company sign-in unlinked',
  );
export const useRevokeFeed = () =>
  useAccountChange(async (id: string) => {
    await request(revokeFeedDocument, { id });
    return null;
  }, 'Calendar feed revoked');
export function useSignOutEverywhere() {
  const { email } = useViewer();
  return useAccountChange(async (also: ClosableWay[]) => {
    const { signOutEverywhere } = await replaceToken(
      () => request(signOutDocument, { also }),
      (answer) => answer.signOutEverywhere.token,
    );
    const { next, token } = signOutEverywhere;
    if (next !== 'setUpSecondStep') return signOutEverywhere.waysIn;
    leaveForStep({ step: { next, stepToken: token, steps: [] }, email });
    // The page is being replaced.
    return new Promise<never>(() => {});
  }, 'Your other sessions are signed out');
}
export const useAcknowledge = () =>
  useAccountChange(async (id: string) => {
    await request(acknowledgeDocument, { id });
    return null;
  }, 'Thanks. We won’t ask about this sign-in again');
