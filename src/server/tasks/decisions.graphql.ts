// Approvers' decisions in the API.
import { callAccess } from '#core/access/call-access.ts';
import { pageAfterInput, readInput } from '#core/base/inputs.ts';
import { decideTasksInput, inboxInput, inboxPageInput, stepInput, taskIdInput } from '#core/tasks/task-inputs.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { TaskStatusEnum } from '#server/platform/graphql/enums.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import {
  decided,
  decideTasks,
  inbox,
  inboxCount,
  inboxOverview,
  inboxPage,
  undoDecisions,
} from './decisions.service.ts';
import type { TaskRow } from './task-columns.ts';
import {
  DecidedTaskType,
  DecisionResultType,
  InboxOverviewType,
  InboxPageType,
  InboxType,
  partsAskedFor,
  partsOfTaskIn,
  partsOfTasksIn,
  TaskDecisionInput,
  TaskType,
} from './task-types.graphql.ts';

export function defineDecisions(): void {
  defineInbox();
  builder.queryFields((t) => ({
    decided: t.field({
      type: [DecidedTaskType],
      access: callAccess.decisions,
      args: { limit: t.arg.int(), after: t.arg.id({ description: 'The last entry of the previous page' }) },
      description: 'The caller’s decisions, newest first',
      resolve: (_root, args, context, info) =>
        decided(context, orThrow(readInput(pageAfterInput, args)), partsOfTaskIn(info)),
    }),
  }));
  builder.mutationFields((t) => ({
    decideTasks: t.field({
      type: [DecisionResultType],
      access: callAccess.decisions,
      args: { decisions: t.arg({ type: [TaskDecisionInput], required: true }) },
      description: 'Decides each task separately. One result per task, in order',
      resolve: (_root, args, context, info) =>
        decideTasks(context, orThrow(readInput(decideTasksInput, args)).decisions, partsOfTaskIn(info)),
    }),
    undoDecision: t.field({
      type: TaskType,
      access: callAccess.decisions,
      args: { taskId: t.arg.id({ required: true }) },
      description: 'Undoes the caller’s own decision within 30 seconds',
      resolve: async (_root, args, context) =>
        (await undoDecisions(context, [orThrow(readInput(taskIdInput, args)).taskId]))[0] as TaskRow,
    }),
    undoDecisions: t.field({
      type: [TaskType],
      access: callAccess.decisions,
      args: { taskIds: t.arg.idList({ required: true }) },
      description:
        'Undoes the caller’s own decisions, all of them or none, within 30 seconds after the last one. Deciding them must have taken 30 seconds at most',
      resolve: (_root, args, context, info) =>
        undoDecisions(context, orThrow(readInput(stepInput, args)).taskIds, partsAskedFor(info)),
    }),
  }));
}

function defineInbox(): void {
  builder.queryFields((t) => ({
    inbox: t.field({
      type: [TaskType],
      access: callAccess.decisions,
      args: { limit: t.arg.int(), offset: t.arg.int(), taskId: t.arg.id() },
      description: "Tasks waiting for the caller's decision, oldest first, those of later sprints last",
      resolve: (_root, args, context, info) =>
        inbox(context, orThrow(readInput(inboxInput, args)), partsAskedFor(info)),
    }),
    inboxPage: t.field({
      type: InboxPageType,
      access: callAccess.decisions,
      args: {
        status: t.arg({ type: TaskStatusEnum, required: true }),
        due: t.arg.boolean({ description: 'Without tasks of sprints that haven’t started' }),
        byPerson: t.arg.boolean({ description: 'Groups the tasks by person' }),
        find: t.arg.string({ description: 'Parts of the title, the owner’s name or the brand' }),
        limit: t.arg.int(),
        after: t.arg.string({ description: '`next` of the previous page' }),
      },
      description:
        "Tasks waiting for the caller's decision, overdue first, then oldest first, those of later sprints last, in pages",
      resolve: (_root, args, context, info) =>
        inboxPage(context, orThrow(readInput(inboxPageInput, args)), partsOfTasksIn(info)),
    }),
    inboxOverview: t.field({
      type: InboxOverviewType,
      access: callAccess.decisions,
      description: "How many tasks are waiting for the caller's decision",
      resolve: (_root, _args, context) => inboxOverview(context),
    }),
    inboxCount: t.field({
      type: InboxType,
      access: callAccess.decisions,
      resolve: (_root, _args, context) => inboxCount(context),
    }),
  }));
}
