// What waits for the viewer's decision, what the viewer decided, and the calls that decide.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { limits } from '#core/inputs.ts';
import type { Decision } from '#core/task-status.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { type BoardTask, type FullTask, fullTaskFields } from './task-queries.ts';

/** What a row of the queue shows: no bodies, as 300 of them would weigh megabytes. */
const queuedTaskFields = graphql(`
  fragment QueuedTask on Task @_unmask {
    id
    userId
    owner { id displayName team }
    ownerApproverIds
    createdBy { id displayName team }
    sprintId
    status
    statusSince
    title
    category
    change
    reason
    created
    extra
    carriedOver
    withdrawn
    version
    notes { id }
    attachments { id }
  }
`);

const inboxDocument = graphql(
  `
    query Inbox($limit: Int!, $offset: Int!) {
      inbox(limit: $limit, offset: $offset) { ...QueuedTask }
    }
  `,
  [queuedTaskFields],
);
const decidedDocument = graphql(
  `
    query Decided($limit: Int!, $offset: Int!) {
      decided(limit: $limit, offset: $offset) {
        undoUntil
        entry { id event at change from to version }
        task { ...QueuedTask }
      }
    }
  `,
  [queuedTaskFields],
);
const decideDocument = graphql(
  `
    mutation DecideTasks($decisions: [TaskDecision!]!) {
      decideTasks(decisions: $decisions) {
        taskId
        ok
        code
        message
        task { ...FullTask }
      }
    }
  `,
  [fullTaskFields],
);

export type Decided = ResultOf<typeof decidedDocument>['decided'][number];
export type DecisionResult = Omit<ResultOf<typeof decideDocument>['decideTasks'][number], 'task'> & {
  readonly task: FullTask | null;
};

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
  meta: { what: 'Loading the approvals' },
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
  meta: { what: 'Loading your decisions' },
});

export type DecisionsCall = {
  readonly tasks: readonly BoardTask[];
  readonly decision: Decision;
  readonly change?: string | undefined;
};

/** One call for all, each with the version that the person looked at: who decides on another text is told (D25). */
export async function decideTasks({ tasks, decision, change }: DecisionsCall): Promise<readonly DecisionResult[]> {
  const results: DecisionResult[] = [];
  for (let first = 0; first < tasks.length; first += limits.decisions) {
    const decisions = tasks
      .slice(first, first + limits.decisions)
      .map(({ id, version }) => ({ taskId: id, decision, version, ...(change === undefined ? {} : { change }) }));
    results.push(...(await request(decideDocument, { decisions })).decideTasks);
  }
  return results;
}

/** The counts of the frame and the third tab. */
export function rereadInbox(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['inbox'] });
}
