// Task files: receiving, serving, and cleaning up unused ones.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { callAccess, callRefusal } from '#core/access/call-access.ts';
import { refuse } from '#core/base/refusals.ts';
import { previewOf, removedFilesKeptSince } from '#core/tasks/files.ts';
import { canSeeTasksOf } from '#core/tasks/task.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { isUnavailable } from '#server/platform/db/database-failures.ts';
import { inPersonTurn } from '#server/platform/graphql/person-turns.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { assertOwnFiles, filesFound, usedAloneSince } from '#server/platform/installation/files-place.ts';
import { FilesUnavailable, removeLeftovers } from '#server/platform/storage/files.ts';
import { readCaller, readLinkHolder } from '#server/platform/viewer.ts';
import { ownerOfTask } from '../hand-over.ts';
import type { AttachmentRow } from '../task-columns.ts';
import { attachFile } from '../task-files.service.ts';
import { forgetRemovedFiles, readFile, readUnknownKeys, type StoredFile } from './attachments.store.ts';
import type { LinkQuery } from './file-links.ts';
import type { IncomingFile } from './incoming-file.ts';

/** Not derived from the file's name, which comes from a person. */
function newKey(): string {
  const key = randomBytes(20).toString('hex');
  return `${key.slice(0, 2)}/${key}`;
}

/** Stores the file and adds it to the task; removes it again if the task refuses it. */
export async function storeAttachment(
  context: RequestContext,
  taskId: string,
  { path, ...file }: IncomingFile,
): Promise<AttachmentRow> {
  const storageKey = newKey();
  try {
    await assertOwnFiles(context);
    await context.files.keep(storageKey, path);
    const attach = async () => {
      const viewer = await readCaller(context, context);
      return attachFile({ ...context, viewer }, { taskId, ...file, storageKey });
    };
    const attachment = await inPersonTurn(context, 'change', attach);
    // The same upload again: the first one's file stays.
    if (attachment.storageKey !== storageKey) await removeStored(context, storageKey);
    return attachment;
  } catch (error) {
    // After a lost connection the commit's outcome is unknown: the janitor decides.
    if (!isUnavailable(error) && !(error instanceof FilesUnavailable)) await removeStored(context, storageKey);
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

async function removeStored({ files, log }: RequestContext, storageKey: string): Promise<void> {
  await files.remove(storageKey).catch((err) => log.warn({ err, storageKey }, 'an unused upload could not be removed'));
}

export type OpenedFile = {
  readonly file: StoredFile;
  readonly content: Readable;
  readonly preview: 'image' | 'text' | null;
};

/** The file behind a link, if its person can see the task. The session must have run at `at`. */
async function readVisible(services: Services, id: string, link: LinkQuery, at: Temporal.Instant): Promise<StoredFile> {
  const holder = { personId: link.person, sessionId: link.session };
  const viewer = await readLinkHolder(services, holder, at);
  const file = await readFile(services.database, id);
  if (!viewer) throw new RefusalError(refuse('LINK_EXPIRED'));
  const maySee =
    file &&
    callRefusal(viewer, callAccess.tasks) === null &&
    canSeeTasksOf(viewer, await ownerOfTask(services, viewer, file.task));
  if (!maySee) throw new RefusalError(refuse('NOT_FOUND'));
  return file;
}

/** The file behind a good link. The caller must end its content; `signal` ends the wait for it. */
export async function openAttachment(
  services: Services,
  id: string,
  link: LinkQuery,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const file = await readVisible(services, id, link, services.clock.now());
  const content = await services.files.read(file.storageKey, signal);
  return { file, content, preview: previewOf(file) };
}

const checkEverySeconds = 5;

/** A slow download could outlast the account: it ends once a new one would be refused. */
export async function* whileVisible(
  services: Services,
  id: string,
  link: LinkQuery,
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const openedAt = services.clock.now();
  let checkedAt = openedAt;
  for await (const part of content) {
    if (services.clock.now().since(checkedAt).total('seconds') >= checkEverySeconds) {
      await readVisible(services, id, link, openedAt);
      checkedAt = services.clock.now();
    }
    yield part;
  }
}

const keptHours = 24;
const aloneHours = 72;

/**
 * Removes leftovers of failed uploads and long-removed files: partial files, and stored files without a task
 * that are over a day old, once no copy of the database can have attached them.
 */
export async function clearAway({ files, database, clock, log }: Services): Promise<void> {
  const before = clock.now().subtract({ hours: keptHours });
  await removeLeftovers(files, before);
  // Another database's server may have taken the store, also where its mark can't be read.
  const { reason, warning } = await filesFound({ database, files }, { isFresh: true });
  if (reason !== null || warning !== null) {
    log.warn(`no unreferenced files were removed: ${reason === null ? warning : `the files ${reason}`}`);
    return;
  }
  const since = await usedAloneSince({ database, files }, clock.now(), log);
  if (Temporal.Instant.compare(since, clock.now().subtract({ hours: aloneHours })) > 0) return;
  for await (const keys of files.keys()) {
    for (const key of await readUnknownKeys(database, keys)) {
      if (Temporal.Instant.compare(await files.storedAt(key), before) >= 0) continue;
      await files.remove(key);
      log.info({ key }, 'an unreferenced file was removed');
    }
  }
  // Last, so their content goes with the next clean-up: a running backup has listed these files.
  await forgetRemovedFiles(database, removedFilesKeptSince(clock.now()));
}
