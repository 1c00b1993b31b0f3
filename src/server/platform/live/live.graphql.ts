// The subscription that keeps open pages fresh.
import { callAccess } from '#core/access/call-access.ts';
import { builder } from '../graphql/builder.ts';
import { TaskEventEnum } from '../graphql/enums.ts';
import type { TaskChange } from './live.service.ts';
import { audienceOf } from './live-audience.ts';

const TaskChangedType = builder.objectRef<TaskChange>('TaskChanged');

export function defineLive(): void {
  TaskChangedType.implement({
    description: 'A task that the caller can see was changed, on any server',
    fields: (t) => ({
      taskId: t.exposeID('taskId'),
      sprintId: t.exposeID('sprintId'),
      userId: t.exposeID('userId'),
      actorId: t.exposeID('actorId', { nullable: true }),
      version: t.exposeInt('version'),
      event: t.expose('event', { type: TaskEventEnum }),
    }),
  });
  builder.subscriptionFields((t) => ({
    taskChanged: t.field({
      type: TaskChangedType,
      access: callAccess.tasks,
      subscribe: (_root, _args, context) => audienceOf(context).taskChanges(),
      resolve: (change) => change as TaskChange,
    }),
    noticesChanged: t.boolean({
      access: 'application',
      description: 'The caller’s notifications changed, on any server',
      subscribe: (_root, _args, context) => audienceOf(context).noticeChanges(),
      resolve: () => true,
    }),
  }));
}
