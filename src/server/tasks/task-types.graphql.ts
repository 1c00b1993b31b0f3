// The types of tasks in the API. Access was checked when the task was read; its fields need no further check.

import { displayName } from '#core/people/people.ts';
import { decidesInsteadOf, historyFor } from '#core/tasks/task.ts';
import { isPlanned } from '#core/tasks/task-status.ts';
import { awayPerson, type Delegation, runningDelegations } from '#server/people/absences.service.ts';
import { PersonType } from '#server/people/people.graphql.ts';
import { type Person, peopleWithTopFive } from '#server/people/people.service.ts';
import { batchedRead } from '#server/platform/batched-read.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { instantOf } from '#server/platform/db/database-types.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { DecisionEnum, TaskEventEnum, TaskRepeatEnum, TaskStatusEnum } from '#server/platform/graphql/enums.ts';
import { forFieldsAsked } from '#server/platform/graphql/fields-asked-for.ts';
import { linkFor } from './attachments/file-links.ts';
import type { DecidedTask, DecisionResult, InboxOverview, InboxPage } from './decisions.service.ts';
import { type HandOverDue, handOverDue, type NamedHandOver, readHandOvers, waitsTooLong } from './hand-over.ts';
import type { AttachmentRow, NoteRow, TaskPart, TaskRow } from './task-columns.ts';
import { editsByTask, historyOfTask, tasksAddedAgain } from './tasks.service.ts';
import type { HistoryRow } from './tasks.store.ts';

export const TaskType = builder.objectRef<TaskRow>('Task');
const NoteType = builder.objectRef<NoteRow>('Note');
const AttachmentType = builder.objectRef<AttachmentRow>('Attachment');
const DecidedForType = builder.objectRef<Delegation>('DecidedFor');
const HandOverType = builder.objectRef<NamedHandOver>('HandOver');
const NextInLineType = builder.objectRef<NamedHandOver['nextInLine'][number]>('NextInLine');
const HistoryEntryType = builder.objectRef<HistoryRow>('HistoryEntry');
export const DecidedTaskType = builder.objectRef<DecidedTask>('DecidedTask');
export const DecisionResultType = builder.objectRef<DecisionResult>('DecisionResult');
export const InboxType = builder.objectRef<{ readonly toApprove: number; readonly toSignOff: number }>('Inbox');

export const InboxPageType = builder.objectRef<InboxPage>('InboxPage');
export const InboxOverviewType = builder.objectRef<InboxOverview>('InboxOverview');
const InboxCountsType = builder.objectRef<InboxOverview['toApprove']>('InboxCounts');

/** The absent approvers whose delegate the caller is, by id. */
const absentApprover = batchedRead(async (context: RequestContext) => {
  const delegations = await runningDelegations(context, context.database.drizzle, { delegateId: context.viewer.id });
  return new Map(delegations.map((delegation) => [delegation.approverId, delegation]));
});
/** The hand-overs of waiting tasks, by owner. */
const handOverOfOwner = batchedRead(async (context: RequestContext, ownerIds) => {
  const due = handOverDue(context);
  return due ? readHandOvers(context.database.drizzle, ownerIds, due) : new Map<string, NamedHandOver>();
});
/** The owners who can work on their tasks. */
const activeOwner = batchedRead(async (context: RequestContext, ownerIds) => {
  const ids = await peopleWithTopFive(context.database.drizzle, ownerIds);
  return new Map(ids.map((id) => [id, true]));
});
const editsOfTask = batchedRead(editsByTask);
const addedAgain = batchedRead(tasksAddedAgain);

/** Fields whose columns are read on demand. */
const partOfField = {
  owner: 'owner',
  createdBy: 'creator',
  ownerApproverIds: 'approvers',
  decidedFor: 'approvers',
  extra: 'place',
  summary: 'summary',
  notes: 'notes',
  'notes.text': 'noteTexts',
  attachments: 'attachments',
} as const satisfies Readonly<Record<string, TaskPart>>;

/** What a list of tasks must read for the requested fields, with the tasks at one of these paths. */
const partsAt = (...paths: readonly string[]) =>
  forFieldsAsked((fields): readonly TaskPart[] => {
    const asked = Object.entries(partOfField).filter(([field]) => paths.some((path) => fields.has(`${path}${field}`)));
    return [...new Set(asked.map(([, part]) => part))];
  });

export const partsAskedFor = partsAt('');
export const partsOfTaskIn = partsAt('task.');
export const partsOfTasksIn = partsAt('tasks.');
export const partsOfWeek = partsAt('tasks.', 'openAtClose.');

export const TaskDecisionInput = builder.inputType('TaskDecision', {
  fields: (t) => ({
    taskId: t.id({ required: true }),
    decision: t.field({ type: DecisionEnum, required: true }),
    version: t.int(),
    change: t.string(),
    title: t.string({ description: 'The approver’s edit, only with the approval of a task' }),
    summary: t.string(),
    category: t.string(),
  }),
});

export function defineTaskTypes(): void {
  defineTask();
  defineOwner();
  defineParts();
  defineHandOver();
  defineHistory();
  DecidedTaskType.implement({
    fields: (t) => ({
      task: t.expose('task', { type: TaskType }),
      entry: t.expose('entry', { type: HistoryEntryType }),
      undoUntil: t.exposeString('undoUntil', { nullable: true }),
    }),
  });
  DecisionResultType.implement({
    fields: (t) => ({
      taskId: t.exposeID('taskId'),
      ok: t.exposeBoolean('ok'),
      code: t.exposeString('code', { nullable: true }),
      message: t.exposeString('message', { nullable: true }),
      task: t.expose('task', { type: TaskType, nullable: true }),
    }),
  });
  InboxType.implement({
    fields: (t) => ({ toApprove: t.exposeInt('toApprove'), toSignOff: t.exposeInt('toSignOff') }),
  });
  InboxPageType.implement({
    fields: (t) => ({
      tasks: t.expose('tasks', { type: [TaskType] }),
      next: t.exposeString('next', { nullable: true }),
    }),
  });
  InboxCountsType.implement({
    fields: (t) => ({
      waiting: t.exposeInt('waiting'),
      overdue: t.exposeInt('overdue'),
      later: t.exposeInt('later', { description: 'Of sprints that haven’t started' }),
    }),
  });
  InboxOverviewType.implement({
    fields: (t) => ({
      people: t.exposeInt('people'),
      duePeople: t.exposeInt('duePeople', { description: 'With tasks of sprints that have started' }),
      toApprove: t.expose('toApprove', { type: InboxCountsType }),
      toSignOff: t.expose('toSignOff', { type: InboxCountsType }),
    }),
  });
}

async function decidedFor(context: RequestContext, { ownerId, approverIds }: TaskRow): Promise<Delegation | null> {
  const absentId = decidesInsteadOf(context.viewer, { id: ownerId, approverIds });
  return absentId === null ? null : ((await absentApprover(context, absentId)) ?? null);
}

const ownerOf = ({ ownerId, ownerFirstName, ownerLastName, ownerEmail, ownerTeam }: TaskRow): Person => ({
  id: ownerId,
  displayName: displayName({ firstName: ownerFirstName, lastName: ownerLastName, email: ownerEmail }),
  team: ownerTeam,
});

/** Counting back working hours takes about a millisecond, and an answer has hundreds of tasks. */
const dueOf = new WeakMap<RequestContext, HandOverDue | null>();

async function handedOver(context: RequestContext, task: TaskRow): Promise<NamedHandOver | null> {
  if (!dueOf.has(context)) dueOf.set(context, handOverDue(context));
  const due = dueOf.get(context);
  return due && waitsTooLong(task, due) ? ((await handOverOfOwner(context, task.ownerId)) ?? null) : null;
}

function defineTask(): void {
  TaskType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      userId: t.exposeID('ownerId'),
      sprintId: t.exposeID('sprintId'),
      title: t.exposeString('title'),
      status: t.expose('status', { type: TaskStatusEnum }),
      summary: t.exposeString('summary'),
      change: t.exposeString('change'),
      reason: t.exposeString('reason', { nullable: true }),
      created: t.exposeString('createdAt'),
      category: t.exposeString('category'),
      notes: t.field({ type: [NoteType], resolve: ({ notes }) => notes ?? [] }),
      attachments: t.field({ type: [AttachmentType], resolve: ({ attachments }) => attachments ?? [] }),
      version: t.exposeInt('version'),
      statusSince: t.exposeString('statusAt'),
      carriedOver: t.exposeInt('carriedOver'),
      withdrawn: t.exposeBoolean('withdrawn'),
      leftUndone: t.exposeBoolean('leftUndone'),
      repeats: t.expose('repeats', { type: TaskRepeatEnum, nullable: true }),
      extra: t.boolean({
        description: 'Beyond the limit of tasks per sprint (D19)',
        resolve: ({ withdrawn, status, place }, _args, { settings }) =>
          !withdrawn && isPlanned({ status }) && place > settings().taskLimit,
      }),
      decidedFor: t.field({
        type: DecidedForType,
        nullable: true,
        resolve: (task, _args, context) => decidedFor(context, task),
      }),
      createdBy: t.field({
        type: PersonType,
        resolve: ({ createdById, creatorFirstName, creatorLastName, creatorEmail, creatorTeam }) => ({
          id: createdById,
          displayName: displayName({ firstName: creatorFirstName, lastName: creatorLastName, email: creatorEmail }),
          team: creatorTeam,
        }),
      }),
      editedSince: t.string({
        nullable: true,
        description: 'For a Completed task that was edited after its approval or completion: which of the two',
        resolve: async ({ id, status }, _args, context) =>
          status === 'INREVIEW' ? ((await editsOfTask(context, id)) ?? null) : null,
      }),
      addedAgain: t.boolean({
        description: 'A later sprint has it again, because it repeats. It can’t be carried over',
        resolve: async ({ id, repeats }, _args, context) =>
          repeats === null && (await addedAgain(context, id)) === true,
      }),
      history: t.field({
        type: [HistoryEntryType],
        resolve: async ({ id, ownerId }, _args, context) =>
          historyFor(context.viewer, ownerId, await historyOfTask(context, id)),
      }),
    }),
  });
}

function defineOwner(): void {
  builder.objectFields(TaskType, (t) => ({
    owner: t.field({ type: PersonType, resolve: ownerOf }),
    ownerKeepsTasks: t.boolean({
      description: 'Whether the owner has an account in use and S.T.A.R.T',
      resolve: async ({ ownerId }, _args, context) => (await activeOwner(context, ownerId)) ?? false,
    }),
    ownerAwayUntil: t.string({
      nullable: true,
      description: 'The last day of the owner’s time away, if they are away today',
      resolve: async ({ ownerId }, _args, context) => (await awayPerson(context, ownerId))?.until ?? null,
    }),
    ownerApproverIds: t.idList({ resolve: ({ approverIds }) => [...approverIds] }),
  }));
}

function defineParts(): void {
  DecidedForType.implement({
    description: 'The absent approver that the caller decides for',
    fields: (t) => ({
      displayName: t.exposeString('approverName'),
      until: t.exposeString('until', { description: 'The last day of the absence' }),
    }),
  });
  NoteType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      userName: t.exposeString('userName'),
      text: t.exposeString('text'),
      userId: t.exposeID('userId', { nullable: true }),
      timeStamp: t.string({ resolve: ({ timeStamp }) => instantOf(timeStamp) }),
      edited: t.exposeBoolean('edited'),
    }),
  });
  AttachmentType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      userId: t.exposeID('userId', { nullable: true }),
      userName: t.exposeString('userName'),
      fileName: t.exposeString('fileName'),
      mime: t.exposeString('mime'),
      size: t.exposeFloat('size'),
      url: t.string({
        nullable: true,
        resolve: (file, _args, context) => (file.storageKey === null ? null : linkFor(context, file)),
      }),
      timeStamp: t.string({ resolve: ({ timeStamp }) => instantOf(timeStamp) }),
    }),
  });
}

function defineHandOver(): void {
  builder.objectField(TaskType, 'handedOver', (t) =>
    t.field({
      type: HandOverType,
      nullable: true,
      description: 'Set when it has waited so long that the next in line can decide too',
      resolve: (task, _args, context) => handedOver(context, task),
    }),
  );
  HandOverType.implement({
    fields: (t) => ({
      approvers: t.stringList({ resolve: ({ approvers }) => approvers.map((approver) => approver.displayName) }),
      nextInLine: t.field({ type: [NextInLineType], resolve: ({ nextInLine }) => [...nextInLine] }),
      toAdmins: t.exposeBoolean('toAdmins', {
        description: 'Admins can decide too: nobody is next in line, or all of them are away',
      }),
    }),
  });
  NextInLineType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      displayName: t.exposeString('displayName'),
      approverId: t.exposeID('approverId', { description: 'The approver whose approver this person is' }),
    }),
  });
}

function defineHistory(): void {
  HistoryEntryType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      at: t.exposeString('at'),
      actorId: t.exposeID('actorId', { nullable: true }),
      actorName: t.exposeString('actorName'),
      forName: t.exposeString('forName', {
        nullable: true,
        description: 'The approver that the actor decided for',
      }),
      event: t.expose('event', { type: TaskEventEnum }),
      from: t.expose('from', { type: TaskStatusEnum }),
      to: t.expose('to', { type: TaskStatusEnum }),
      change: t.exposeString('change', { nullable: true }),
      before: t.exposeString('before'),
      after: t.exposeString('after'),
      version: t.exposeInt('version'),
      waitedSeconds: t.float({ resolve: ({ waited }) => Number(waited) }),
      correction: t.exposeBoolean('correction'),
    }),
  });
}
