// What S.T.A.R.T reads: the sprints, a person's tasks of one sprint, one full task; and how an answer is
// merged, by id, into everything on screen (spec 7). Tasks never come from a cache (D36): data that no screen
// shows is dropped.
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { plural } from '#core/base/formats.ts';
import { limits } from '#core/base/limits.ts';
import { untilNextPhase } from '#core/tasks/sprint.ts';
import { isPlanned, statusRule } from '#core/tasks/task-status.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { orWithoutNewFields, type RequestOptions, request } from '#web/api/request.ts';
import type { PeopleChoice } from '#web/people/shared/people-to-choose.ts';
import { readyMarkdown } from '#web/ui/markdown.tsx';

const taskBase = graphql(`
  fragment TaskBase on Task @_unmask {
    id
    userId
    owner { id displayName team }
    ownerApproverIds
    decidedFor { displayName until }
    handedOver { approvers toAdmins nextInLine { id displayName approverId } }
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
    leftUndone
    repeats
    editedSince
    version
  }
`);

/**
 * The fields of cards and queue rows. Excludes bodies and histories: 300 imported tasks would be megabytes.
 */
export const boardTaskFields = graphql(
  `
    fragment BoardTask on Task @_unmask {
      ...TaskBase
      notes { id }
      attachments { id }
    }
  `,
  [taskBase],
);

export const fullTaskFields = graphql(
  `
    fragment FullTask on Task @_unmask {
      ...TaskBase
      ownerKeepsTasks
      summary
      notes { id text timeStamp edited userId userName }
      attachments { id fileName mime size timeStamp url userId userName }
      history { id event at actorId actorName forName from to change before after version waitedSeconds correction }
    }
  `,
  [taskBase],
);

/** Only the queue, an open task and a board of a closed sprint read them. */
type ReadApart = { readonly ownerAwayUntil?: string | null; readonly addedAgain?: boolean };
export type BoardTask = ResultOf<typeof boardTaskFields> & ReadApart & { readonly ownerKeepsTasks?: boolean };
export type FullTask = ResultOf<typeof fullTaskFields> & ReadApart;
export type Note = FullTask['notes'][number];
export type Attachment = FullTask['attachments'][number];
export type HistoryEntry = FullTask['history'][number];

const sprintsDocument = graphql(`
  query Sprints {
    sprints(all: true) { id name startDate endDate settledAt phase current }
  }
`);
const boardTasksDocument = graphql(
  `
    query BoardTasks($userId: ID!, $sprintId: ID!, $limit: Int!, $offset: Int!) {
      tasks(userId: $userId, sprintId: $sprintId, limit: $limit, offset: $offset) { ...BoardTask }
    }
  `,
  [boardTaskFields],
);
const taskDocument = graphql(
  `
    query Task($taskId: ID!) {
      tasks(taskId: $taskId) { ...FullTask ownerAwayUntil addedAgain }
    }
  `,
  [fullTaskFields],
);
const olderTaskDocument = graphql(
  `
    query OlderTask($taskId: ID!) {
      tasks(taskId: $taskId) { ...FullTask }
    }
  `,
  [fullTaskFields],
);
const sprintResultDocument = graphql(`
  query SprintResult($userId: ID!, $sprintId: ID!) {
    sprintResult(userId: $userId, sprintId: $sprintId) {
      committed
      carriedOut
      completionPercentage
      completionPercentageNow
      corrections
      recap { learned closedAt editedAt version }
      counts { INAPPROVAL DENIED TODO INPROGRESS INREVIEW DONE }
    }
  }
`);
// Apart: a server of an older version, during an upgrade, doesn't know these fields.
const sprintPlanDocument = graphql(`
  query SprintPlan($userId: ID!, $sprintId: ID!) {
    sprintResult(userId: $userId, sprintId: $sprintId) {
      away { firstDay lastDay }
      repeatsToCome
    }
  }
`);
// Apart for the same reason.
const carriedTasksDocument = graphql(`
  query CarriedTasks($userId: ID!, $sprintId: ID!) {
    sprintResult(userId: $userId, sprintId: $sprintId) {
      carriedTo { sprintId count }
    }
  }
`);
const taskLimitDocument = graphql(`
  query TaskLimit {
    myWeek { taskLimit }
  }
`);
const peopleDocument = graphql(`
  query People($find: String, $ids: [ID!]) {
    people(find: $find, ids: $ids) { id displayName team disabled keepsTasks email }
  }
`);
const olderPeopleDocument = graphql(`
  query OlderPeople($find: String, $ids: [ID!]) {
    people(find: $find, ids: $ids) { id displayName team disabled email }
  }
`);

export type Sprint = ResultOf<typeof sprintsDocument>['sprints'][number];
export type Person = ResultOf<typeof olderPeopleDocument>['people'][number] & { readonly keepsTasks?: boolean | null };

/** Every sprint in order of start. */
export const sprintsQuery = queryOptions({
  queryKey: ['sprints', 'all'],
  queryFn: async ({ signal }) => (await request(sprintsDocument, {}, { signal })).sprints,
  refetchInterval: ({ state }) => untilNextPhase(state.data ?? [], Date.now()),
  meta: { what: 'Loading the sprints' },
});

/** How many tasks are planned per person and sprint. */
export const taskLimitQuery = queryOptions({
  queryKey: ['task-limit'],
  queryFn: async ({ signal }) => (await request(taskLimitDocument, {}, { signal })).myWeek.taskLimit,
});

/** The people whose tasks the viewer decides on. */
export const decidedPeopleQuery = (choice: PeopleChoice) =>
  queryOptions({
    queryKey: ['people', 'decided', choice],
    queryFn: async ({ signal }) => {
      const { people } = await orWithoutNewFields<{ readonly people: Person[] }>(
        request(peopleDocument, choice, { signal }),
        () => request(olderPeopleDocument, choice, { signal }),
      );
      return people;
    },
  });

/** The person whose tasks the viewer decides, or null: it is someone else. */
export const decidedPersonQuery = (id: string) =>
  queryOptions({ ...decidedPeopleQuery({ ids: [id] }), select: ([person = null]) => person });

type Pages = { readonly pages: readonly { readonly rows: readonly BoardTask[] }[] };

const isPaged = (data: unknown): data is Pages => typeof data === 'object' && data !== null && 'pages' in data;

/** Every task of a query's data that is a list, or a list in pages. */
export const tasksIn = (data: unknown): readonly BoardTask[] => {
  if (Array.isArray(data)) return data as BoardTask[];
  return isPaged(data) ? data.pages.flatMap(({ rows }) => rows) : [];
};

/** The data with each of its lists changed. */
export function withLists(data: unknown, change: (list: readonly BoardTask[]) => readonly BoardTask[]): unknown {
  if (Array.isArray(data)) return change(data as BoardTask[]);
  if (!isPaged(data)) return data;
  const pages = data.pages.map((page) => {
    const rows = change(page.rows);
    return rows === page.rows ? page : { ...page, rows };
  });
  return pages.every((page, at) => page === data.pages[at]) ? data : { ...data, pages };
}

export const allTasksKey = ['tasks'] as const;
/** Under `tasks`: what reads the tasks again reads the week again. */
export const myWeekKey = [...allTasksKey, 'my-week'] as const;
const boardKey = (userId: string, sprintId: string) => [...allTasksKey, 'board', userId, sprintId] as const;
export const resultKey = [...allTasksKey, 'result'] as const;
const taskKey = (taskId: string) => [...allTasksKey, 'one', taskId] as const;

/** The tasks of a person in one sprint, without the withdrawn ones. */
export function boardTasksQuery(userId: string, sprintId: string) {
  return queryOptions({
    queryKey: boardKey(userId, sprintId),
    queryFn: ({ signal }) => readBoardTasks(userId, sprintId, signal),
    staleTime: 0,
    gcTime: 0,
    meta: { what: 'Loading the tasks' },
  });
}

async function readBoardTasks(userId: string, sprintId: string, signal: AbortSignal): Promise<BoardTask[]> {
  const found: BoardTask[] = [];
  const limit = limits.page;
  for (let offset = 0; ; offset += limit) {
    const { tasks } = await request(boardTasksDocument, { userId, sprintId, limit, offset }, { signal });
    found.push(...tasks.filter((task) => !task.withdrawn));
    if (tasks.length < limit) return found;
  }
}

export async function readTask(taskId: string, options: RequestOptions = {}): Promise<FullTask | null> {
  const { tasks } = await orWithoutNewFields<{ readonly tasks: readonly FullTask[] }>(
    request(taskDocument, { taskId }, options),
    () => request(olderTaskDocument, { taskId }, options),
  );
  return tasks[0] ?? null;
}

/** One task with its notes, files and history. Null if it doesn't exist, or the viewer can't see it. */
export function taskQuery(taskId: string) {
  return queryOptions({
    queryKey: taskKey(taskId),
    queryFn: async ({ signal }) => {
      // Nothing moves when the renderer comes. A page without it still shows the words.
      const [task] = await Promise.all([readTask(taskId, { signal }), readyMarkdown().catch(() => null)]);
      return task;
    },
    staleTime: 0,
    gcTime: 0,
    meta: { what: 'Loading the task' },
  });
}

/**
 * A person's result in a closed sprint, including tasks carried over; under `tasks`, because they change it
 * (D39).
 */
export function sprintResultQuery(userId: string, sprintId: string) {
  return queryOptions({
    queryKey: [...resultKey, userId, sprintId],
    queryFn: async ({ signal }) => (await request(sprintResultDocument, { userId, sprintId }, { signal })).sprintResult,
  });
}

/** The tasks carried over from a closed sprint, by the sprint they are in now. */
export function carriedTasksQuery(userId: string, sprintId: string) {
  return queryOptions({
    queryKey: [...resultKey, userId, sprintId, 'carried'],
    queryFn: async ({ signal }) =>
      (await request(carriedTasksDocument, { userId, sprintId }, { signal })).sprintResult?.carriedTo ?? [],
  });
}

/** When a person is away in a sprint, and how many repeating tasks it will get. */
export function sprintPlanQuery(userId: string, sprintId: string) {
  return queryOptions({
    queryKey: [...resultKey, userId, sprintId, 'plan'],
    queryFn: async ({ signal }) => (await request(sprintPlanDocument, { userId, sprintId }, { signal })).sprintResult,
  });
}

/** How many repeating tasks a sprint that hasn't started will get. */
export function useRepeatsToCome(userId: string, sprint: Sprint | undefined): number {
  const isToCome = sprint?.phase === 'future';
  const { data } = useQuery({ ...sprintPlanQuery(userId, sprint?.id ?? ''), enabled: isToCome });
  return (isToCome && data?.repeatsToCome) || 0;
}

/** "5 of 5 tasks planned, 1 extra, 1 denied". `where`: " for 2026 W48". */
export function plannedWords(tasks: readonly Pick<BoardTask, 'status'>[], limit: number, where = ''): string {
  const planned = tasks.filter(isPlanned).length;
  const apart = { extra: Math.max(0, planned - limit), denied: tasks.length - planned };
  const others = Object.entries(apart).flatMap(([what, count]) => (count > 0 ? `, ${count} ${what}` : []));
  return `${Math.min(limit, planned)} of ${plural(limit, 'task')} planned${where}${others.join('')}`;
}

/** "3 repeating tasks will be added when the sprint starts" */
export const repeatsToComeWords = (count: number): string =>
  `${plural(count, 'repeating task')} will be added when the sprint starts`;

export type SprintResult = NonNullable<ResultOf<typeof sprintResultDocument>['sprintResult']>;

export function useSprints(): readonly Sprint[] {
  return useQuery(sprintsQuery).data ?? [];
}

/** The sprint that follows this one. */
export const nextSprint = (sprint: Pick<Sprint, 'endDate'>, sprints: readonly Sprint[]): Sprint | undefined =>
  sprints.find(({ startDate }) => startDate === sprint.endDate);

/**
 * Merges a task from the server everywhere: into its query, the boards it belongs to (and out of others), and
 * every other list under `tasks`. An older version never replaces a newer one.
 */
export function mergeTask(client: QueryClient, task: FullTask): void {
  client.setQueryData<FullTask | null>(taskKey(task.id), (known) => newer(known, task));
  for (const query of client.getQueryCache().findAll({ queryKey: allTasksKey })) {
    const [, kind, userId, sprintId] = query.queryKey;
    const belongs = kind !== 'board' || (userId === task.userId && sprintId === task.sprintId && !task.withdrawn);
    const before = query.state.data;
    const after = withLists(before, (list) => mergedList(list, task, belongs, kind === 'board'));
    if (after !== before) client.setQueryData(query.queryKey, after);
  }
  client.setQueryData<KnownWeek>(
    myWeekKey,
    (week) =>
      week && {
        ...week,
        tasks: mergedList(week.tasks, task, !task.withdrawn && task.sprintId === week.sprint.id, false),
        openAtClose: mergedList(week.openAtClose, task, isUnfinished(task, week.openAtClose), false),
      },
  );
  void client.invalidateQueries({ queryKey: resultKey });
}

type KnownWeek = {
  readonly sprint: { readonly id: string };
  readonly tasks: readonly BoardTask[];
  readonly openAtClose: readonly BoardTask[];
};

/** Whether a task of this list of earlier sprints is still one. */
const isUnfinished = (task: FullTask, list: readonly BoardTask[]): boolean =>
  statusRule(task.status).open &&
  !task.withdrawn &&
  !task.leftUndone &&
  list.some(({ id, sprintId }) => id === task.id && sprintId === task.sprintId);

function mergedList(list: readonly BoardTask[], task: FullTask, belongs: boolean, adds: boolean) {
  const known = list.find(({ id }) => id === task.id);
  if (!belongs) return known ? list.filter(({ id }) => id !== task.id) : list;
  if (known) return list.map((each) => (each.id === task.id ? newer(each, task) : each));
  return adds ? [...list, task] : list;
}

/** Keeps what only some queries read. */
function newer<Known extends { version: number }>(known: Known | null | undefined, task: FullTask): Known | FullTask {
  return known && known.version > task.version ? known : { ...known, ...task };
}

/** Removes a task that no longer exists from every screen. */
export function dropTask(client: QueryClient, taskId: string): void {
  client.setQueryData<FullTask | null>(taskKey(taskId), (known) => (known === undefined ? undefined : null));
  client.setQueriesData<unknown>({ queryKey: allTasksKey }, (data: unknown) =>
    withLists(data, (list) => (list.some(({ id }) => id === taskId) ? list.filter(({ id }) => id !== taskId) : list)),
  );
}

/** The task as a screen has it, or null. */
export function knownTask(client: QueryClient, taskId: string): BoardTask | null {
  const one = client.getQueryData<FullTask | null>(taskKey(taskId));
  if (one) return one;
  const lists = client.getQueriesData<unknown>({ queryKey: allTasksKey }).map(([, data]) => data);
  return lists.flatMap(tasksIn).find(({ id }) => id === taskId) ?? null;
}

/** Rereads the boards and tasks on screen: changes may have been missed. */
export function rereadTasks(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: allTasksKey });
}

/** The draft of an edited note. */
export const noteDraft = (taskId: string, noteId: string): string => `note:${taskId}:${noteId}`;

/** Whether a board of this person and sprint is on screen. */
export function showsBoardOf(client: QueryClient, userId: string, sprintId: string): boolean {
  return client.getQueryCache().find({ queryKey: boardKey(userId, sprintId), exact: true }) !== undefined;
}
