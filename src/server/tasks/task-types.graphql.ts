// The types of tasks in the API. Access was checked when the task was read; its fields need no further check.

import { displayName } from '#core/people/people.ts';
import { historyFor } from '#core/tasks/task.ts';
import { PersonType } from '#server/people/people.graphql.ts';
import { batchedRead } from '#server/platform/batched-read.ts';
import { instantOf } from '#server/platform/db/database-types.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { DecisionEnum, TaskEventEnum, TaskStatusEnum } from '#server/platform/graphql/enums.ts';
import { forFieldsAsked } from '#server/platform/graphql/fields-asked-for.ts';
import { linkFor } from './attachments/file-links.ts';
import type { DecidedTask, DecisionResult } from './decisions.service.ts';
import type { AttachmentRow, NoteRow, TaskPart, TaskRow } from './task-columns.ts';
import { editsByTask, historyByTask } from './tasks.service.ts';
import type { HistoryRow } from './tasks.store.ts';

export const TaskType = builder.objectRef<TaskRow>('Task');
const NoteType = builder.objectRef<NoteRow>('Note');
const AttachmentType = builder.objectRef<AttachmentRow>('Attachment');
const HistoryEntryType = builder.objectRef<HistoryRow>('HistoryEntry');
export const DecidedTaskType = builder.objectRef<DecidedTask>('DecidedTask');
export const DecisionResultType = builder.objectRef<DecisionResult>('DecisionResult');
export const InboxType = builder.objectRef<{ readonly toApprove: number; readonly toSignOff: number }>('Inbox');

const historyOfTask = batchedRead(historyByTask);
const editsOfTask = batchedRead(editsByTask);

/** Fields whose columns are read on demand. */
const partOfField = {
  owner: 'owner',
  createdBy: 'creator',
  ownerApproverIds: 'approvers',
  extra: 'place',
  summary: 'summary',
  notes: 'notes',
  'notes.text': 'noteTexts',
  attachments: 'attachments',
} as const satisfies Readonly<Record<string, TaskPart>>;

/** What a list of tasks must read for the requested fields, with the tasks at one of these paths. */
const partsAt = (...paths: readonly string[]) =>
  forFieldsAsked((fields): readonly TaskPart[] =>
    Object.entries(partOfField).flatMap(([field, part]) =>
      paths.some((path) => fields.has(`${path}${field}`)) ? part : [],
    ),
  );

export const partsAskedFor = partsAt('');
export const partsOfTaskIn = partsAt('task.');
export const partsOfWeek = partsAt('tasks.', 'openAtClose.');

export const TaskDecisionInput = builder.inputType('TaskDecision', {
  fields: (t) => ({
    taskId: t.id({ required: true }),
    decision: t.field({ type: DecisionEnum, required: true }),
    version: t.int(),
    change: t.string(),
  }),
});

export function defineTaskTypes(): void {
  defineTask();
  defineParts();
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
      extra: t.boolean({
        description: 'Beyond the limit of tasks per sprint (D19)',
        resolve: ({ withdrawn, place }, _args, { settings }) => !withdrawn && place > settings().taskLimit,
      }),
      owner: t.field({
        type: PersonType,
        resolve: ({ ownerId, ownerFirstName, ownerLastName, ownerEmail, ownerTeam }) => ({
          id: ownerId,
          displayName: displayName({ firstName: ownerFirstName, lastName: ownerLastName, email: ownerEmail }),
          team: ownerTeam,
        }),
      }),
      ownerApproverIds: t.idList({ resolve: ({ approverIds }) => [...approverIds] }),
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
        description: 'Of a Completed task: approval or completion, if its content was edited after that',
        resolve: async ({ id, status }, _args, context) =>
          status === 'INREVIEW' ? ((await editsOfTask(context, id)) ?? null) : null,
      }),
      history: t.field({
        type: [HistoryEntryType],
        resolve: async ({ id, ownerId }, _args, context) =>
          historyFor(context.viewer, ownerId, (await historyOfTask(context, id)) ?? []),
      }),
    }),
  });
}

function defineParts(): void {
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

function defineHistory(): void {
  HistoryEntryType.implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      at: t.exposeString('at'),
      actorId: t.exposeID('actorId', { nullable: true }),
      actorName: t.exposeString('actorName'),
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
