// What the stats pages read.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';

const allSprints = graphql(`
  query StatsSprints {
    getSprints(all: true) {
      id
      name
      current
      phase
      startDate
      endDate
      settledAt
    }
  }
`);

const sprintStats = graphql(`
  query SprintStats($sprintId: ID, $scope: String) {
    sprintStats(sprintId: $sprintId, scope: $scope) {
      sprint {
        id
        name
        phase
        startDate
        endDate
        settledAt
      }
      scopes
      weeks
      totals {
        people
        completionPercentage
        signedOffPercentage
        firstPassPercentage
        rework
        waitedHours
        counts {
          INAPPROVAL
          DENIED
          TODO
          INPROGRESS
          INREVIEW
          DONE
        }
      }
      scopeTrends {
        scope
        percentages
      }
      fairClock {
        approver {
          id
          displayName
        }
        decided
        waiting
        median
        p90
      }
      employees {
        person {
          id
          displayName
          team
        }
        counts {
          INAPPROVAL
          DENIED
          TODO
          INPROGRESS
          INREVIEW
          DONE
        }
        completionPercentage
        signedOffPercentage
        firstPassPercentage
        rework
        waitedHours
        trend
        recorded
        corrections
      }
    }
  }
`);

const totalsOfSprint = graphql(`
  query SprintTotals($sprintId: ID, $scope: String) {
    sprintStats(sprintId: $sprintId, scope: $scope) {
      totals {
        completionPercentage
        signedOffPercentage
        firstPassPercentage
        rework
      }
    }
  }
`);

const issuesBySprint = graphql(`
  query IssuesByUserBySprint($options: SprintOptions) {
    getIssuesByUserBySprint(options: $options) {
      userId
      displayName
      completionPercentage
      issues {
        id
        summary
        status
        taskStatus
      }
    }
  }
`);

export type StatsSprint = ResultOf<typeof allSprints>['getSprints'][number];
export type SprintStats = ResultOf<typeof sprintStats>['sprintStats'];
export type EmployeeStats = SprintStats['employees'][number];
export type SprintTotals = ResultOf<typeof totalsOfSprint>['sprintStats']['totals'];
export type UserIssues = ResultOf<typeof issuesBySprint>['getIssuesByUserBySprint'][number];

/** The selected sprint and scope. Null: the current sprint, everyone visible. */
export type StatsChoice = { readonly sprint: string | null; readonly scope: string | null };

export const sprintsQuery = queryOptions({
  queryKey: ['stats', 'sprints'],
  queryFn: async ({ signal }) => (await request(allSprints, {}, { signal })).getSprints.toReversed(),
  meta: { what: 'Loading the sprints' },
});

export const sprintStatsQuery = ({ sprint, scope }: StatsChoice) =>
  queryOptions({
    queryKey: ['stats', 'sprint', sprint, scope],
    queryFn: async ({ signal }) => (await request(sprintStats, { sprintId: sprint, scope }, { signal })).sprintStats,
    placeholderData: keepPreviousData,
  });

/** The previous week's numbers, for comparison. */
export const sprintTotalsQuery = (sprintId: string | null, scope: string | null) =>
  queryOptions({
    queryKey: ['stats', 'totals', sprintId, scope],
    queryFn: async ({ signal }) => (await request(totalsOfSprint, { sprintId, scope }, { signal })).sprintStats.totals,
    enabled: sprintId !== null,
  });

export const issuesQuery = (sprintId: string | null) =>
  queryOptions({
    queryKey: ['stats', 'issues', sprintId],
    queryFn: async ({ signal }) =>
      (await request(issuesBySprint, { options: sprintId === null ? null : { sprintId } }, { signal }))
        .getIssuesByUserBySprint,
    placeholderData: keepPreviousData,
  });
