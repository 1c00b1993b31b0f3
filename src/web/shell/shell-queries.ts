// The layout's data: the sprint with its time left, and the number of waiting decisions.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { canUseApplication, refusalAt } from '#core/access/access.ts';
import { untilNextPhase } from '#core/tasks/sprint.ts';
import { afterFirstPage } from '#web/api/first-frame.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { useLive, useReadAgain } from '#web/api/live.ts';
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
  queryFn: afterFirstPage(({ signal }) => request(sprintDocument, {}, { signal })),
  select: ({ getSprints }: ResultOf<typeof sprintDocument>) => getSprints.find((sprint) => sprint.current) ?? null,
  staleTime: 5 * 60_000,
  refetchInterval: ({ state }) => untilNextPhase(state.data?.getSprints ?? [], Date.now()),
});

/** The current sprint; null until it is loaded, and for people without access to the application. */
export function useCurrentSprint() {
  const { data } = useQuery({ ...currentSprintQuery, enabled: canUseApplication(useViewer()) });
  return data ?? null;
}

/** Pages that decide tasks invalidate `['inbox']`; the layout and the inbox share it. */
const inboxCountQuery = queryOptions({
  queryKey: ['inbox', 'count'],
  queryFn: afterFirstPage(({ signal }) => request(inboxDocument, {}, { signal })),
});

export type InboxCount = { readonly toApprove: number; readonly toSignOff: number };

/** What waits for the viewer's decision; null for people who decide nothing. */
export function useInboxCount(): InboxCount | null {
  const viewer = useViewer();
  const approvals = navigationTarget(viewer, 'approvals');
  const decides = approvals !== null && refusalAt(viewer, approvals.path) === null;
  const { data } = useQuery({ ...inboxCountQuery, enabled: decides });
  return decides ? (data?.inboxCount ?? null) : null;
}

/** Updates the counts while others work, and the page to the viewer's current permissions (D14). */
export function useLiveShell(): void {
  const count = useReadAgain(inboxCountQuery.queryKey);
  const readAgain = useReadShellAgain();
  useLive(async (change) => {
    count();
    if (change === null) await readAgain();
  });
  const sprintId = useCurrentSprint()?.id;
  const counted = useRef(sprintId);
  useEffect(() => {
    // The next sprint has other tasks to decide, and nothing reports its start.
    if (counted.current !== undefined && sprintId !== undefined && counted.current !== sprintId) count();
    counted.current = sprintId ?? counted.current;
  }, [sprintId, count]);
}

/** Reads again what can change without a message about it. */
export function useReadShellAgain(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async () => {
    // A holiday can have moved the end of a sprint.
    void client.invalidateQueries({ queryKey: ['sprints'] });
    // Whose tasks one decides can have changed too.
    void client.invalidateQueries({ queryKey: ['people'] });
    const before = client.getQueryData(viewerQuery.queryKey);
    await client.invalidateQueries({ queryKey: viewerQuery.queryKey });
    // Equal answers keep their object identity.
    if (client.getQueryData(viewerQuery.queryKey) !== before) await router.invalidate();
  };
}
