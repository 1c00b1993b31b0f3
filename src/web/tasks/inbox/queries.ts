// What waits for the viewer's decision, and their past decisions.
import { type InfiniteData, type QueryClient, queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { fullPage, type ListPage, listQuery } from '#web/api/list-query.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';
import { allTasksKey, type BoardTask, boardTaskFields, tasksIn, withLists } from '../shared/queries.ts';

const inboxDocument = graphql(
  `
    query Inbox(
      $status: TaskStatus!
      $due: Boolean
      $byPerson: Boolean
      $find: String
      $limit: Int!
      $after: String
    ) {
      inboxPage(status: $status, due: $due, byPerson: $byPerson, find: $find, limit: $limit, after: $after) {
        tasks { ...BoardTask ownerKeepsTasks ownerAwayUntil }
        next
      }
    }
  `,
  [boardTaskFields],
);
const olderInboxDocument = graphql(
  `
    query OlderInbox(
      $status: TaskStatus!
      $due: Boolean
      $byPerson: Boolean
      $find: String
      $limit: Int!
      $after: String
    ) {
      inboxPage(status: $status, due: $due, byPerson: $byPerson, find: $find, limit: $limit, after: $after) {
        tasks { ...BoardTask ownerKeepsTasks }
        next
      }
    }
  `,
  [boardTaskFields],
);
const waitingTaskDocument = graphql(
  `
    query WaitingTask($taskId: ID!) {
      inbox(taskId: $taskId) { ...BoardTask }
    }
  `,
  [boardTaskFields],
);
const overviewDocument = graphql(`
  query InboxOverview {
    inboxOverview {
      people
      duePeople
      toApprove { waiting overdue later }
      toSignOff { waiting overdue later }
    }
  }
`);
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
/** Which waiting tasks a list has, and in which order. */
export type InboxList = {
  readonly status: BoardTask['status'];
  readonly due?: boolean;
  readonly byPerson?: boolean;
  readonly find?: string;
};

type InboxPage = { readonly tasks: readonly BoardTask[]; readonly next: string | null };

export const inboxPageSize = 100;
const inboxKey = [...allTasksKey, 'inbox'] as const;

/** A list requested before a decision is older than the decision's answer. */
function keepNewer(known: unknown, read: unknown): unknown {
  const versions = new Map(tasksIn(known).map((task) => [task.id, task]));
  const newest = withLists(read, (list) =>
    list.map((task) => {
      const older = versions.get(task.id);
      return older && older.version > task.version ? older : task;
    }),
  );
  return replaceEqualDeep(known, newest);
}

/** Overdue first, then oldest first. Its key is under `tasks`, so every answer with a task updates it. */
export const inboxQuery = (list: InboxList) =>
  listQuery({
    queryKey: [...inboxKey, list],
    read: async (after, signal) => {
      const page = { ...list, limit: inboxPageSize, after };
      const { inboxPage } = await orWithoutNewFields<{ readonly inboxPage: InboxPage }>(
        request(inboxDocument, page, { signal }),
        () => request(olderInboxDocument, page, { signal }),
      );
      return { rows: inboxPage.tasks, next: inboxPage.next };
    },
    combine: keepNewer,
    gcTime: 0,
  });

/** How many wait, where not all of them are loaded. */
export const overviewQuery = queryOptions({
  queryKey: ['inbox', 'overview'],
  queryFn: async ({ signal }) => (await request(overviewDocument, {}, { signal })).inboxOverview,
  staleTime: 0,
  gcTime: 0,
});

export type InboxOverview = ResultOf<typeof overviewDocument>['inboxOverview'];

/** Whether the viewer decides this task now: the server knows who is away, and who has no approver. */
async function waitsForViewer(taskId: string): Promise<boolean> {
  return (await request(waitingTaskDocument, { taskId })).inbox.length > 0;
}

/** A task that began to wait, in the lists on screen. A list that isn’t complete brings it with a later page. */
export async function addToInbox(client: QueryClient, task: BoardTask): Promise<void> {
  const lists = client.getQueryCache().findAll({ queryKey: inboxKey });
  const lacking = lists.filter(({ queryKey, state }) => lacks(queryKey[2] as InboxList, state.data as InboxData, task));
  // The next read makes up for a failed one, because the person didn't request it.
  if (lacking.length === 0 || !(await waitsForViewer(task.id).catch(() => false))) return;
  for (const { queryKey } of lacking)
    client.setQueryData<InboxData>(queryKey, (data) => {
      const last = data?.pages.at(-1);
      if (!last || !lacks(queryKey[2] as InboxList, data, task)) return data;
      return { ...data!, pages: [...data!.pages.slice(0, -1), { ...last, rows: [...last.rows, task] }] };
    });
}

/** Whether the task belongs to what is loaded of the list. What the server chose isn’t repeated here. */
function lacks({ status, due, byPerson, find }: InboxList, data: InboxData | undefined, task: BoardTask): boolean {
  const last = data?.pages.at(-1);
  if (status !== task.status || due || byPerson || find || !last) return false;
  const isLoaded = last.next === null || task.statusSince <= (last.rows.at(-1)?.statusSince ?? '');
  return isLoaded && !tasksIn(data).some(({ id }) => id === task.id);
}

type InboxData = InfiniteData<ListPage<BoardTask>, string | null>;

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
