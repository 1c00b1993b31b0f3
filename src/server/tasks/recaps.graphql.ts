// Recaps of weeks in the API.
import { callAccess } from '#core/access/call-access.ts';
import { pageAfterInput, readInput } from '#core/base/inputs.ts';
import { sprintToClose } from '#core/tasks/sprint.ts';
import { closeWeekInput } from '#core/tasks/task-inputs.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { closeWeek, type Recap, recapOfSprint, weekRecaps } from './recaps.service.ts';
import { SprintResultType, StatusCountsType } from './sprints/sprints.graphql.ts';
import { MyWeekType } from './tasks.graphql.ts';

const RecapType = builder.objectRef<Recap>('WeekRecap');

export function defineRecaps(): void {
  RecapType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      sprintId: t.exposeID('sprintId'),
      sprintName: t.exposeString('sprintName'),
      userId: t.exposeID('ownerId'),
      displayName: t.exposeString('displayName'),
      learned: t.exposeString('learned'),
      closedAt: t.exposeString('closedAt'),
      editedAt: t.exposeString('editedAt', { nullable: true }),
      version: t.exposeInt('version'),
      counts: t.expose('counts', { type: StatusCountsType }),
      carriedOut: t.exposeInt('carriedOut'),
    }),
  });
  builder.objectField(SprintResultType, 'recap', (t) =>
    t.field({
      type: RecapType,
      nullable: true,
      description: 'What the person wrote when they closed the week',
      resolve: ({ sprintId, userId }, _args, context) => recapOfSprint(context, sprintId, userId),
    }),
  );
  builder.objectField(MyWeekType, 'recap', (t) =>
    t.field({
      type: RecapType,
      nullable: true,
      description: 'For the sprint that the caller can close now. Null until they close it',
      resolve: ({ sprint, previousSprint }, _args, context) =>
        recapOfSprint(context, sprintToClose(sprint, previousSprint).id, context.viewer.id),
    }),
  );
  builder.queryFields((t) => ({
    weekRecaps: t.field({
      type: [RecapType],
      access: callAccess.decisions,
      args: { limit: t.arg.int(), after: t.arg.id({ description: 'The last recap of the previous page' }) },
      description: 'The recaps of the people whose tasks come to the caller for approval, newest first',
      resolve: (_root, args, context) => weekRecaps(context, orThrow(readInput(pageAfterInput, args))),
    }),
  }));
  builder.mutationFields((t) => ({
    closeWeek: t.field({
      type: RecapType,
      access: callAccess.ownTasks,
      args: {
        sprintId: t.arg.id({ required: true }),
        learned: t.arg.string({ required: true }),
        version: t.arg.int({ description: 'The version of the recap that the caller saw, or 0 if there was none' }),
      },
      description:
        'Closes the caller’s week with what they learned. Until the sprint is settled, a new text replaces it',
      resolve: (_root, args, context) => closeWeek(context, orThrow(readInput(closeWeekInput, args))),
    }),
  }));
}
