// Mentions in notes: whom one may choose from, and telling those who are mentioned.
import { heldPermissions, type Viewer } from '#core/access/access.ts';
import { refuse } from '#core/base/refusals.ts';
import { excerpt, hearsOfTask, mentionKey, type NoticeFacts } from '#core/notifications/notices.ts';
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
  /** Whether a mention reaches this person: who may not see the task is not told of it. */
  readonly seesTask: boolean;
};

const shownAtOnce = 8;

/** As the rules ask for somebody who has not signed in. Approvers of one's own matter to none of the rules asked here. */
const viewerOf = ({ id, role, stored }: store.PersonRow): Viewer => ({
  id,
  role,
  permissions: heldPermissions(role, stored),
  approverIds: [],
});

export type MentionSearch = { readonly name?: string | undefined; readonly ids?: readonly string[] | undefined };

/** People by the beginning of their name, or by id, each with whether a mention in this task reaches them. `owner` is of a task that the caller may see. */
export async function mentionable(
  { database, viewer }: RequestContext,
  owner: TaskOwner | null,
  { name, ids }: MentionSearch,
): Promise<Mentionable[]> {
  if (owner === null || !canSeeTasksOf(viewer, owner)) throw new RefusalError(refuse('NOT_FOUND'));
  const those = { not: viewer.id, first: [owner.id, ...owner.approverIds] };
  const rows = ids
    ? await store.listedPeopleById(database.drizzle, ids, those)
    : await store.peopleByName(database.drizzle, { ...those, name: name?.trim() ?? '', limit: shownAtOnce });
  return rows.map((row) => ({
    id: row.id,
    displayName: displayName(row),
    seesTask: hearsOfTask(viewerOf(row), owner),
  }));
}

/** Tells those whom the note mentions and who may see its task; whoever was told by an earlier text of the note is not told again. */
export async function tellMentioned(context: RequestContext, queries: Queries, note: WrittenNote): Promise<void> {
  const { viewer, mail } = context;
  const ids = mentionedIn(note.text).filter((id) => id !== viewer.id);
  if (ids.length === 0) return;
  const people = (await store.peopleById(queries, ids)).filter((row) => hearsOfTask(viewerOf(row), note.owner));
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

/** A note that is gone mentions nobody. */
export async function forgetMentions(context: RequestContext, queries: Queries, noteId: string): Promise<void> {
  await writeNotices(context, queries, forgetNotices(mentionKey(noteId)));
}
