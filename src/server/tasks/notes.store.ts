// SQL of notes. Nothing is deleted: a removed note can be restored.
import { sql } from 'drizzle-orm';
import { limits, taskLimits } from '#core/base/limits.ts';
import type { NotesSize } from '#core/tasks/task.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type StoredNote = {
  readonly id: string;
  readonly authorId: string | null;
  readonly authorName: string;
  readonly text: string;
  readonly removed: boolean;
  readonly removedBy: string | null;
};

export type Removal = { readonly at: string; readonly by: string };

const columns = sql`id, author_id as "authorId", author_name as "authorName", text, removed_at is not null as removed, removed_by::text as "removedBy"`;

export async function noteById(queries: Queries, taskId: string, id: string): Promise<StoredNote | undefined> {
  const { rows } = await queries.execute<StoredNote>(
    sql`select ${columns} from task_notes where task_id = ${taskId} and id = ${id}`,
  );
  return rows[0];
}

/** The visible note at this position, in the displayed order. */
export async function shownNoteAt(queries: Queries, taskId: string, index: number): Promise<StoredNote | undefined> {
  const { rows } = await queries.execute<StoredNote>(
    sql`select ${columns} from task_notes where task_id = ${taskId} and removed_at is null order by task_notes.id limit 1 offset ${index}`,
  );
  return rows[0];
}

/**
 * How many other visible notes the task has, of its owner or of everyone else, and their length. For few
 * characters, bytes are close enough.
 */
export async function sizeOfNotes(
  queries: Queries,
  taskId: string,
  { byOwner, besides = null }: { readonly byOwner: boolean; readonly besides?: string | null | undefined },
): Promise<NotesSize> {
  const shown = sql`from task_notes n join tasks t on t.id = n.task_id where n.task_id = ${taskId}
    and n.removed_at is null and n.id is distinct from ${besides}::bigint
    and (n.author_id is not distinct from t.owner_id) = ${byOwner}`;
  const { rows } = await queries.execute<{ count: number; bytes: number }>(
    sql`select count(*)::int as count, coalesce(sum(octet_length(n.text)), 0)::float8 as bytes ${shown}`,
  );
  const { count, bytes } = rows[0] as { count: number; bytes: number };
  if (count >= taskLimits.notes || bytes + limits.note <= taskLimits.noteText / 2) return { count, characters: bytes };
  const { rows: exact } = await queries.execute<{ characters: number }>(
    sql`select coalesce(sum(char_length(n.text)), 0)::float8 as characters ${shown}`,
  );
  return { count, characters: (exact[0] as { characters: number }).characters };
}

/**
 * How many notes the person wrote, in all tasks. Locked, so concurrent notes in other tasks can't exceed the
 * limit.
 */
export async function countNotesSince(queries: Queries, authorId: string, since: string): Promise<number> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`notes of ${authorId}`}, 0))`);
  const { rows } = await queries.execute<{ count: number }>(sql`
    select count(*)::int as count from task_notes where author_id = ${authorId} and at > ${since}::timestamptz`);
  return (rows[0] as { count: number }).count;
}

/** Returns the note's id. */
export async function insertNote(
  queries: Queries,
  note: { taskId: string; authorId: string; authorName: string; text: string; at: string },
): Promise<string> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into task_notes (task_id, author_id, author_name, text, at)
    values (${note.taskId}, ${note.authorId}, ${note.authorName}, ${note.text}, ${note.at}) returning id::text`);
  return (rows[0] as { id: string }).id;
}

export async function updateNote(queries: Queries, id: string, text: string, at: string): Promise<void> {
  await queries.execute(sql`update task_notes set text = ${text}, edited_at = ${at} where id = ${id}`);
}

/** Null restores the note. */
export async function setNoteRemoved(queries: Queries, id: string, removal: Removal | null): Promise<void> {
  const { at = null, by = null } = removal ?? {};
  await queries.execute(sql`update task_notes set removed_at = ${at}, removed_by = ${by} where id = ${id}`);
}
