// A task's notes and attached files in the API.
import { callAccess } from '#core/access/call-access.ts';
import { readInput } from '#core/base/inputs.ts';
import {
  addNoteInput,
  editNoteInput,
  removeAttachmentInput,
  removeNoteInput,
  restoreAttachmentInput,
  restoreNoteInput,
} from '#core/tasks/task-inputs.ts';
import { builder } from '#server/platform/graphql/builder.ts';
import { orThrow } from '#server/platform/graphql/refusal-error.ts';
import { addNote, editNote, removeNote, restoreNote } from './notes.service.ts';
import { removeFile, restoreFile } from './task-files.service.ts';
import { partsAskedFor, TaskType } from './task-types.graphql.ts';

export function defineNotes(): void {
  builder.mutationFields((t) => ({
    addNoteToTask: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }), text: t.arg.string({ required: true }) },
      resolve: (_root, args, context, info) => {
        const { taskId, text } = orThrow(readInput(addNoteInput, args));
        return addNote(context, taskId, text, partsAskedFor(info));
      },
    }),
    editNote: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: {
        taskId: t.arg.id({ required: true }),
        noteId: t.arg.id({ required: true }),
        text: t.arg.string({ required: true }),
      },
      resolve: (_root, args, context, info) => {
        const { taskId, noteId, text } = orThrow(readInput(editNoteInput, args));
        return editNote(context, taskId, noteId, text, partsAskedFor(info));
      },
    }),
    removeNoteFromTask: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }), noteIndex: t.arg.int({ required: true }), version: t.arg.int() },
      resolve: (_root, args, context, info) => {
        const { taskId, noteIndex, version } = orThrow(readInput(removeNoteInput, args));
        return removeNote(context, taskId, { index: noteIndex, version }, partsAskedFor(info));
      },
    }),
    restoreNote: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }), noteId: t.arg.id({ required: true }) },
      resolve: (_root, args, context, info) => {
        const { taskId, noteId } = orThrow(readInput(restoreNoteInput, args));
        return restoreNote(context, taskId, noteId, partsAskedFor(info));
      },
    }),
  }));
}

export function defineTaskFiles(): void {
  builder.mutationFields((t) => ({
    removeAttachmentFromTask: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: {
        taskId: t.arg.id({ required: true }),
        attachmentIndex: t.arg.int({ required: true }),
        version: t.arg.int(),
      },
      resolve: (_root, args, context, info) => {
        const { taskId, attachmentIndex, version } = orThrow(readInput(removeAttachmentInput, args));
        return removeFile(context, taskId, { index: attachmentIndex, version }, partsAskedFor(info));
      },
    }),
    restoreAttachment: t.field({
      type: TaskType,
      access: callAccess.tasks,
      args: { taskId: t.arg.id({ required: true }), attachmentId: t.arg.id({ required: true }) },
      resolve: (_root, args, context, info) => {
        const { taskId, attachmentId } = orThrow(readInput(restoreAttachmentInput, args));
        return restoreFile(context, taskId, attachmentId, partsAskedFor(info));
      },
    }),
  }));
}
