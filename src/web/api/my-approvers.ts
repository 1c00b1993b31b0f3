// Who approves the viewer's tasks, for every page that tells them.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { can } from '#core/access/access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { ownApproversSentence } from '#core/people/approvers.ts';
import { graphql, type ResultOf } from './graphql.ts';
import { orWithoutNewFields, request } from './request.ts';
import { useViewer } from './viewer.ts';

const ownFields = graphql(`
  fragment OwnApprovers on MyApprovers @_unmask {
    approvers {
      id
      displayName
      decides
      away { until delegate problem }
    }
    admins {
      id
      displayName
    }
  }
`);
const approversDocument = graphql(
  `
    query MyApprovers {
      myApprovers { ...OwnApprovers approvers { awayFrom } contacts { displayName } }
    }
  `,
  [ownFields],
);
const olderDocument = graphql(
  `
    query OlderMyApprovers {
      myApprovers { ...OwnApprovers }
    }
  `,
  [ownFields],
);

type Older = ResultOf<typeof olderDocument>['myApprovers'];
type OwnApprovers = {
  readonly myApprovers: Older & { readonly contacts?: readonly { readonly displayName: string }[] };
};

const myApproversQuery = queryOptions({
  queryKey: ['people', 'my-approvers'],
  queryFn: async ({ signal }) => {
    const read = orWithoutNewFields<OwnApprovers>(request(approversDocument, {}, { signal }), () =>
      request(olderDocument, {}, { signal }),
    );
    return (await read).myApprovers;
  },
});

/** `own`: the sentence about the viewer's approvers; null until it is loaded, and for people without tasks. */
export function useMyApprovers() {
  const viewer = useViewer();
  const keepsTasks = can(viewer, topFivePermission);
  const query = useQuery({ ...myApproversQuery, enabled: keepsTasks });
  const { data } = query;
  return {
    query,
    own: data && keepsTasks ? ownApproversSentence(data.approvers, data.admins, viewer, data.contacts) : null,
  };
}

export const useOwnApprovers = () => useMyApprovers().own;
