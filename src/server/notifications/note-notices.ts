// Notifies of a note: the people it mentions, and of a new one the task's owner and those who decide it.
import { type SQL, sql } from 'drizzle-orm';
import type { NoticeFacts } from '#core/notifications/notice-facts.ts';
import { excerpt, mentionsKey, type NoticeKind, notesKey } from '#core/notifications/notices.ts';
import { displayName } from '#core/people/people.ts';
import { mentionedIn, mentionsRefusal, nameMentions } from '#core/tasks/mentions.ts';
import { approversAndNextInLine } from '#core/tasks/task.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { RemovedNote, RestoredNote, TypedNote, WrittenNote } from '#server/tasks/task-hook.ts';
import { nearReaders, readersAmong } from './mentions.service.ts';
import { listedPeopleById, toldBy } from './mentions.store.ts';
import { writeNotices } from './notices.service.ts';
import { asNewest, forgetReadNotices, hiddenState, insertNotices, shownAgain } from './write-notices.ts';

export async function notifyOfNote(context: RequestContext, queries: Queries, note: WrittenNote): Promise<void> {
  const mentioned = await notifyMentioned(context, queries, note);
  if (note.before === null) await notifyNoted(context, queries, note, mentioned);
  else await requoteNote(context, queries, note);
}

/**
 * Nobody is notified again of an edited note, but its earlier text is no longer shown or mailed. Its author
 * is named too: the removal of a later note took out a name.
 */
async function requoteNote(
  context: RequestContext,
  queries: Queries,
  { id, taskId, text }: WrittenNote,
): Promise<void> {
  const keys = [notesKey(taskId), mentionsKey(taskId, context.viewer.id)];
  await writeNotices(
    context,
    queries,
    sql`update notices set facts = facts || jsonb_build_object('text', ${excerpt(text)}::text, 'by', ${displayName(context.viewer)}::text)
      where key = any(${sql.param(keys)}::text[]) and facts->'noteIds'->> -1 = ${id}::text
      returning person_id::text as "personId"`,
  );
}

/** Only people the author can find have a name: an id must not reveal more than a search. */
export async function nameTypedMentions(
  { viewer }: RequestContext,
  queries: Queries,
  { text, before, owner }: TypedNote,
): Promise<string> {
  const ids = mentionedIn(text);
  if (ids.length === 0) return text;
  const near = [viewer.id, owner.id, ...approversAndNextInLine(owner)];
  const people = await listedPeopleById(queries, ids, { first: near, not: null });
  const listed = people.map((person) => ({ id: person.id, displayName: displayName(person) }));
  return orThrow(nameMentions(text, listed, before));
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

const countingOn = sql`update set ${asNewest}, in_app = notices.in_app or excluded.in_app, mail_at = coalesce(notices.mail_at, excluded.mail_at),
  facts = excluded.facts || jsonb_build_object(
    'count', (notices.facts->>'count')::int + 1, 'noteIds', (notices.facts->'noteIds') || (excluded.facts->'noteIds'),
    'removedIds', coalesce(notices.facts->'removedIds', '[]'))`;

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

/** The last one is of notifications from before they were one per author and task. */
const keysOf = ({ id, taskId, authorId }: RemovedNote): SQL => {
  const keys = [notesKey(taskId), ...(authorId === null ? [] : [mentionsKey(taskId, authorId)]), `note:${id}`];
  return sql`${sql.param(keys)}::text[]`;
};

/**
 * Takes a removed note out of its notifications. One that has no other note is hidden, not deleted: the note
 * can be restored.
 */
export async function hideNoted(context: RequestContext, queries: Queries, note: RemovedNote): Promise<void> {
  // The key of a mention has its author's id, by which an erasure finds it.
  const noAuthor = sql`case n.kind when ${'noted' satisfies NoticeKind} then '{"by": ""}' else '{}' end::jsonb`;
  await writeNotices(
    context,
    queries,
    sql`
    update notices n set
      facts = n.facts || jsonb_build_object('noteIds', o.ids, 'count', jsonb_array_length(o.ids), 'removedIds', ${removedIds} || to_jsonb(${note.id}::text))
        || case when n.facts->'noteIds'->> -1 = ${note.id}::text then '{"text": null}' || ${noAuthor} else '{}' end
        || case when o.is_empty then ${hiddenState} else '{}' end,
      in_app = n.in_app and not o.is_empty,
      mail_at = case when not o.is_empty then n.mail_at end, mail_id = case when not o.is_empty then n.mail_id end
    from (select id, ids, ids = '[]' as is_empty from (
      select id, (facts->'noteIds') - ${note.id}::text as ids from notices
      where key = any(${keysOf(note)}) and facts->'noteIds' ? ${note.id}::text) i) o
    where n.id = o.id returning n.person_id::text as "personId"`,
  );
}

/** Puts a restored note back. */
export async function showNoted(context: RequestContext, queries: Queries, note: RestoredNote): Promise<void> {
  await writeNotices(
    context,
    queries,
    sql`
    update notices n set
      facts = n.facts - 'hidden' || jsonb_build_object('noteIds', o.ids, 'count', jsonb_array_length(o.ids), 'removedIds', ${removedIds} - ${note.id}::text)
        || case when o.ids->> -1 = ${note.id}::text then jsonb_build_object('text', ${excerpt(note.text)}::text, 'by', ${note.authorName}::text) else '{}' end,
      ${shownAgain}
    from (
      select id, (select jsonb_agg(x order by x::bigint) from jsonb_array_elements_text(facts->'noteIds' || to_jsonb(${note.id}::text)) x) as ids
      from notices where key = any(${keysOf(note)}) and facts->'removedIds' ? ${note.id}::text) o
    where n.id = o.id returning n.person_id::text as "personId"`,
  );
}

const removedIds = sql`coalesce(n.facts->'removedIds', '[]')`;
