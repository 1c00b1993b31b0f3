// Approvers' decisions in the API.
import { callAccess } from '#core/access/call-access.ts';
import { pageAfterInput, pageInput, readInput } from '#core/base/inputs.ts';
import { decideTasksInput, taskIdInput } from '#core/tasks/task-inputs.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { decided, decideTasks, inbox, inboxCount, undoDecision } from './decisions.service.ts';
import {
  DecidedTaskType,
  DecisionResultType,
  InboxType,
  partsAskedFor,
  partsOfTaskIn,
  TaskDecisionInput,
  TaskType,
} from './task-types.graphql.ts';

export function defineDecisions(): void {
  builder.queryFields((t) => ({
    inbox: t.field({
      type: [TaskType],
      access: callAccess.decisions,
      args: { limit: t.arg.int(), offset: t.arg.int() },
      description: "Tasks that wait for the caller's decision, oldest first",
      resolve: (_root, args, context, info) => inbox(context, orThrow(readInput(pageInput, args)), partsAskedFor(info)),
    }),
    inboxCount: t.field({
      type: InboxType,
      access: callAccess.decisions,
      resolve: (_root, _args, context) => inboxCount(context),
    }),
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
      resolve: (_root, args, context) => undoDecision(context, orThrow(readInput(taskIdInput, args)).taskId),
    }),
  }));
}
