// Mentions in notes: who can be chosen, and notifying them.
import { heldPermissions, type Viewer } from '#core/access/access.ts';
import { refuse } from '#core/base/refusals.ts';
import { excerpt, mentionKey, type NoticeFacts, receivesMention } from '#core/notifications/notices.ts';
import { displayName } from '#core/people/people.ts';
import { mentionedIn } from '#core/tasks/mentions.ts';
import { canSeeTasksOf, type TaskOwner } from '#core/tasks/task.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { WrittenNote } from '#server/tasks/task-hook.ts';
import * as store from './mentions.store.ts';
import { writeNotices } from './notices.service.ts';
import { forgetNotices, insertNotices } from './write-notices.ts';

export type Mentionable = {
  readonly id: string;
  readonly displayName: string;
  /** Whether a mention reaches this person: people who can't see the task aren't notified. */
  readonly seesTask: boolean;
};

const mostShown = 8;

/** A person as the rules need them. Their own approvers don't matter here. */
const viewerOf = ({ id, role, stored }: store.PersonRow): Viewer => ({
  id,
  role,
  permissions: heldPermissions(role, stored),
  approverIds: [],
});

export type MentionSearch = { readonly name?: string | undefined; readonly ids?: readonly string[] | undefined };

/**
 * People by the start of their name, or by id, each with whether a mention in this task reaches them. `owner`
 * is of a task the caller can see.
 */
export async function mentionable(
  { database, viewer }: RequestContext,
  owner: TaskOwner | null,
  { name, ids }: MentionSearch,
): Promise<Mentionable[]> {
  if (owner === null || !canSeeTasksOf(viewer, owner)) throw new RefusalError(refuse('NOT_FOUND'));
  const those = { not: viewer.id, first: [owner.id, ...owner.approverIds] };
  const rows = ids
    ? await store.listedPeopleById(database.drizzle, ids, those)
    : await store.peopleByName(database.drizzle, { ...those, name: name?.trim() ?? '', limit: mostShown });
  return rows.map((row) => ({
    id: row.id,
    displayName: displayName(row),
    seesTask: receivesMention(viewerOf(row), owner),
  }));
}

/**
 * Notifies the people mentioned in the note who can see its task, except those notified by an earlier text.
 */
export async function notifyMentioned(context: RequestContext, queries: Queries, note: WrittenNote): Promise<void> {
  const { viewer, mail } = context;
  const ids = mentionedIn(note.text).filter((id) => id !== viewer.id);
  if (ids.length === 0) return;
  const people = (await store.peopleById(queries, ids)).filter((row) => receivesMention(viewerOf(row), note.owner));
  if (people.length === 0) return;
  const { taskId, task, text } = note;
  const facts: NoticeFacts = {
    kind: 'mentioned',
    taskId,
    title: task.title,
    by: displayName(viewer),
    text: excerpt(text),
  };
  await writeNotices(
    context,
    queries,
    insertNotices({
      ...{ key: mentionKey(note.id), at: note.now, kind: 'mentioned', mails: mail.configured },
      people: people.map(({ id }) => ({ id, facts })),
    }),
  );
}

/** Removes the mentions of a deleted note. */
export async function forgetMentions(context: RequestContext, queries: Queries, noteId: string): Promise<void> {
  await writeNotices(context, queries, forgetNotices(mentionKey(noteId)));
}
