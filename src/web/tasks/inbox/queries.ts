// What waits for the viewer's decision, and what the viewer decided.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { limits } from '#core/base/limits.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { type BoardTask, boardTaskFields } from '../shared/queries.ts';

const inboxDocument = graphql(
  `
    query Inbox($limit: Int!, $offset: Int!) {
      inbox(limit: $limit, offset: $offset) { ...BoardTask }
    }
  `,
  [boardTaskFields],
);
const decidedDocument = graphql(
  `
    query Decided($limit: Int!, $offset: Int!) {
      decided(limit: $limit, offset: $offset) {
        undoUntil
        entry { id event at change from to version }
        task { ...BoardTask }
      }
    }
  `,
  [boardTaskFields],
);
export type Decided = ResultOf<typeof decidedDocument>['decided'][number];
async function readInbox(signal: AbortSignal): Promise<BoardTask[]> {
  const found: BoardTask[] = [];
  const limit = limits.page;
  for (let offset = 0; ; offset += limit) {
    const { inbox } = await request(inboxDocument, { limit, offset }, { signal });
    // What was decided between two pages moved the rest up; nothing stands there twice.
    found.push(...inbox.filter((task) => !found.some(({ id }) => id === task.id)));
    if (inbox.length < limit) return found;
  }
}

/** A list that was on its way while a decision was made is older than what the decision answered. */
function keepNewer(known: unknown, read: unknown): unknown {
  if (!Array.isArray(known) || !Array.isArray(read)) return read;
  const versions = new Map((known as BoardTask[]).map((task) => [task.id, task]));
  return (read as BoardTask[]).map((task) => {
    const older = versions.get(task.id);
    return older && older.version > task.version ? older : task;
  });
}

/** Oldest first. Its key stands under `tasks`, so that whatever answers with a task keeps this list true too. */
export const inboxQuery = queryOptions({
  queryKey: ['tasks', 'inbox'],
  queryFn: ({ signal }) => readInbox(signal),
  structuralSharing: keepNewer,
  staleTime: 0,
  gcTime: 0,
});

const decidedPage = 50;

/** Newest first. */
export const decidedQuery = infiniteQueryOptions({
  queryKey: ['inbox', 'decided'],
  queryFn: async ({ signal, pageParam }) =>
    (await request(decidedDocument, { limit: decidedPage, offset: pageParam }, { signal })).decided,
  initialPageParam: 0,
  getNextPageParam: (last: readonly Decided[], pages: readonly (readonly Decided[])[]) =>
    last.length < decidedPage ? undefined : pages.length * decidedPage,
  staleTime: 0,
});

/** The counts of the frame and the third tab. */
export function rereadInbox(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['inbox'] });
}
