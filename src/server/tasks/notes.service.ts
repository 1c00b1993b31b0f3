// A task's notes: added, edited, removed and restored. Each is a change of the task and counts in its
// version.

import { isHalfUsed, taskLimits } from '#core/base/limits.ts';
import { type Refusal, refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import {
  editNoteRefusal,
  needsProofOfNotes,
  noteRefusal,
  notesFullRefusal,
  notesOfHourRefusal,
  removalRefusal,
  restoringRefusal,
} from '#core/tasks/task.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { annotation, changedSince, changeTask, type LockedTask } from './change-task.ts';
import * as store from './notes.store.ts';
import type { TaskPart, TaskRow } from './task-columns.ts';
import { taskHook } from './task-hook.ts';

type RoomForNote = {
  readonly authorId: string | null;
  readonly text: string;
  /** Of an edit: the note and its text before. */
  readonly edited?: { readonly id: string; readonly text: string };
};

/** Why the task has no room for this text, or null. A stolen token must not use it all up. */
async function roomRefusal(
  context: RequestContext,
  queries: Queries,
  { id, owner }: LockedTask,
  { authorId, text, edited }: RoomForNote,
): Promise<Refusal | null> {
  const shown = await store.sizeOfNotes(queries, id, { byOwner: authorId === owner.id, besides: edited?.id });
  const full = notesFullRefusal(shown, text);
  if (!full && needsProofOfNotes(shown, text, edited?.text ?? null)) await assertRecentProof(queries, context);
  return full;
}

export function addNote(
  context: RequestContext,
  taskId: string,
  typed: string,
  parts: readonly TaskPart[],
): Promise<TaskRow> {
  const call = callKey(context, 'addNoteToTask', { taskId, text: typed });
  return changeTask(
    context,
    taskId,
    async (locked, queries) => {
      const { viewer, task, owner, now } = locked;
      const refusal = noteRefusal(viewer, task, owner);
      if (refusal) return refusal;
      if ((await findReplay(queries, context, call)) !== null) return { kind: 'unchanged' };
      const text = await taskHook.handlers().nameMentions(context, queries, { text: typed, before: null, owner });
      const written = await store.countNotesSince(queries, viewer.id, instantText(now.subtract({ hours: 1 })));
      const full =
        notesOfHourRefusal(written) ?? (await roomRefusal(context, queries, locked, { authorId: viewer.id, text }));
      if (full) return full;
      if (isHalfUsed(written, taskLimits.notesInHour)) await assertRecentProof(queries, context);
      const id = await store.insertNote(queries, {
        taskId,
        authorId: viewer.id,
        authorName: displayName(viewer),
        text,
        at: instantText(now),
      });
      await recordResult(queries, context, call, id);
      await taskHook.handlers().noteWritten(context, queries, { id, before: null, taskId, text, task, owner, now });
      return annotation(task, 'noteAdded');
    },
    parts,
    call,
  );
}

export function editNote(
  context: RequestContext,
  taskId: string,
  noteId: string,
  typed: string,
  parts: readonly TaskPart[],
): Promise<TaskRow> {
  return changeTask(
    context,
    taskId,
    async (locked, queries) => {
      const { viewer, task, owner, now } = locked;
      const note = await store.noteById(queries, taskId, noteId);
      const refusal = editNoteRefusal(viewer, task, owner, note?.authorId ?? null);
      if (refusal?.code === 'NOT_FOUND' || !note || note.removed) return refuse('NOT_FOUND');
      if (refusal) return refusal;
      const text = await taskHook.handlers().nameMentions(context, queries, { text: typed, before: note.text, owner });
      if (note.text === text) return { kind: 'unchanged' };
      const full = await roomRefusal(context, queries, locked, { authorId: viewer.id, text, edited: note });
      if (full) return full;
      await store.updateNote(queries, noteId, text, instantText(now));
      await taskHook
        .handlers()
        .noteWritten(context, queries, { id: noteId, before: note.text, taskId, text, task, owner, now });
      return annotation(task, 'noteEdited', { note: note.text }, { note: text, noteId });
    },
    parts,
  );
}

/**
 * `index` counts the visible notes. With a version, a changed list is a conflict, so the wrong note is never
 * removed (D24).
 */
export function removeNote(
  context: RequestContext,
  taskId: string,
  { index, version }: { readonly index: number; readonly version?: number | undefined },
  parts: readonly TaskPart[],
): Promise<TaskRow> {
  const call = callKey(context, 'removeNoteFromTask', { taskId, index, version });
  return changeTask(
    context,
    taskId,
    async (locked, queries) => {
      const { viewer, task, owner, now } = locked;
      const note = await store.shownNoteAt(queries, taskId, index);
      const barred = removalRefusal(viewer, task, owner, viewer.id, 'note');
      if (barred) return barred;
      if ((await findReplay(queries, context, call)) !== null) return { kind: 'unchanged' };
      if (version !== undefined && version !== task.version)
        return refuse('CONFLICT', undefined, { changed: await changedSince(queries, locked, version) });
      if (!note) return refuse('BAD_INPUT', 'noteIndex is out of range', { field: 'noteIndex' });
      const refusal = removalRefusal(viewer, task, owner, note.authorId, 'note');
      if (refusal) return refusal;
      await store.setNoteRemoved(queries, note.id, { at: instantText(now), by: viewer.id });
      await recordResult(queries, context, call, note.id);
      await taskHook.handlers().noteRemoved(context, queries, { id: note.id, taskId, authorId: note.authorId });
      return annotation(task, 'noteRemoved', {}, { noteId: note.id });
    },
    parts,
    call,
  );
}

/** Who can remove a note can restore it, unless someone else removed it. */
export function restoreNote(
  context: RequestContext,
  taskId: string,
  noteId: string,
  parts: readonly TaskPart[],
): Promise<TaskRow> {
  return changeTask(
    context,
    taskId,
    async (locked, queries) => {
      const { viewer, task, owner } = locked;
      const note = await store.noteById(queries, taskId, noteId);
      const refusal = restoringRefusal(viewer, task, owner, note, 'note');
      if (refusal?.code === 'NOT_FOUND' || !note) return refuse('NOT_FOUND');
      if (refusal) return refusal;
      if (!note.removed) return { kind: 'unchanged' };
      const full = await roomRefusal(context, queries, locked, note);
      if (full) return full;
      await store.setNoteRemoved(queries, noteId, null);
      await taskHook.handlers().noteRestored(context, queries, { ...note, taskId });
      return annotation(task, 'noteRestored', {}, { noteId });
    },
    parts,
  );
}
