// The stats in the API: the employee table of spec 2, the issues of spec 7, and related numbers.
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import { sprintIdInput, sprintStatsInput } from '#core/tasks/task-inputs.ts';
import { PersonType } from '#server/people/people.graphql.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { TaskStatusEnum } from '#server/platform/graphql/enums.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import type { CacheRule } from '#server/platform/graphql/response-cache.ts';
import { SprintType, StatusCountsType } from '../sprints/sprints.graphql.ts';
import {
  type Employee,
  type FairClock,
  type Issue,
  issuesByUser,
  ratesOf,
  type SprintStats,
  sprintStats,
  type Trend,
  totalsOf,
  type UserIssues,
} from './stats.service.ts';

/** An employee with their stats, from which its other parts are read on demand. */
type EmployeeOfStats = Employee & { readonly stats: SprintStats };

const SprintStatsType = builder.objectRef<SprintStats>('SprintStats');
const EmployeeStatsType = builder.objectRef<EmployeeOfStats>('EmployeeStats');
const EmployeeTotalsType = builder.objectRef<ReturnType<typeof totalsOf>>('EmployeeTotals');
const FairClockType = builder.objectRef<FairClock>('FairClock');
const ScopeTrendType = builder.objectRef<{ readonly scope: string; readonly percentages: Trend }>('ScopeTrend');
const UserIssuesType = builder.objectRef<UserIssues>('UserIssues');
const IssueType = builder.objectRef<Issue>('Issue');

const SprintOptionsInput = builder.inputType('SprintOptions', { fields: (t) => ({ sprintId: t.id() }) });

const ratesOfEmployee = async ({ stats, person, counts }: EmployeeOfStats) =>
  ratesOf(counts, (await stats.quality()).get(person.id));

/** The clock decides which sprint is current, and its phase. */
const cacheRule: CacheRule = {
  when: (given, parts) => given.has('sprintId') && !parts.has('sprint'),
  sharedWith: 'person',
  clock: 'none',
};

export function defineStats(): void {
  defineSprintStats();
  defineEmployees();
  defineIssues();
  builder.queryFields((t) => ({
    sprintStats: t.field({
      type: SprintStatsType,
      access: callAccess.stats,
      args: { sprintId: t.arg.id(), scope: t.arg.string() },
      extensions: { cacheRule },
      resolve: (_root, args, context) => sprintStats(context, orThrow(readInput(sprintStatsInput, args))),
    }),
    getIssuesByUserBySprint: t.field({
      type: [UserIssuesType],
      access: callAccess.stats,
      turn: 'heavy',
      args: { options: t.arg({ type: SprintOptionsInput }) },
      resolve: (_root, { options }, context) =>
        issuesByUser(context, orThrow(readInput(sprintIdInput, options ?? {})).sprintId),
    }),
  }));
}

function defineSprintStats(): void {
  SprintStatsType.implement({
    fields: (t) => ({
      sprint: t.field({ type: SprintType, resolve: (stats) => stats.sprint() }),
      scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
      employees: t.field({
        type: [EmployeeStatsType],
        resolve: async (stats) => (await stats.employees()).map((employee) => ({ ...employee, stats })),
      }),
      totals: t.field({
        type: EmployeeTotalsType,
        resolve: async (stats) => {
          const [employees, quality] = await Promise.all([stats.employees(), stats.quality()]);
          return totalsOf(employees, quality.get(null));
        },
      }),
      weeks: t.stringList({
        description: 'names of the sprints of the trends, oldest first',
        resolve: async (stats) => (await stats.weeks()).map(({ name }) => name),
      }),
      scopeTrends: t.field({ type: [ScopeTrendType], resolve: (stats) => stats.scopeTrends() }),
      fairClock: t.field({ type: [FairClockType], resolve: (stats) => stats.fairClock() }),
    }),
  });
  ScopeTrendType.implement({
    fields: (t) => ({
      scope: t.exposeString('scope'),
      percentages: t.field({
        type: ['Float'],
        nullable: { list: false, items: true },
        resolve: ({ percentages }) => [...percentages],
      }),
    }),
  });
  FairClockType.implement({
    fields: (t) => ({
      approver: t.expose('approver', { type: PersonType }),
      decided: t.exposeInt('decided'),
      waiting: t.exposeInt('waiting'),
      median: t.exposeFloat('median', { nullable: true }),
      p90: t.exposeFloat('p90', { nullable: true }),
    }),
  });
}

function defineEmployees(): void {
  EmployeeStatsType.implement({
    fields: (t) => ({
      person: t.expose('person', { type: PersonType }),
      counts: t.expose('counts', { type: StatusCountsType }),
      completionPercentage: t.float({
        nullable: true,
        resolve: ({ counts }) => ratesOf(counts, undefined).completionPercentage,
      }),
      signedOffPercentage: t.float({
        nullable: true,
        description: 'DONE / approved',
        resolve: ({ counts }) => ratesOf(counts, undefined).signedOffPercentage,
      }),
      firstPassPercentage: t.float({
        nullable: true,
        description: 'approved without a denial / submitted',
        resolve: async (employee) => (await ratesOfEmployee(employee)).firstPassPercentage,
      }),
      rework: t.float({
        nullable: true,
        description: 'send-backs / sign-offs',
        resolve: async (employee) => (await ratesOfEmployee(employee)).rework,
      }),
      waitedHours: t.float({
        nullable: true,
        description: 'median hours that tasks waited on their approver',
        resolve: async (employee) => (await ratesOfEmployee(employee)).waitedHours,
      }),
      trend: t.field({
        type: ['Float'],
        nullable: { list: false, items: true },
        description: '13 weeks, oldest first',
        resolve: async ({ stats, person }) => {
          const [weeks, trends] = await Promise.all([stats.weeks(), stats.trends()]);
          return [...(trends.get(person.id) ?? weeks.map(() => null))];
        },
      }),
      recorded: t.exposeBoolean('recorded', {
        description: 'recorded result of a settled sprint; counts are then these and corrections came later',
      }),
      corrections: t.exposeInt('corrections'),
    }),
  });
  EmployeeTotalsType.implement({
    fields: (t) => ({
      people: t.exposeInt('people'),
      counts: t.expose('counts', { type: StatusCountsType }),
      completionPercentage: t.exposeFloat('completionPercentage', { nullable: true }),
      signedOffPercentage: t.exposeFloat('signedOffPercentage', { nullable: true }),
      firstPassPercentage: t.exposeFloat('firstPassPercentage', { nullable: true }),
      rework: t.exposeFloat('rework', { nullable: true }),
      waitedHours: t.exposeFloat('waitedHours', { nullable: true }),
    }),
  });
}

function defineIssues(): void {
  UserIssuesType.implement({
    fields: (t) => ({
      userId: t.exposeID('userId'),
      displayName: t.exposeString('displayName'),
      completionPercentage: t.exposeFloat('completionPercentage', { nullable: true }),
      issues: t.expose('issues', { type: [IssueType] }),
    }),
  });
  IssueType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      summary: t.exposeString('summary'),
      status: t.exposeString('status'),
      taskStatus: t.expose('taskStatus', { type: TaskStatusEnum }),
    }),
  });
}
