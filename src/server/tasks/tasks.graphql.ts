// Tasks in the API, under both names of spec 7, and what their owner and approver do with them.
import type { GraphQLResolveInfo } from 'graphql';
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import {
  createTaskInput,
  dropTaskInput,
  getTasksInput,
  moveToSprintInput,
  orderTasksInput,
  repeatTaskInput,
  stepInput,
  taskIdInput,
  updateTaskInput,
} from '#core/tasks/task-inputs.ts';
import { UserType } from '#server/people/people.graphql.ts';
import { batchedRead } from '#server/platform/batched-read.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { TaskRepeatEnum, TaskStatusEnum } from '#server/platform/graphql/enums.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { inboxCount } from './decisions.service.ts';
import { type FirstWeek, type MyWeek, myWeek, orderTasks } from './my-week.service.ts';
import { SprintType } from './sprints/sprints.graphql.ts';
import type { TaskRow } from './task-columns.ts';
import { InboxType, partsAskedFor, partsOfWeek, TaskType } from './task-types.graphql.ts';
import {
  carryOver,
  createTask,
  leaveUndone,
  listTasks,
  moveToSprint,
  repeatTask,
  tasksBySprint,
  undoTaskSteps,
  updateTask,
  withdrawTask,
} from './tasks.service.ts';

const SprintTasksType = builder.objectRef<{ readonly sprintId: string; readonly tasks: readonly TaskRow[] }>(
  'SprintTasks',
);
export const MyWeekType = builder.objectRef<MyWeek>('MyWeek');
const FirstWeekType = builder.objectRef<FirstWeek>('FirstWeek');

const tasksOfUser = batchedRead(tasksBySprint);

const tasksAsked = (context: RequestContext, args: object, info: GraphQLResolveInfo): Promise<TaskRow[]> =>
  listTasks(context, orThrow(readInput(getTasksInput, args)), partsAskedFor(info));

export function defineTasks(): void {
  defineQueries();
  defineMutations();
  defineSteps();
  MyWeekType.implement({
    fields: (t) => ({
      sprint: t.expose('sprint', { type: SprintType }),
      previousSprint: t.expose('previousSprint', { type: SprintType, nullable: true }),
      tasks: t.field({
        type: [TaskType],
        resolve: async ({ sprint, own }) => (await own()).filter(({ sprintId }) => sprintId === sprint.id),
      }),
      taskOrder: t.idList({
        description: 'Ids of tasks of this sprint, as the caller ordered them. The other tasks come after them',
        resolve: async ({ order }) => [...(await order())],
      }),
      openAtClose: t.field({
        type: [TaskType],
        resolve: async ({ sprint, own }) => (await own()).filter(({ sprintId }) => sprintId !== sprint.id),
      }),
      taskLimit: t.int({
        description: 'Tasks expected per person and sprint (D19)',
        resolve: (_week, _args, { settings }) => settings().taskLimit,
      }),
      waiting: t.field({ type: InboxType, resolve: (_week, _args, context) => inboxCount(context) }),
      firstWeek: t.field({
        type: FirstWeekType,
        nullable: true,
        description: 'For someone new: until their first task is approved, or its sprint ends',
        resolve: ({ firstWeek }) => firstWeek(),
      }),
    }),
  });
  FirstWeekType.implement({ fields: (t) => ({ hasTask: t.exposeBoolean('hasTask') }) });
  SprintTasksType.implement({
    fields: (t) => ({ sprintId: t.exposeID('sprintId'), tasks: t.expose('tasks', { type: [TaskType] }) }),
  });
  builder.objectField(UserType, 'tasksBySprint', (t) =>
    t.field({
      type: [SprintTasksType],
      resolve: async ({ id }, _args, context) =>
        [...((await tasksOfUser(context, id)) ?? [])].map(([sprintId, tasks]) => ({ sprintId, tasks })),
    }),
  );
}

function defineQueries(): void {
  builder.queryFields((t) => {
    const args = {
      taskId: t.arg.id(),
      userId: t.arg.id({
        description: 'Defaults to the caller, or with `taskId` or `find` to everyone the caller can see',
      }),
      sprintId: t.arg.id(),
      status: t.arg({ type: [TaskStatusEnum] }),
      find: t.arg.string({ description: 'Beginnings of words in the task or the owner’s name. Finds the newest few' }),
      limit: t.arg.int(),
      offset: t.arg.int(),
    };
    return {
      getTasks: t.field({
        type: [TaskType],
        access: callAccess.tasks,
        args,
        resolve: (_root, given, context, info) => tasksAsked(context, given, info),
      }),
      tasks: t.field({
        type: [TaskType],
        access: callAccess.tasks,
        args,
        resolve: (_root, given, context, info) => tasksAsked(context, given, info),
      }),
      myWeek: t.field({
        type: MyWeekType,
        access: 'application',
        resolve: (_root, _args, context, info) => myWeek(context, partsOfWeek(info)),
      }),
    };
  });
}

function defineMutations(): void {
  builder.mutationFields((t) => ({
    createTask: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: {
        title: t.arg.string({ required: true }),
        userId: t.arg.id({ required: true }),
        summary: t.arg.string(),
        category: t.arg.string(),
        sprintId: t.arg.id(),
      },
      resolve: (_root, args, context) => createTask(context, orThrow(readInput(createTaskInput, args))),
    }),
    updateTask: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: {
        id: t.arg.id({ required: true }),
        title: t.arg.string(),
        change: t.arg.string(),
        status: t.arg({ type: TaskStatusEnum }),
        summary: t.arg.string(),
        category: t.arg.string(),
        version: t.arg.int(),
      },
      resolve: (_root, args, context, info) => {
        const { id, ...update } = orThrow(readInput(updateTaskInput, args));
        return updateTask(context, id, update, partsAskedFor(info));
      },
    }),
  }));
}

/** The owner's steps with a task. */
function defineSteps(): void {
  builder.mutationFields((t) => ({
    withdrawTask: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }), reason: t.arg.string() },
      resolve: (_root, args, context) => withdrawTask(context, orThrow(readInput(dropTaskInput, args))),
    }),
    carryOver: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }) },
      resolve: (_root, args, context) => carryOver(context, orThrow(readInput(taskIdInput, args)).taskId),
    }),
    moveToSprint: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }), sprintId: t.arg.id({ required: true }), version: t.arg.int() },
      description: 'Moves a task that isn’t approved to the current or a later sprint',
      resolve: (_root, args, context) => moveToSprint(context, orThrow(readInput(moveToSprintInput, args))),
    }),
    leaveUndone: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }), reason: t.arg.string() },
      description: 'Closes an unfinished task of a past sprint. It still counts there as not completed',
      resolve: (_root, args, context) => leaveUndone(context, orThrow(readInput(dropTaskInput, args))),
    }),
    repeatTask: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }), repeats: t.arg({ type: TaskRepeatEnum }) },
      description: 'Adds the task again in later sprints, or stops that if `repeats` is left out',
      resolve: (_root, args, context) => repeatTask(context, orThrow(readInput(repeatTaskInput, args))),
    }),
    orderTasks: t.idList({
      access: callAccess.ownTasks,
      args: { sprintId: t.arg.id({ required: true }), taskIds: t.arg.idList({ required: true }) },
      description:
        'Orders the caller’s tasks of a sprint that isn’t over. The others come after them. It is a personal arrangement: no task gets a new version, and no history records it',
      resolve: async (_root, args, context) => [
        ...(await orderTasks(context, orThrow(readInput(orderTasksInput, args)))),
      ],
    }),
  }));
  defineUndo();
}

function defineUndo(): void {
  builder.mutationFields((t) => ({
    undoTaskStep: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }) },
      description:
        'Undoes the caller’s own completion, withdrawal, leaving undone or step to another sprint within 30 seconds',
      resolve: async (_root, args, context) =>
        (await undoTaskSteps(context, [orThrow(readInput(taskIdInput, args)).taskId]))[0] as TaskRow,
    }),
    undoTaskSteps: t.field({
      type: [TaskType],
      access: callAccess.tasks,
      args: { taskIds: t.arg.idList({ required: true }) },
      description:
        'Undoes such steps on several tasks, all of them or none, within 30 seconds after the last one. They must have taken 30 seconds at most',
      resolve: (_root, args, context, info) =>
        undoTaskSteps(context, orThrow(readInput(stepInput, args)).taskIds, partsAskedFor(info)),
    }),
  }));
}
