// SQL of attached files. No row is deleted: a removed file can be restored while its content is kept.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';
import type { Removal } from './notes.store.ts';

export type StoredFile = {
  readonly id: string;
  readonly authorId: string | null;
  /** Null: it's shown. */
  readonly removedAt: string | null;
  readonly removedBy: string | null;
};

/** A task's files in the displayed order, including removed ones. */
export async function filesOf(queries: Queries, taskId: string): Promise<StoredFile[]> {
  const { rows } = await queries.execute<StoredFile>(sql`
    select id, author_id as "authorId", to_json(removed_at)#>>'{}' as "removedAt", removed_by::text as "removedBy"
    from task_attachments where task_id = ${taskId} order by id`);
  return rows;
}

/** How many visible files the task has, of its owner or of everyone else. */
export async function countFiles(queries: Queries, taskId: string, byOwner: boolean): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    select count(*)::int as count from task_attachments a join tasks t on t.id = a.task_id
    where a.task_id = ${taskId} and a.removed_at is null and (a.author_id is not distinct from t.owner_id) = ${byOwner}`);
  return rows[0]!.count;
}

/** Until the transaction ends, so concurrent files in other tasks can't exceed the limit. */
export async function lockFilesOf(queries: Queries, authorId: string): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`files of ${authorId}`}, 0))`);
}

/** Of all tasks, removed files too. */
export async function bytesAttachedSince(queries: Queries, authorId: string, since: string): Promise<number> {
  const { rows } = await queries.execute<{ bytes: number }>(sql`
    select coalesce(sum(size), 0)::float8 as bytes from task_attachments
    where author_id = ${authorId} and at > ${since}::timestamptz`);
  return rows[0]!.bytes;
}

export type NewFile = {
  readonly taskId: string;
  readonly authorId: string;
  readonly authorName: string;
  readonly fileName: string;
  readonly mime: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly storageKey: string;
  readonly at: string;
};

export async function insertFile(queries: Queries, file: NewFile): Promise<string> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into task_attachments (task_id, author_id, author_name, file_name, mime, size, sha256, storage_key, at)
    values (${file.taskId}, ${file.authorId}, ${file.authorName}, ${file.fileName}, ${file.mime}, ${file.size}, ${file.sha256}, ${file.storageKey}, ${file.at})
    returning id`);
  return (rows[0] as { id: string }).id;
}

/** Null restores the file. */
export async function setFileRemoved(queries: Queries, id: string, removal: Removal | null): Promise<void> {
  const { at = null, by = null } = removal ?? {};
  await queries.execute(sql`update task_attachments set removed_at = ${at}, removed_by = ${by} where id = ${id}`);
}
