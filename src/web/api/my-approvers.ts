// Who approves the viewer's tasks, for every page that tells them.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { can } from '#core/access/access.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { ownApproversSentence } from '#core/people/approvers.ts';
import { graphql } from './graphql.ts';
import { request } from './request.ts';
import { useViewer } from './viewer.ts';

const approversDocument = graphql(`
  query MyApprovers {
    myApprovers {
      approvers {
        id
        displayName
        decides
      }
      admins {
        id
        displayName
      }
    }
  }
`);

const myApproversQuery = queryOptions({
  queryKey: ['people', 'my-approvers'],
  queryFn: async ({ signal }) => (await request(approversDocument, {}, { signal })).myApprovers,
});

/** The sentence about the viewer's approvers; null until it is loaded, and for people without tasks. */
export function useOwnApprovers(): ReturnType<typeof ownApproversSentence> | null {
  const viewer = useViewer();
  const keepsTasks = can(viewer, topFivePermission);
  const { data } = useQuery({ ...myApproversQuery, enabled: keepsTasks });
  return data && keepsTasks ? ownApproversSentence(data.approvers, data.admins, viewer) : null;
}
