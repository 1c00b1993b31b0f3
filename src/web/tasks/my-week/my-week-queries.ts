// What My week reads, and how it completes a task of an earlier sprint. A failed read shows in its own panel,
// because every error leads back to this page.
import { queryOptions } from '@tanstack/react-query';
import { untilNextPhase } from '#core/tasks/sprint.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { myWeekKey } from '../shared/queries.ts';

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
    leftUndone
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
        taskLimit
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

export const myWeekQuery = queryOptions({
  queryKey: myWeekKey,
  queryFn: async ({ signal }) => (await request(myWeekDocument, {}, { signal })).myWeek,
  staleTime: 0,
  gcTime: 0,
  refetchInterval: ({ state }) => {
    const { sprint, previousSprint } = state.data ?? {};
    return untilNextPhase(
      [sprint, previousSprint].filter((each) => each != null),
      Date.now(),
    );
  },
});

/** How many waiting tasks are named here. */
const mostNamed = 4;

export const waitingQuery = queryOptions({
  queryKey: ['inbox', 'first'],
  queryFn: ({ signal }) => request(waitingDocument, { limit: mostNamed }, { signal }),
  staleTime: 0,
  gcTime: 0,
});

/** Under `schedule`: rereading the meetings rereads the next one. */
export const nextMeetingQuery = queryOptions({
  queryKey: ['schedule', 'next'],
  queryFn: async ({ signal }) => (await request(nextMeetingDocument, {}, { signal })).nextMeeting,
});

export const complete = async ({ id, version }: WeekTask, status: WeekTask['status']) =>
  (await request(completeDocument, { id, status, version })).updateTask;
