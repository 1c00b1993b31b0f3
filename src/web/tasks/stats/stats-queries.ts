// What the stats pages read.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { listQuery } from '#web/api/list-query.ts';
import { request } from '#web/api/request.ts';
import type { Order } from '#web/ui/data-table.tsx';

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

const employeePage = graphql(`
  query StatsEmployees($sprintId: ID, $scope: String, $search: String, $sort: String, $desc: Boolean, $after: ID) {
    sprintStats(sprintId: $sprintId, scope: $scope) {
      weeks
      employeePage(search: $search, sort: $sort, desc: $desc, after: $after) {
        total
        everyone
        next
        rows {
          person {
            id
            displayName
            team
          }
          invisible
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
          recorded
          corrections
          trend
        }
      }
    }
  }
`);

const employeesCsv = graphql(`
  query StatsCsv($sprintId: ID, $scope: String, $search: String, $sort: String, $desc: Boolean) {
    sprintStats(sprintId: $sprintId, scope: $scope) {
      employeesCsv(search: $search, sort: $sort, desc: $desc)
    }
  }
`);

const scopeTrends = graphql(`
  query ScopeTrends($sprintId: ID) {
    sprintStats(sprintId: $sprintId) {
      weeks
      scopeTrends {
        scope
        percentages
      }
    }
  }
`);

const burnUp = graphql(`
  query BurnUp($sprintId: ID, $scope: String) {
    sprintStats(sprintId: $sprintId, scope: $scope) {
      sprint {
        phase
        startDate
        endDate
        settledAt
      }
      burnUp {
        at
        approved
        completed
      }
    }
  }
`);

const timeWithApprover = graphql(`
  query TimeWithApprover($sprintId: ID, $scope: String) {
    sprintStats(sprintId: $sprintId, scope: $scope) {
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
    }
  }
`);

const totalsOfSprint = graphql(`
  query SprintTotals($sprintId: ID, $scope: String) {
    sprintStats(sprintId: $sprintId, scope: $scope) {
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
    }
  }
`);

const issuesOfPerson = graphql(`
  query IssuesByUserBySprint($options: SprintOptions, $userId: ID) {
    getIssuesByUserBySprint(options: $options, userId: $userId) {
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
type Page = ResultOf<typeof employeePage>['sprintStats']['employeePage'];
export type Employee = Page['rows'][number];
export type TimeWithApprover = ResultOf<typeof timeWithApprover>['sprintStats']['fairClock'][number];
export type BurnUp = ResultOf<typeof burnUp>['sprintStats'];
export type SprintTotals = ResultOf<typeof totalsOfSprint>['sprintStats']['totals'];
export type Issue = ResultOf<typeof issuesOfPerson>['getIssuesByUserBySprint'][number]['issues'][number];

/** The selected sprint and scope. Null: the current sprint, everyone visible. */
export type StatsChoice = { readonly sprint: string | null; readonly scope: string | null };

export const sprintsQuery = queryOptions({
  queryKey: ['sprints', 'stats'],
  queryFn: async ({ signal }) => (await request(allSprints, {}, { signal })).getSprints.toReversed(),
  meta: { what: 'Loading the sprints' },
});

// Each part of the page is a request: one that is slow or fails leaves the others.
/** The employees whose name or team matches, in an order of the table's columns. */
export type EmployeesChoice = StatsChoice & { readonly search: string; readonly order: Order };

const asked = ({ sprint, scope, search, order }: EmployeesChoice) => ({
  ...{ sprintId: sprint, scope, search: search || null, sort: order.id, desc: order.desc },
});

export const employeesQuery = (choice: EmployeesChoice) =>
  listQuery({
    queryKey: ['stats', 'employees', choice],
    enabled: choice.sprint !== null,
    read: async (after, signal) => {
      const { sprintStats } = await request(employeePage, { ...asked(choice), after }, { signal });
      return { ...sprintStats.employeePage, weeks: sprintStats.weeks };
    },
  });

export const readEmployeesCsv = async (choice: EmployeesChoice): Promise<string> =>
  (await request(employeesCsv, asked(choice))).sprintStats.employeesCsv;

export const scopeTrendsQuery = (sprintId: string | null) =>
  queryOptions({
    queryKey: ['stats', 'scopeTrends', sprintId],
    queryFn: async ({ signal }) => (await request(scopeTrends, { sprintId }, { signal })).sprintStats,
    placeholderData: keepPreviousData,
    enabled: sprintId !== null,
  });

export const burnUpQuery = ({ sprint, scope }: StatsChoice) =>
  queryOptions({
    queryKey: ['stats', 'burnUp', sprint, scope],
    queryFn: async ({ signal }) => (await request(burnUp, { sprintId: sprint, scope }, { signal })).sprintStats,
    placeholderData: keepPreviousData,
    enabled: sprint !== null,
  });

export const timeWithApproverQuery = ({ sprint, scope }: StatsChoice) =>
  queryOptions({
    queryKey: ['stats', 'timeWithApprover', sprint, scope],
    queryFn: async ({ signal }) =>
      (await request(timeWithApprover, { sprintId: sprint, scope }, { signal })).sprintStats.fairClock,
    placeholderData: keepPreviousData,
    enabled: sprint !== null,
  });

export const sprintTotalsQuery = (sprintId: string | null, scope: string | null) =>
  queryOptions({
    queryKey: ['stats', 'totals', sprintId, scope],
    queryFn: async ({ signal }) => (await request(totalsOfSprint, { sprintId, scope }, { signal })).sprintStats.totals,
    enabled: sprintId !== null,
  });

export const issuesQuery = (sprintId: string | null, userId: string) =>
  queryOptions({
    queryKey: ['stats', 'issues', sprintId, userId],
    queryFn: async ({ signal }) =>
      (await request(issuesOfPerson, { options: sprintId === null ? null : { sprintId }, userId }, { signal }))
        .getIssuesByUserBySprint[0]?.issues ?? [],
  });
