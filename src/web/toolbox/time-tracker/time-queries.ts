// What the time tracker page reads and sends.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import { useChange } from '#web/api/change.ts';
import { graphql, type ResultOf, type VariablesOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';
import { timeKey } from '#web/api/timer.ts';
import { showToast } from '#web/ui/toasts.tsx';

const weekDocument = graphql(`
  query TimeWeek($monday: String!) {
    timeWeek(monday: $monday) {
      monday
      final
      canReopen
      entries {
        id
        taskId
        title
        start
        end
        forgotten
      }
    }
  }
`);

const sumsDocument = graphql(`
  query TimeWeeks($userId: ID) {
    timeWeeks(userId: $userId) {
      monday
      seconds
      final
    }
  }
`);

const tasksDocument = graphql(`
  query TimedTasks {
    getTasks {
      id
      title
      status
      sprintId
    }
    sprints {
      id
      name
      startDate
      phase
    }
  }
`);

const addDocument = graphql(`
  mutation AddTime($taskId: ID!, $start: String!, $end: String!) {
    addTime(taskId: $taskId, start: $start, end: $end) {
      id
    }
  }
`);

const editDocument = graphql(`
  mutation EditTime($id: ID!, $taskId: ID!, $start: String!, $end: String!) {
    editTime(id: $id, taskId: $taskId, start: $start, end: $end) {
      id
    }
  }
`);

const removeDocument = graphql(`
  mutation RemoveTime($id: ID!) {
    removeTime(id: $id) {
      id
    }
  }
`);

const finishDocument = graphql(`
  mutation FinishTimeWeek($monday: String!) {
    finishTimeWeek(monday: $monday) {
      final
    }
  }
`);

const reopenDocument = graphql(`
  mutation ReopenTimeWeek($monday: String!) {
    reopenTimeWeek(monday: $monday) {
      final
    }
  }
`);

export type TimeWeek = ResultOf<typeof weekDocument>['timeWeek'];
export type Entry = TimeWeek['entries'][number];
export type Stretch = VariablesOf<typeof addDocument>;

export const weekQuery = (monday: string) =>
  queryOptions({
    queryKey: [...timeKey, 'week', monday],
    queryFn: async ({ signal }) => (await request(weekDocument, { monday }, { signal })).timeWeek,
  });

export const sumsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...timeKey, 'sums', userId],
    queryFn: async ({ signal }) => (await request(sumsDocument, { userId }, { signal })).timeWeeks,
  });

/** The most likely first: what is in progress, and last what nobody can work on. */
const statusOrder: readonly TaskStatus[] = ['INPROGRESS', 'TODO', 'INREVIEW', 'DONE', 'INAPPROVAL', 'DENIED'];

const phaseOrder = ['active', 'future', 'settling', 'settled'];

type TimedTasks = ResultOf<typeof tasksDocument>;

/** The current sprint's tasks first, then those of the next one, then the past, newest first. */
function timedTasks({ getTasks, sprints }: TimedTasks) {
  const sprintOf = new Map(sprints.map((sprint) => [sprint.id, sprint]));
  return getTasks
    .map(({ id, title, status, sprintId }) => {
      const sprint = sprintOf.get(sprintId);
      const phase = phaseOrder.indexOf(sprint?.phase ?? 'settled');
      const sort = { phase, start: Date.parse(sprint?.startDate ?? '') || 0, status: statusOrder.indexOf(status) };
      return { id, title, sort, sprint: sprint && phase > 0 ? sprint.name : null };
    })
    .toSorted(({ sort: a }, { sort: b }) => a.phase - b.phase || b.start - a.start || a.status - b.status);
}

export type TimedTask = ReturnType<typeof timedTasks>[number];

/** The person's latest tasks, to start or enter time on. `sprint`: its name, if it isn't the current one. */
export const timedTasksQuery = queryOptions({
  queryKey: [...timeKey, 'tasks'],
  queryFn: async ({ signal }) => timedTasks(await request(tasksDocument, {}, { signal })),
});

type Change =
  | { readonly kind: 'add'; readonly stretch: Stretch }
  | { readonly kind: 'edit'; readonly id: string; readonly stretch: Stretch }
  | { readonly kind: 'remove'; readonly id: string };

async function send(change: Change): Promise<string> {
  if (change.kind === 'add') return (await request(addDocument, change.stretch)).addTime.id;
  if (change.kind === 'edit') return (await request(editDocument, { id: change.id, ...change.stretch })).editTime.id;
  return (await request(removeDocument, { id: change.id })).removeTime.id;
}

const done = { add: 'Time added', edit: 'Time changed', remove: 'Time removed' } as const;

/** The change that undoes one. `before`: the previous entry. */
function reverse(id: string, { kind }: Change, before: Stretch | null): Change | null {
  if (kind === 'add') return { kind: 'remove', id };
  if (before === null) return null;
  return kind === 'edit' ? { kind, id, stretch: before } : { kind: 'add', stretch: before };
}

/** A manual change. */
export function useTimeChange({ quiet = false } = {}) {
  return useChange({
    send: ({ change }: { change: Change; before: Stretch | null }) => send(change),
    touches: [timeKey],
    meta: { quiet },
    done: (id, { change, before }) => {
      const back = reverse(id, change, before);
      return { message: done[change.kind], undo: back ? () => send(back) : undefined };
    },
  });
}

export function useFinal(monday: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (final: boolean) => {
      await (final ? request(finishDocument, { monday }) : request(reopenDocument, { monday }));
    },
    meta: { what: 'Changing the week', retryable: true },
    onSuccess: (_answer, final) => {
      showToast({ message: final ? 'Week is final' : 'Week reopened' });
      return client.invalidateQueries({ queryKey: timeKey });
    },
  });
}
