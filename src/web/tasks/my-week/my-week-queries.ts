// What My week reads, and how it completes a task of an earlier sprint. A failed read shows in its own panel,
// because every error leads back to this page.
import { queryOptions } from '@tanstack/react-query';
import { untilNextPhase } from '#core/tasks/sprint.ts';
import { isPlanned } from '#core/tasks/task-status.ts';
import { graphql, type ResultOf, type VariablesOf } from '#web/api/graphql.ts';
import { fullPage, listQuery } from '#web/api/list-query.ts';
import { orWithoutNewFields, request } from '#web/api/request.ts';
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
    repeats
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

const weekFields = graphql(
  `
    fragment Week on MyWeek @_unmask {
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
      recap {
        closedAt
      }
      firstWeek {
        hasTask
      }
    }
  `,
  [weekSprintFields, weekTaskFields],
);
const myWeekDocument = graphql(`query MyWeek { myWeek { ...Week taskOrder } }`, [weekFields]);
const olderWeekDocument = graphql(`query OlderWeek { myWeek { ...Week } }`, [weekFields]);

// Apart: a server of an older version, during an upgrade, doesn't know this field.
const addedAgainDocument = graphql(`
  query AddedAgain {
    myWeek { openAtClose { id addedAgain } }
  }
`);

const nextPlanDocument = graphql(`
  query NextPlan {
    sprints { id phase }
    tasks(limit: 50) { sprintId status withdrawn }
  }
`);

const waitingDocument = graphql(
  `
    query WaitingForMe($limit: Int!) {
      inboxCount {
        toApprove
        toSignOff
      }
      inbox(limit: $limit) {
        ...WeekTask
        ownerKeepsTasks
        decidedFor { displayName until }
        handedOver { approvers toAdmins nextInLine { id displayName approverId } }
      }
    }
  `,
  [weekTaskFields],
);

const guidelinesDocument = graphql(`
  query WeekGuidelines {
    guidelines {
      version
      confirmedAt
    }
  }
`);

const questionsDocument = graphql(`
  query WeekQuestions {
    bonusQuestions {
      line
    }
  }
`);

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

const recapsDocument = graphql(`
  query WeekRecaps($limit: Int!, $after: ID) {
    weekRecaps(limit: $limit, after: $after) {
      id
      sprintId
      sprintName
      userId
      displayName
      learned
      closedAt
      carriedOut
      counts { INAPPROVAL DENIED TODO INPROGRESS INREVIEW DONE }
    }
  }
`);

const closeWeekDocument = graphql(`
  mutation CloseWeek($sprintId: ID!, $learned: String!, $version: Int!) {
    closeWeek(sprintId: $sprintId, learned: $learned, version: $version) {
      id
    }
  }
`);

const orderDocument = graphql(`
  mutation OrderTasks($sprintId: ID!, $taskIds: [ID!]!) {
    orderTasks(sprintId: $sprintId, taskIds: $taskIds)
  }
`);

export type MyWeek = ResultOf<typeof olderWeekDocument>['myWeek'] & { readonly taskOrder?: readonly string[] };
export type WeekTask = MyWeek['tasks'][number];
export type WaitingTasks = ResultOf<typeof waitingDocument>;
export type WeekMeeting = ResultOf<typeof nextMeetingDocument>['nextMeeting'];
export type WeekRecap = ResultOf<typeof recapsDocument>['weekRecaps'][number];
export type WeekSprint = MyWeek['sprint'];

export const myWeekQuery = queryOptions({
  queryKey: myWeekKey,
  queryFn: async ({ signal }) => {
    const read = orWithoutNewFields<{ readonly myWeek: MyWeek }>(request(myWeekDocument, {}, { signal }), () =>
      request(olderWeekDocument, {}, { signal }),
    );
    return (await read).myWeek;
  },
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

/**
 * The unfinished tasks with which a later sprint began again, because they repeat. Reread with the week, and
 * when its sprint ends.
 */
export const addedAgainQuery = ({ sprint }: Pick<MyWeek, 'sprint'>) =>
  queryOptions({
    queryKey: [...myWeekKey, 'added-again', sprint.id],
    queryFn: async ({ signal }) => {
      const { openAtClose } = (await request(addedAgainDocument, {}, { signal })).myWeek;
      return { ids: openAtClose.filter(({ addedAgain }) => addedAgain).map(({ id }) => id) };
    },
    staleTime: 0,
    gcTime: 0,
  });

/**
 * How many of the viewer's newest tasks are planned for coming sprints or denied. Reread with the week, and
 * when its sprint ends.
 */
export const nextPlanQuery = ({ sprint }: Pick<MyWeek, 'sprint'>) =>
  queryOptions({
    queryKey: [...myWeekKey, 'next-plan', sprint.id],
    queryFn: async ({ signal }) => {
      const { sprints, tasks } = await request(nextPlanDocument, {}, { signal });
      const coming = new Set(sprints.filter(({ phase }) => phase === 'future').map(({ id }) => id));
      const next = tasks.filter(({ sprintId, withdrawn }) => coming.has(sprintId) && !withdrawn);
      const planned = next.filter(isPlanned).length;
      return { planned, denied: next.length - planned };
    },
    staleTime: 0,
    gcTime: 0,
  });

/** How many waiting tasks are named here. */
const mostNamed = 4;

export const waitingQuery = queryOptions({
  queryKey: ['inbox', 'first'],
  queryFn: ({ signal }) => request(waitingDocument, { limit: mostNamed }, { signal }),
  staleTime: 0,
  gcTime: 0,
});

const recapsPage = 4;

/** Recaps of the people whose tasks the viewer decides on, newest first. */
export const recapsQuery = listQuery({
  queryKey: ['recaps'],
  read: async (after, signal) => {
    const { weekRecaps } = await request(recapsDocument, { limit: recapsPage, after }, { signal });
    return fullPage(weekRecaps, recapsPage, ({ id }) => id);
  },
});

export const closeWeek = async (week: VariablesOf<typeof closeWeekDocument>) =>
  (await request(closeWeekDocument, week)).closeWeek;

export const orderTasks = (order: VariablesOf<typeof orderDocument>) => request(orderDocument, order);

/** Under `guidelines`: confirming them rereads this. */
export const weekGuidelinesQuery = queryOptions({
  queryKey: ['guidelines', 'week'],
  queryFn: async ({ signal }) => (await request(guidelinesDocument, {}, { signal })).guidelines,
});

/** How many bonus questions wait for the viewer's answer. Under `bonus`: answering one rereads this. */
export const weekQuestionsQuery = queryOptions({
  queryKey: ['bonus', 'week'],
  queryFn: async ({ signal }) => (await request(questionsDocument, {}, { signal })).bonusQuestions.length,
});

/** Under `schedule`: rereading the meetings rereads the next one. */
export const nextMeetingQuery = queryOptions({
  queryKey: ['schedule', 'next'],
  queryFn: async ({ signal }) => (await request(nextMeetingDocument, {}, { signal })).nextMeeting,
});
