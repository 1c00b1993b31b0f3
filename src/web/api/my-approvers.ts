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
        away { until delegate problem }
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

/** `own`: the sentence about the viewer's approvers; null until it is loaded, and for people without tasks. */
export function useMyApprovers() {
  const viewer = useViewer();
  const keepsTasks = can(viewer, topFivePermission);
  const query = useQuery({ ...myApproversQuery, enabled: keepsTasks });
  const { data } = query;
  return { query, own: data && keepsTasks ? ownApproversSentence(data.approvers, data.admins, viewer) : null };
}

export const useOwnApprovers = () => useMyApprovers().own;
