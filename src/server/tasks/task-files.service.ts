// A task's files: attached, removed and restored. The upload handles the bytes; this handles the task's
// records.

import { isHalfUsed, taskLimits } from '#core/base/limits.ts';
import { isRefusal, type Refusal, refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { bytesOfDayRefusal, filesFullRefusal, goneFileRefusal } from '#core/tasks/files.ts';
import { attachRefusal, removalRefusal, restoringRefusal } from '#core/tasks/task.ts';
import { assertRecentProof, requireRecentProof } from '#server/access/auth/recent-proof.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { instantOf } from '#server/platform/db/database-types.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { annotation, changedSince, changeTask, inspectTask, type LockedTask } from './change-task.ts';
import type { AttachmentRow, TaskPart, TaskRow } from './task-columns.ts';
import * as store from './task-files.store.ts';

/** Throws if the caller can't attach a file to this task; called before the bytes are received. */
export async function assertMayAttach(context: RequestContext, taskId: string): Promise<void> {
  const asked = await inspectTask(
    context,
    taskId,
    ({ viewer, task, owner }) => attachRefusal(viewer, task, owner) ?? { byOwner: viewer.id === owner.id },
  );
  if (isRefusal(asked)) throw new RefusalError(asked);
  const attached = await bytesOfDay(context, context.database.drizzle);
  // Before the file is sent. It has at least one byte.
  const full = bytesOfDayRefusal(attached, 1);
  if (full) throw new RefusalError(full);
  const shown = await store.countFiles(context.database.drizzle, taskId, asked.byOwner);
  if (isHalfUsed(attached, taskLimits.fileBytesADay) || isHalfUsed(shown, taskLimits.files))
    await requireRecentProof(context);
}

const bytesOfDay = ({ viewer, clock }: RequestContext, queries: Queries): Promise<number> =>
  store.bytesAttachedSince(queries, viewer.id, instantText(clock.now().subtract({ hours: 24 })));

/** Throws if the person attached too much today; a stolen token must not use it all up. */
async function assertBytesLeft(context: RequestContext, queries: Queries, size: number): Promise<void> {
  await store.lockFilesOf(queries, context.viewer.id);
  const attached = await bytesOfDay(context, queries);
  const refusal = bytesOfDayRefusal(attached, size);
  if (refusal) throw new RefusalError(refusal);
  if (isHalfUsed(attached, taskLimits.fileBytesADay)) await assertRecentProof(queries, context);
}

/** Why the task has no room for a file of this author, or null. A stolen token must not use it all up. */
async function roomRefusal(
  context: RequestContext,
  queries: Queries,
  { id, owner }: LockedTask,
  authorId: string | null,
): Promise<Refusal | null> {
  const shown = await store.countFiles(queries, id, authorId === owner.id);
  const full = filesFullRefusal(shown);
  if (!full && isHalfUsed(shown, taskLimits.files)) await assertRecentProof(queries, context);
  return full;
}

export type AttachedFile = Pick<store.NewFile, 'taskId' | 'fileName' | 'mime' | 'size' | 'sha256' | 'storageKey'>;

/**
 * Adds a stored file to its task and returns the attachment; throws if the task refuses it. A repeated call
 * returns the first call's attachment, and `file` stays unused.
 */
export async function attachFile(context: RequestContext, file: AttachedFile): Promise<AttachmentRow> {
  const { taskId, fileName, sha256 } = file;
  const call = callKey(context, 'attachment', { taskId, fileName, sha256: sha256.toString('hex') });
  let id: string | null = null;
  const { attachments } = await changeTask(
    context,
    taskId,
    async (locked, queries) => {
      const { viewer, task, owner, now } = locked;
      const refusal = attachRefusal(viewer, task, owner);
      if (refusal) return refusal;
      id = await findReplay(queries, context, call);
      if (id !== null) return { kind: 'unchanged' };
      const full = await roomRefusal(context, queries, locked, viewer.id);
      if (full) return full;
      await assertBytesLeft(context, queries, file.size);
      const author = { authorId: viewer.id, authorName: displayName(viewer) };
      id = await store.insertFile(queries, { ...file, ...author, at: instantText(now) });
      await recordResult(queries, context, call, id);
      return annotation(task, 'fileAdded');
    },
    ['attachments'],
    call,
  );
  const attachment = attachments?.find((attached) => attached.id === id);
  // Created by the first call, and removed since.
  if (!attachment) throw new RefusalError(refuse('NOT_FOUND'));
  return { ...attachment, timeStamp: instantOf(attachment.timeStamp) };
}

/**
 * `index` counts the visible files. With a version, a changed list is a conflict, so the wrong file is never
 * removed (D24).
 */
export function removeFile(
  context: RequestContext,
  taskId: string,
  { index, version }: { readonly index: number; readonly version?: number | undefined },
  parts: readonly TaskPart[],
): Promise<TaskRow> {
  const call = callKey(context, 'removeAttachmentFromTask', { taskId, index, version });
  return changeTask(
    context,
    taskId,
    async (locked, queries) => {
      const { viewer, task, owner, now } = locked;
      const file = (await store.filesOf(queries, taskId)).filter(({ removedAt }) => removedAt === null)[index];
      const barred = removalRefusal(viewer, task, owner, viewer.id, 'file');
      if (barred) return barred;
      if ((await findReplay(queries, context, call)) !== null) return { kind: 'unchanged' };
      if (version !== undefined && version !== task.version)
        return refuse('CONFLICT', undefined, { changed: await changedSince(queries, locked, version) });
      if (!file) return refuse('BAD_INPUT', 'attachmentIndex is out of range', { field: 'attachmentIndex' });
      const refusal = removalRefusal(viewer, task, owner, file.authorId, 'file');
      if (refusal) return refusal;
      await store.setFileRemoved(queries, file.id, { at: instantText(now), by: viewer.id });
      await recordResult(queries, context, call, file.id);
      return annotation(task, 'fileRemoved', {}, { fileId: file.id });
    },
    parts,
    call,
  );
}

/** Who can remove a file can restore it, unless someone else removed it. */
export function restoreFile(
  context: RequestContext,
  taskId: string,
  fileId: string,
  parts: readonly TaskPart[],
): Promise<TaskRow> {
  return changeTask(
    context,
    taskId,
    async (locked, queries) => {
      const { viewer, task, owner, now } = locked;
      const file = (await store.filesOf(queries, taskId)).find(({ id }) => id === fileId);
      const refusal = restoringRefusal(viewer, task, owner, file, 'file');
      if (refusal?.code === 'NOT_FOUND' || !file) return refuse('NOT_FOUND');
      if (refusal) return refusal;
      if (file.removedAt === null) return { kind: 'unchanged' };
      const gone = goneFileRefusal(Temporal.Instant.from(file.removedAt), now);
      if (gone) return gone;
      const full = await roomRefusal(context, queries, locked, file.authorId);
      if (full) return full;
      await store.setFileRemoved(queries, fileId, null);
      return annotation(task, 'fileRestored', {}, { fileId });
    },
    parts,
  );
}
