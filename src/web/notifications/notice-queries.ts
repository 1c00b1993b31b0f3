// The viewer's notifications: the unread count for the bell, and the list.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { canUseApplication } from '#core/access/access.ts';
import { mostNotices } from '#core/notifications/notice-inputs.ts';
import { alarmKinds } from '#core/notifications/notices.ts';
import { useChange } from '#web/api/change.ts';
import { afterFirstPage } from '#web/api/first-frame.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { fullPage, listQuery } from '#web/api/list-query.ts';
import { useLive, useLiveNotices } from '#web/api/live.ts';
import { request } from '#web/api/request.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useInboxCount } from '#web/shell/shell-queries.ts';
import { useReadOnly } from '#web/ui/writes.tsx';

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

const seeDocument = graphql(`
  mutation SeeNotices($ids: [ID!]!) {
    seeNotices(ids: $ids)
  }
`);

export type Notice = ResultOf<typeof listDocument>['notices'][number];

const everything = ['notices'] as const;

const countQuery = queryOptions({
  queryKey: [...everything, 'count'],
  queryFn: afterFirstPage(({ signal }) => request(countDocument, {}, { signal })),
  select: ({ unreadNotices }) => unreadNotices,
});

const pageSize = 20;

export const noticesQuery = listQuery({
  queryKey: [...everything, 'list'],
  read: async (before, signal) => {
    const { notices } = await request(listDocument, { before, limit: pageSize }, { signal });
    return fullPage(notices, pageSize, ({ id }) => id);
  },
});

/** The unread count; 0 until it is loaded. Updated while others work. */
export function useUnreadCount(): number {
  const viewer = useViewer();
  const client = useQueryClient();
  const { data } = useQuery({ ...countQuery, enabled: canUseApplication(viewer) });
  const again = () => void client.invalidateQueries({ queryKey: everything });
  useLiveNotices(again);
  // A decision notifies its owner in the same transaction as it changes the task, and so does its undo.
  useLive((change) => {
    if (change?.userId === viewer.id && change.actorId !== viewer.id) again();
  });
  const inbox = useInboxCount();
  const waiting = inbox && inbox.toApprove + inbox.toSignOff;
  const counted = useRef(waiting);
  // Some notifications count what waits, and are only shown while something does.
  useEffect(() => {
    if (counted.current !== null && counted.current !== waiting)
      void client.invalidateQueries({ queryKey: everything });
    counted.current = waiting;
  }, [client, waiting]);
  return data ?? 0;
}

/** Opening a task reads its notifications, also where no notification led there. Later ones stay unread. */
export function useReadByOpening(): void {
  const client = useQueryClient();
  const { data: unread } = useQuery({ ...countQuery, enabled: canUseApplication(useViewer()) });
  const readOnly = useReadOnly() !== null;
  const { mark } = useMarkNotices();
  const path = useLocation({
    select: ({ pathname, search }) => ('task' in search ? `${pathname}?task=${search.task}` : null),
  });
  const isCounted = unread !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each opened task.
  useEffect(() => {
    if (path === null || !unread || readOnly) return;
    client.fetchInfiniteQuery({ ...noticesQuery, staleTime: Infinity }).then(
      ({ pages }) => {
        const notices = pages.flatMap(({ rows }) => rows);
        const ids = notices.filter((notice) => !notice.read && notice.path === path).map(({ id }) => id);
        if (ids.length > 0) mark({ ids, read: true });
      },
      // The bell still leads to them.
      () => undefined,
    );
  }, [path, isCounted]);
}

/** Records which notifications the open list showed: an undo doesn't remove them without a word. */
export function useSeen(notices: readonly Notice[]): void {
  const readOnly = useReadOnly() !== null;
  const recorded = useRef(new Set<string>());
  useEffect(() => {
    const isNew = ({ id, read }: Notice) => !read && !recorded.current.has(id);
    const ids = notices.filter(isNew).map(({ id }) => id);
    if (readOnly || ids.length === 0) return;
    for (const id of ids) recorded.current.add(id);
    for (let sent = 0; sent < ids.length; sent += mostNotices) {
      const part = ids.slice(sent, sent + mostNotices);
      // Nobody waits for it: the next change of the list sends them again.
      request(seeDocument, { ids: part }).catch(() => part.forEach((id) => void recorded.current.delete(id)));
    }
  }, [notices, readOnly]);
}

/** Shown optimistically. */
export function useMarkNotices() {
  const client = useQueryClient();
  const guess = (isMeant: (notice: Notice) => boolean, read: boolean) => {
    const before = client.getQueryData(noticesQuery.queryKey);
    client.setQueryData(noticesQuery.queryKey, (known) =>
      known
        ? {
            ...known,
            pages: known.pages.map((page) => ({
              ...page,
              rows: page.rows.map((one) => (isMeant(one) ? { ...one, read } : one)),
            })),
          }
        : known,
    );
    return () => client.setQueryData(noticesQuery.queryKey, before);
  };
  /** The server keeps these unread, so a thief can't silence the alarm about their own sign-in. */
  const stayUnread = (isMeant: (notice: Notice) => boolean) =>
    client
      .getQueryData(noticesQuery.queryKey)
      ?.pages.some(({ rows }) => rows.some((one) => isMeant(one) && !one.read && alarmKinds.includes(one.kind)))
      ? { message: 'To mark changes to your account or access as read, sign in again first' }
      : null;
  const some = useChange({
    send: (variables: { ids: string[]; read: boolean }) => request(markDocument, variables),
    touches: [everything],
    guess: ({ ids, read }) => guess(({ id }) => ids.includes(id), read),
    done: (_data, { ids, read }) => (read ? stayUnread(({ id }) => ids.includes(id)) : null),
  });
  const all = useChange({
    send: (upTo: string) => request(markAllDocument, { upTo }),
    touches: [everything],
    guess: () => guess(() => true, true),
    done: () => stayUnread(() => true),
  });
  return { mark: some.mutate, markAll: all.mutate, isMarkingAll: all.isPending };
}
