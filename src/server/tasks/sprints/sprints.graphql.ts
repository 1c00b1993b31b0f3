// Sprints in the API, under both names of spec 7, with the fields of both of its sources (D1).
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import { weekOf } from '#core/tasks/repeat.ts';
import { sprintState } from '#core/tasks/sprint.ts';
import { getSprintsInput, sprintResultInput } from '#core/tasks/task-inputs.ts';
import type { StatusCounts } from '#core/tasks/task-status.ts';
import { DaySpanType } from '#server/people/absences.graphql.ts';
import { daysAwayWithin } from '#server/people/absences.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { SprintStateEnum } from '#server/platform/graphql/enums.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { repeatsToCome } from '../repeats.service.ts';
import { carriedTasks, type SprintResult, sprintResult } from './sprint-records.service.ts';
import type { CarriedTasks } from './sprint-records.store.ts';
import { type ListedSprint, listSprints } from './sprints.service.ts';

export const SprintType = builder.objectRef<ListedSprint>('Sprint');
export const StatusCountsType = builder.objectRef<StatusCounts>('StatusCounts');
const CarriedTasksType = builder.objectRef<CarriedTasks>('CarriedTasks');
export const SprintResultType = builder.objectRef<SprintResult>('SprintResult');

const sprintsAsked = (context: RequestContext, args: object): Promise<ListedSprint[]> =>
  listSprints(context, orThrow(readInput(getSprintsInput, args)));

export function defineSprints(): void {
  defineSprintTypes();
  defineSprintResult();
  builder.queryFields((t) => {
    const args = { all: t.arg.boolean(), categoryFilters: t.arg.stringList() };
    return {
      getSprints: t.field({
        type: [SprintType],
        access: 'application',
        args,
        resolve: (_root, given, context) => sprintsAsked(context, given),
      }),
      sprints: t.field({
        type: [SprintType],
        access: 'application',
        args,
        resolve: (_root, given, context) => sprintsAsked(context, given),
      }),
      sprintResult: t.field({
        type: SprintResultType,
        nullable: true,
        access: callAccess.tasks,
        args: { sprintId: t.arg.id({ required: true }), userId: t.arg.id() },
        description: "A person's result in a sprint: recorded once it's settled, the current counts until then",
        resolve: (_root, args, context) => {
          const { sprintId, userId } = orThrow(readInput(sprintResultInput, args));
          return sprintResult(context, sprintId, userId);
        },
      }),
    };
  });
}

function defineSprintTypes(): void {
  SprintType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      state: t.field({ type: SprintStateEnum, resolve: ({ phase }) => sprintState(phase) }),
      current: t.boolean({ resolve: ({ phase }) => phase === 'active' }),
      startDate: t.exposeString('startAt'),
      endDate: t.exposeString('endAt'),
      settledAt: t.exposeString('settledAt'),
      phase: t.exposeString('phase', { description: 'future, active, settling or settled (D39)' }),
      taskIds: t.idList({ resolve: async ({ taskIds }) => [...(await taskIds())] }),
      completionPercentage: t.float({
        nullable: true,
        resolve: ({ completionPercentage }) => completionPercentage(),
      }),
    }),
  });
  CarriedTasksType.implement({
    description: 'Tasks of a sprint that were carried over, by the sprint they are in now',
    fields: (t) => ({ sprintId: t.exposeID('sprintId'), count: t.exposeInt('count') }),
  });
  StatusCountsType.implement({
    fields: (t) => ({
      INAPPROVAL: t.exposeInt('INAPPROVAL'),
      DENIED: t.exposeInt('DENIED'),
      TODO: t.exposeInt('TODO'),
      INPROGRESS: t.exposeInt('INPROGRESS'),
      INREVIEW: t.exposeInt('INREVIEW'),
      DONE: t.exposeInt('DONE'),
    }),
  });
}

function defineSprintResult(): void {
  SprintResultType.implement({
    fields: (t) => ({
      committed: t.exposeInt('committed', { nullable: true }),
      counts: t.expose('counts', { type: StatusCountsType, nullable: true }),
      completionPercentage: t.exposeFloat('completionPercentage', { nullable: true }),
      carriedOut: t.exposeInt('carriedOut', { nullable: true }),
      carriedTo: t.field({
        type: [CarriedTasksType],
        description: 'Includes tasks carried over after the result was recorded, unlike carriedOut',
        resolve: (result, _args, context) => carriedTasks(context, result),
      }),
      corrections: t.exposeInt('corrections'),
      completionPercentageNow: t.exposeFloat('completionPercentageNow', {
        nullable: true,
        description: 'completionPercentage after the corrections of a settled sprint',
      }),
      away: t.field({
        type: [DaySpanType],
        description: 'The days of the sprint’s week on which the person is away',
        resolve: ({ userId, startAt }, _args, { database, config }) =>
          daysAwayWithin(
            database.drizzle,
            userId,
            weekOf({ start: Temporal.Instant.from(startAt) }, config.companyTimeZone),
          ),
      }),
      repeatsToCome: t.int({
        description: 'The person’s repeating tasks that a sprint will get when it starts',
        resolve: ({ userId, startAt }, _args, context) => repeatsToCome(context, userId, startAt),
      }),
    }),
  });
}
