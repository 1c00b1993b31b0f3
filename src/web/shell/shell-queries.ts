// What the frame around every page shows: the sprint with its time left, and what waits for a decision.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { canUseApplication, refusalAt } from '#core/access/access.ts';
import { behindFirstPage } from '#web/api/first-frame.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { useLive } from '#web/api/live.ts';
import { request } from '#web/api/request.ts';
import { useViewer, viewerQuery } from '#web/api/viewer.ts';
import { navigationTarget } from './navigation-target.ts';

const sprintDocument = graphql(`
  query ShellSprint {
    getSprints {
      id
      name
      current
      startDate
      endDate
    }
  }
`);

const inboxDocument = graphql(`
  query ShellInbox {
    inboxCount {
      toApprove
      toSignOff
    }
  }
`);

const currentSprintQuery = queryOptions({
  queryKey: ['sprints', 'shell'],
  queryFn: behindFirstPage(({ signal }) => request(sprintDocument, {}, { signal })),
  select: ({ getSprints }: ResultOf<typeof sprintDocument>) => getSprints.find((sprint) => sprint.current) ?? null,
  staleTime: 5 * 60_000,
});

/** The sprint that runs now; null until it is known, and for those who may not use the application. */
export function useCurrentSprint() {
  const { data } = useQuery({ ...currentSprintQuery, enabled: canUseApplication(useViewer()) });
  return data ?? null;
}

/** Pages that decide tasks invalidate `['inbox']`; the frame and the inbox itself share it. */
const inboxCountQuery = queryOptions({
  queryKey: ['inbox', 'count'],
  queryFn: behindFirstPage(({ signal }) => request(inboxDocument, {}, { signal })),
});

export type InboxCount = { readonly toApprove: number; readonly toSignOff: number };

/** What waits for the viewer's decision; null for those who decide nothing. */
export function useInboxCount(): InboxCount | null {
  const viewer = useViewer();
  const approvals = navigationTarget(viewer, 'approvals');
  const decides = approvals !== null && refusalAt(viewer, approvals.path) === null;
  const { data } = useQuery({ ...inboxCountQuery, enabled: decides });
  return decides ? (data?.inboxCount ?? null) : null;
}

/** Keeps the counts true while others work, and the page within what the viewer may do by now (D14). */
export function useLiveShell(): void {
  const client = useQueryClient();
  const router = useRouter();
  useLive(async (change) => {
    void client.invalidateQueries({ queryKey: ['inbox', 'count'] });
    if (change !== null) return;
    const before = client.getQueryData(viewerQuery.queryKey);
    await client.invalidateQueries({ queryKey: viewerQuery.queryKey });
    // Answers that are the same stay the same object.
    if (client.getQueryData(viewerQuery.queryKey) !== before) await router.invalidate();
  });
}
