// Rows of notes. Nothing is deleted: a removed note can be brought back.
import { sql } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';

export type StoredNote = {
  readonly id: string;
  readonly authorId: string | null;
  readonly text: string;
  readonly removed: boolean;
};

/** The notes of a task in the order in which everybody sees them, removed ones too. */
export async function notesOf(queries: Queries, taskId: string): Promise<StoredNote[]> {
  const { rows } = await queries.execute<StoredNote>(sql`
    select id, author_id as "authorId", text, removed_at is not null as removed from task_notes where task_id = ${taskId} order by id`);
  return rows;
}

/** Gives the note's id. */
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

/** `at` null brings the note back. */
export async function setNoteRemoved(queries: Queries, id: string, at: string | null): Promise<void> {
  await queries.execute(sql`update task_notes set removed_at = ${at} where id = ${id}`);
}
