// The notices of the viewer: how many are unread, for the bell, and what they say, for the list that it opens.
import { infiniteQueryOptions, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { canUseApplication } from '#core/access/access.ts';
import { behindFirstPage } from '#web/api/first-frame.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { useLive, useLiveNotices } from '#web/api/live.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useInboxCount } from '#web/shell/shell-queries.ts';

const countDocument = graphql(`
  query UnreadNotices {
    unreadNotices
  }
`);

const listDocument = graphql(`
  query Notices($before: ID, $limit: Int) {
    notices(before: $before, limit: $limit) {
      id
      kind
      at
      read
      sentence
      detail
      path
    }
  }
`);

const markDocument = graphql(`
  mutation MarkNotices($ids: [ID!]!, $read: Boolean!) {
    markNotices(ids: $ids, read: $read)
  }
`);

const markAllDocument = graphql(`
  mutation MarkAllNotices($upTo: ID!) {
    markAllNotices(upTo: $upTo)
  }
`);

export type Notice = ResultOf<typeof listDocument>['notices'][number];

const everything = ['notices'] as const;

const countQuery = queryOptions({
  queryKey: [...everything, 'count'],
  queryFn: behindFirstPage(({ signal }) => request(countDocument, {}, { signal })),
  select: ({ unreadNotices }) => unreadNotices,
});

const pageSize = 20;

/** A page that is full may have another one behind it. */
export const noticesQuery = infiniteQueryOptions({
  queryKey: [...everything, 'list'],
  queryFn: async ({ pageParam, signal }) =>
    (await request(listDocument, { before: pageParam, limit: pageSize }, { signal })).notices,
  initialPageParam: null as string | null,
  getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.id ?? null)),
});

/** How many are unread; 0 until it is known. Kept true while others work. */
export function useUnreadCount(): number {
  const viewer = useViewer();
  const client = useQueryClient();
  const { data } = useQuery({ ...countQuery, enabled: canUseApplication(viewer) });
  const again = () => void client.invalidateQueries({ queryKey: everything });
  useLiveNotices(again);
  // A decision tells its owner in the same breath as it changes the task, and so does its undoing.
  useLive((change) => {
    if (change?.userId === viewer.id && change.actorId !== viewer.id) again();
  });
  const inbox = useInboxCount();
  const nothingWaits = inbox !== null && inbox.toApprove + inbox.toSignOff === 0;
  // What waits is told only while something does.
  useEffect(() => {
    if (nothingWaits) void client.invalidateQueries({ queryKey: everything });
  }, [client, nothingWaits]);
  return data ?? 0;
}

/** Shown at once; what the server says then is read again. */
export function useMarkNotices() {
  const client = useQueryClient();
  const guess = (isMeant: (notice: Notice) => boolean, read: boolean) =>
    client.setQueryData(noticesQuery.queryKey, (known) =>
      known
        ? { ...known, pages: known.pages.map((page) => page.map((one) => (isMeant(one) ? { ...one, read } : one))) }
        : known,
    );
  const settle = { onSettled: () => client.invalidateQueries({ queryKey: everything }) };
  const some = useMutation({
    mutationFn: (variables: { ids: string[]; read: boolean }) => request(markDocument, variables),
    onMutate: ({ ids, read }) => guess(({ id }) => ids.includes(id), read),
    ...settle,
  });
  const all = useMutation({
    mutationFn: (upTo: string) => request(markAllDocument, { upTo }),
    onMutate: () => guess(() => true, true),
    ...settle,
  });
  return { mark: some.mutate, markAll: all.mutate, isMarkingAll: all.isPending };
}
