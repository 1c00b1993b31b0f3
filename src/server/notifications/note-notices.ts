// Notifies of a note: the people it mentions, and of a new one the task's owner and those who decide it.
import { type SQL, sql } from 'drizzle-orm';
import type { NoticeFacts } from '#core/notifications/notice-facts.ts';
import { excerpt, mentionsKey, notesKey } from '#core/notifications/notices.ts';
import { displayName } from '#core/people/people.ts';
import { mentionedIn, mentionsRefusal } from '#core/tasks/mentions.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { RemovedNote, WrittenNote } from '#server/tasks/task-hook.ts';
import { nearReaders, readersAmong } from './mentions.service.ts';
import { toldBy } from './mentions.store.ts';
import { writeNotices } from './notices.service.ts';
import { asNewest, forgetReadNotices, insertNotices } from './write-notices.ts';

export async function notifyOfNote(context: RequestContext, queries: Queries, note: WrittenNote): Promise<void> {
  const mentioned = await notifyMentioned(context, queries, note);
  if (note.before === null) await notifyNoted(context, queries, note, mentioned);
  else await requoteNote(context, queries, note);
}

/** Nobody is notified again of an edited note, but its earlier text is no longer shown or mailed. */
async function requoteNote(
  context: RequestContext,
  queries: Queries,
  { id, taskId, text }: WrittenNote,
): Promise<void> {
  const keys = [notesKey(taskId), mentionsKey(taskId, context.viewer.id)];
  await writeNotices(
    context,
    queries,
    sql`update notices set facts = facts || jsonb_build_object('text', ${excerpt(text)}::text)
      where key = any(${sql.param(keys)}::text[]) and facts->'noteIds'->> -1 = ${id}::text
      returning person_id::text as "personId"`,
  );
}

/** Also those that an earlier text mentioned, but they aren't notified again. Returns the people. */
async function notifyMentioned(context: RequestContext, queries: Queries, note: WrittenNote): Promise<string[]> {
  const key = mentionsKey(note.taskId, context.viewer.id);
  const mentioned = mentionedIn(note.text);
  if (mentioned.length === 0) return [];
  const before = mentionedIn(note.before ?? '');
  const earlier = note.before === null ? [] : await toldBy(queries, key, note.id);
  const refusal = mentionsRefusal(mentioned, earlier, before);
  if (refusal) throw new RefusalError(refusal);
  const readers = await readersAmong(context, queries, mentioned, note.owner);
  const told = new Set([...before, ...earlier]);
  const people = readers.filter((id) => !told.has(id));
  await notifyCounting(context, queries, note, { kind: 'mentioned', key, people });
  return readers;
}

async function notifyNoted(
  context: RequestContext,
  queries: Queries,
  note: WrittenNote,
  mentioned: readonly string[],
): Promise<void> {
  const people = await nearReaders(context, queries, note.owner, mentioned);
  await notifyCounting(context, queries, note, { kind: 'noted', key: notesKey(note.taskId), people });
}

type Counted = {
  readonly kind: 'mentioned' | 'noted';
  readonly key: string;
  readonly people: readonly string[];
};

/** What was read is replaced; what wasn't counts one more. `noteIds` stays in the database. */
async function notifyCounting(
  context: RequestContext,
  queries: Queries,
  note: WrittenNote,
  { kind, key, people }: Counted,
): Promise<void> {
  if (people.length === 0) return;
  const facts = { kind, count: 1, noteIds: [note.id], ...factsOf(context, note) };
  await writeNotices(
    context,
    queries,
    forgetReadNotices(key, people),
    insertNotices({ ...delivery(context, note, facts), key, people: all(people, facts), merge: countingOn }),
  );
}

const countingOn = sql`update set ${asNewest}, mail_at = coalesce(notices.mail_at, excluded.mail_at),
  facts = excluded.facts || jsonb_build_object(
    'count', (notices.facts->>'count')::int + 1, 'noteIds', (notices.facts->'noteIds') || (excluded.facts->'noteIds'))`;

const factsOf = ({ viewer }: RequestContext, { taskId, task, text }: WrittenNote) => ({
  taskId,
  title: task.title,
  by: displayName(viewer),
  text: excerpt(text),
});

const delivery = ({ mail }: RequestContext, { now }: WrittenNote, { kind }: NoticeFacts) => ({
  at: now,
  kind,
  mails: mail.configured,
});

const all = (ids: readonly string[], facts: NoticeFacts) => ids.map((id) => ({ id, facts }));

/** Removes what was told of a note. */
export async function forgetNote(
  context: RequestContext,
  queries: Queries,
  { id, taskId, authorId }: RemovedNote,
): Promise<void> {
  // The last one is of notifications from before they were one per author and task.
  const keys = [notesKey(taskId), ...(authorId === null ? [] : [mentionsKey(taskId, authorId)]), `note:${id}`];
  await writeNotices(context, queries, ...keys.map((key) => forgetNoted(key, id)));
}

const forgetNoted = (key: string, noteId: string): SQL => sql`
  with told as materialized (
      select n.id, (n.facts->'noteIds') - ${noteId}::text as ids, (n.facts->'noteIds'->> -1) = ${noteId}::text as was_last
      from notices n where n.key = ${key}::text and (n.facts->'noteIds') ? ${noteId}::text),
    emptied as (
      delete from notices n using told t where n.id = t.id and t.ids = '[]' returning n.person_id),
    changed as (
      update notices n set facts = n.facts || jsonb_build_object('noteIds', t.ids, 'count', jsonb_array_length(t.ids))
        || case when t.was_last then '{"text": null}' else '{}' end::jsonb
      from told t where n.id = t.id and t.ids <> '[]' returning n.person_id)
  select person_id::text as "personId" from emptied union select person_id::text from changed`;
