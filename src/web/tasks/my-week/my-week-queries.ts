// What My week reads, and the two things that can be done on it. A read that fails shows in its own panel: this is the page
// that the way back from every error leads to.
import { queryOptions } from '@tanstack/react-query';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const weekTaskFields = graphql(`
  fragment WeekTask on Task @_unmask {
    id
    userId
    ownerApproverIds
    owner {
      id
      displayName
      team
    }
    sprintId
    status
    statusSince
    title
    category
    change
    reason
    extra
    carriedOver
    withdrawn
    version
  }
`);

const weekSprintFields = graphql(`
  fragment WeekSprint on Sprint @_unmask {
    id
    name
    phase
    startDate
    endDate
    settledAt
    completionPercentage
  }
`);

const myWeekDocument = graphql(
  `
    query MyWeek {
      myWeek {
        sprint {
          ...WeekSprint
        }
        previousSprint {
          ...WeekSprint
        }
        tasks {
          ...WeekTask
        }
        openAtClose {
          ...WeekTask
        }
      }
    }
  `,
  [weekSprintFields, weekTaskFields],
);

const waitingDocument = graphql(
  `
    query WaitingForMe($limit: Int!) {
      inboxCount {
        toApprove
        toSignOff
      }
      inbox(limit: $limit) {
        ...WeekTask
      }
    }
  `,
  [weekTaskFields],
);

const nextMeetingDocument = graphql(`
  query NextMeeting {
    nextMeeting {
      start
      meeting {
        title
        place
        link
      }
    }
  }
`);

const carryOverDocument = graphql(`
  mutation CarryOverFromWeek($taskId: ID!) {
    carryOver(taskId: $taskId) {
      id
      title
    }
  }
`);

const completeDocument = graphql(`
  mutation CompleteFromWeek($id: ID!, $status: TaskStatus!, $version: Int!) {
    updateTask(id: $id, status: $status, version: $version) {
      id
      title
    }
  }
`);

export type MyWeek = ResultOf<typeof myWeekDocument>['myWeek'];
export type WeekTask = MyWeek['tasks'][number];
export type WeekMeeting = ResultOf<typeof nextMeetingDocument>['nextMeeting'];
export type WeekSprint = MyWeek['sprint'];

/** Under `tasks`: whatever rereads the tasks rereads the week. */
export const myWeekQuery = queryOptions({
  queryKey: ['tasks', 'my-week'],
  queryFn: async ({ signal }) => (await request(myWeekDocument, {}, { signal })).myWeek,
  staleTime: 0,
  gcTime: 0,
});

/** How many of the tasks that wait are named before the page that has them all. */
const namedAtOnce = 4;

export const waitingQuery = queryOptions({
  queryKey: ['inbox', 'first'],
  queryFn: ({ signal }) => request(waitingDocument, { limit: namedAtOnce }, { signal }),
  staleTime: 0,
  gcTime: 0,
});

/** Under `schedule`: whatever rereads the meetings rereads the next one. */
export const nextMeetingQuery = queryOptions({
  queryKey: ['schedule', 'next'],
  queryFn: async ({ signal }) => (await request(nextMeetingDocument, {}, { signal })).nextMeeting,
});

export const carryOver = async (taskId: string) => (await request(carryOverDocument, { taskId })).carryOver;

export const complete = async ({ id, version }: WeekTask, status: WeekTask['status']) =>
  (await request(completeDocument, { id, status, version })).updateTask;
