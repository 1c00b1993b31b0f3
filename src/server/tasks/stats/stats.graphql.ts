// The stats in the API: the employee table of spec 2, the issues of spec 7, and related numbers.
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import { usersInput } from '#core/people/people-lists.ts';
import {
  employeeOrders,
  employeePageInput,
  employeesInput,
  issuesInput,
  sprintStatsInput,
} from '#core/tasks/stats-inputs.ts';
import { sprintIdInput } from '#core/tasks/task-inputs.ts';
import { PersonType } from '#server/people/people.graphql.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { TaskStatusEnum } from '#server/platform/graphql/enums.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import type { CacheRule } from '#server/platform/graphql/response-cache.ts';
import { SprintType, StatusCountsType } from '../sprints/sprints.graphql.ts';
import {
  type BurnUpPoint,
  type Employee,
  type EmployeePage,
  type Issue,
  issuesByUser,
  type SprintStats,
  sharesOf,
  sprintStats,
  type TimeWithApprover,
  type Totals,
  type Trend,
  type UserIssues,
} from './stats.service.ts';

const SprintStatsType = builder.objectRef<SprintStats>('SprintStats');
const EmployeeStatsType = builder.objectRef<Employee>('EmployeeStats');
const EmployeePageType = builder.objectRef<EmployeePage>('EmployeePage');
const EmployeeTotalsType = builder.objectRef<Totals>('EmployeeTotals');
const TimeWithApproverType = builder.objectRef<TimeWithApprover>('FairClock');
const BurnUpPointType = builder.objectRef<BurnUpPoint>('BurnUpPoint');
const PersonTrendType = builder.objectRef<{ readonly personId: string; readonly percentages: Trend }>('PersonTrend');
const ScopeTrendType = builder.objectRef<{ readonly scope: string; readonly percentages: Trend }>('ScopeTrend');
const UserIssuesType = builder.objectRef<UserIssues>('UserIssues');
const IssueType = builder.objectRef<Issue>('Issue');

const SprintOptionsInput = builder.inputType('SprintOptions', { fields: (t) => ({ sprintId: t.id() }) });

const everyoneOrPages = 'People per page. Without it: everyone, if there are at most 1,000';

/** The clock decides which sprint is current, its phase, and where its burn-up ends. */
const cacheRule: CacheRule = {
  when: (given, parts) => given.has('sprintId') && !parts.has('sprint') && !parts.has('burnUp'),
  sharedWith: 'person',
  clock: 'none',
};

export function defineStats(): void {
  defineSprintStats();
  defineBurnUp();
  defineEmployeeLists();
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
      args: {
        options: t.arg({ type: SprintOptionsInput }),
        userId: t.arg.id({ description: 'Only this person' }),
        limit: t.arg.int({ description: everyoneOrPages }),
        after: t.arg.id({ description: 'The last person of the previous page' }),
      },
      resolve: (_root, { options, ...args }, context) => {
        const { sprintId } = orThrow(readInput(sprintIdInput, options ?? {}));
        return issuesByUser(context, { sprintId, ...orThrow(readInput(issuesInput, args)) });
      },
    }),
  }));
}

function defineSprintStats(): void {
  SprintStatsType.implement({
    fields: (t) => ({
      sprint: t.field({ type: SprintType, resolve: (stats) => stats.sprint() }),
      scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
      totals: t.field({ type: EmployeeTotalsType, resolve: (stats) => stats.totals() }),
      weeks: t.stringList({
        description: 'names of the sprints of the trends, oldest first',
        resolve: async (stats) => (await stats.weeks()).map(({ name }) => name),
      }),
      personTrends: t.field({
        type: [PersonTrendType],
        description: '% Completed of everyone with a task in one of the weeks, if there are at most 1,000',
        resolve: (stats) => stats.personTrends(),
      }),
      scopeTrends: t.field({ type: [ScopeTrendType], resolve: (stats) => stats.scopeTrends() }),
      fairClock: t.field({ type: [TimeWithApproverType], resolve: (stats) => stats.timeWithApprover() }),
    }),
  });
  PersonTrendType.implement({
    fields: (t) => ({
      personId: t.exposeID('personId'),
      percentages: t.field({
        type: ['Float'],
        nullable: { list: false, items: true },
        resolve: ({ percentages }) => [...percentages],
      }),
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
  TimeWithApproverType.implement({
    fields: (t) => ({
      approver: t.expose('approver', { type: PersonType }),
      decided: t.exposeInt('decided'),
      waiting: t.exposeInt('waiting'),
      median: t.exposeFloat('median', { nullable: true }),
      p90: t.exposeFloat('p90', { nullable: true }),
    }),
  });
}

function defineBurnUp(): void {
  builder.objectFields(SprintStatsType, (t) => ({
    burnUp: t.field({
      type: [BurnUpPointType],
      description: 'How the totals grew from the sprint’s start on, a point a day. Empty before it starts',
      resolve: (stats) => stats.burnUp(),
    }),
  }));
  BurnUpPointType.implement({
    fields: (t) => ({
      at: t.exposeString('at'),
      approved: t.exposeInt('approved', { description: 'Approved tasks before this instant' }),
      completed: t.exposeInt('completed', { description: 'Those that were completed or signed off' }),
    }),
  });
}

/** The employees of a sprint, in three shapes. */
function defineEmployeeLists(): void {
  builder.objectFields(SprintStatsType, (t) => {
    const choice = {
      search: t.arg.string({ description: 'Parts of a name or team' }),
      sort: t.arg.string({ description: `${employeeOrders.join(', ')}; by last name without it` }),
      desc: t.arg.boolean(),
    };
    return {
      employees: t.field({
        type: [EmployeeStatsType],
        description: 'By last name',
        args: {
          limit: t.arg.int({ description: everyoneOrPages }),
          after: t.arg.id({ description: 'The last person of the previous page' }),
        },
        resolve: (stats, args) => stats.employees(orThrow(readInput(usersInput, args))),
      }),
      employeePage: t.field({
        type: EmployeePageType,
        args: { ...choice, after: t.arg.id(), limit: t.arg.int() },
        resolve: (stats, args) => stats.employeePage(orThrow(readInput(employeePageInput, args))),
      }),
      employeesCsv: t.string({
        description: 'Everyone of this search, as the text of a CSV file',
        args: choice,
        resolve: (stats, args) => stats.employeesCsv(orThrow(readInput(employeesInput, args))),
      }),
    };
  });
  EmployeePageType.implement({
    fields: (t) => ({
      rows: t.field({ type: [EmployeeStatsType], resolve: ({ rows }) => rows }),
      total: t.exposeInt('total', { description: 'People of this search' }),
      everyone: t.exposeInt('everyone', { description: 'People without the search, including invisible ones' }),
      next: t.exposeID('next', {
        nullable: true,
        description: 'Pass it as `after` for the next page. Null at the end',
      }),
    }),
  });
}

function defineEmployees(): void {
  EmployeeStatsType.implement({
    fields: (t) => ({
      person: t.expose('person', { type: PersonType }),
      invisible: t.exposeBoolean('invisible', {
        description: 'in no total or average, and only shown to the person, their approvers and admins',
      }),
      counts: t.expose('counts', { type: StatusCountsType }),
      completionPercentage: t.float({
        nullable: true,
        resolve: ({ counts }) => sharesOf(counts).completionPercentage,
      }),
      signedOffPercentage: t.float({
        nullable: true,
        description: 'DONE / approved',
        resolve: ({ counts }) => sharesOf(counts).signedOffPercentage,
      }),
      firstPassPercentage: t.float({
        nullable: true,
        description: 'approved without a denial / decided',
        resolve: async ({ rates }) => (await rates()).firstPassPercentage,
      }),
      rework: t.float({
        nullable: true,
        description: 'send-backs / sign-offs',
        resolve: async ({ rates }) => (await rates()).rework,
      }),
      waitedHours: t.float({
        nullable: true,
        description: 'median hours that tasks waited on their approver',
        resolve: async ({ rates }) => (await rates()).waitedHours,
      }),
      recorded: t.exposeBoolean('recorded', {
        description: 'true if `counts` are the recorded result of a settled sprint, without later corrections',
      }),
      corrections: t.exposeInt('corrections'),
      trend: t.field({
        type: ['Float'],
        nullable: { list: false, items: true },
        description: '% Completed in each of the `weeks`',
        resolve: async ({ trend }) => [...(await trend())],
      }),
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
