// What waits for the viewer's decision, and their past decisions.
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { limits } from '#core/base/limits.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { fullPage, listQuery } from '#web/api/list-query.ts';
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
    query Decided($limit: Int!, $after: ID) {
      decided(limit: $limit, after: $after) {
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
    // Decisions between two pages shift the rest, so duplicates are dropped.
    found.push(...inbox.filter((task) => !found.some(({ id }) => id === task.id)));
    if (inbox.length < limit) return found;
  }
}

/** A list requested before a decision is older than the decision's answer. */
function keepNewer(known: unknown, read: unknown): unknown {
  if (!Array.isArray(known) || !Array.isArray(read)) return read;
  const versions = new Map((known as BoardTask[]).map((task) => [task.id, task]));
  return (read as BoardTask[]).map((task) => {
    const older = versions.get(task.id);
    return older && older.version > task.version ? older : task;
  });
}

/** Oldest first. Its key is under `tasks`, so every answer with a task updates it. */
export const inboxQuery = queryOptions({
  queryKey: ['tasks', 'inbox'],
  queryFn: ({ signal }) => readInbox(signal),
  structuralSharing: keepNewer,
  staleTime: 0,
  gcTime: 0,
});

const decidedPage = 50;

/** Newest first. */
export const decidedQuery = listQuery({
  queryKey: ['inbox', 'decided'],
  read: async (after, signal) => {
    const { decided } = await request(decidedDocument, { limit: decidedPage, after }, { signal });
    return fullPage(decided, decidedPage, ({ entry }) => entry.id);
  },
});

/** The counts in the layout and the third tab. */
export function rereadInbox(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['inbox'] });
}
