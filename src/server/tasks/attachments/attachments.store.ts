// SQL of downloads: the file, its task's owner, and the person who asks. Also of cleaning up.
import type { Database } from '#server/platform/db/database.ts';
import { waitsSince } from '../awaiting-tasks.ts';
import type { HandedTask } from '../hand-over.ts';

export type StoredFile = {
  readonly fileName: string;
  readonly mime: string;
  readonly size: number;
  readonly storageKey: string;
  readonly task: HandedTask;
};

export async function readFile(database: Database, id: string): Promise<StoredFile | undefined> {
  const { rows } = await database.pool.query<StoredFile>({
    name: 'attachment',
    text: `select f.file_name as "fileName", f.mime, f.size::float8 as size, f.storage_key as "storageKey",
        json_build_object('id', t.id::text, 'ownerId', t.owner_id::text, 'status', t.status, 'waitsSince', ${waitsSince}, 'withdrawn', t.withdrawn_at is not null,
          'approverIds', array(select a.approver_id::text from effective_approvers a where a.person_id = t.owner_id)) as task
      from task_attachments f join tasks t on t.id = f.task_id
      where f.id = $1 and f.removed_at is null and f.storage_key is not null`,
    values: [id],
  });
  return rows[0];
}

/** The keys without a row. */
export async function readUnknownKeys(database: Database, keys: readonly string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ key: string }>(
    'select key from unnest($1::text[]) as given(key) where not exists (select from task_attachments f where f.storage_key = given.key)',
    [keys],
  );
  return rows.map(({ key }) => key);
}

/** Their content is referenced no more, so the next clean-up deletes it. */
export async function forgetRemovedFiles(database: Database, before: Temporal.Instant): Promise<void> {
  await database.pool.query(
    'update task_attachments set storage_key = null where removed_at < $1 and storage_key is not null',
    [before.toString()],
  );
}
