// An imported task as database rows, once its people and its week have ids.
import type { RowOf } from '#server/platform/db/insert-rows.ts';
import type { taskAttachments, taskHistory, taskNotes, tasks } from '../task-tables.ts';
import type { ImportedAttachment, ImportedMove, ImportedNote, ImportedTask } from './imported-task.ts';
import { type Said, saidFields, type TaskChangePlan } from './task-changes-plan.ts';

export type Ids = {
  readonly source: string;
  readonly person: (name: string) => string;
  readonly sprint: (task: ImportedTask) => string;
};

/** The ids for one task's rows. */
export type Place = { readonly taskId: string; readonly sprintId: string; readonly version: number };

export function taskRow(task: ImportedTask, { source, person, sprint }: Ids): RowOf<typeof tasks> {
  return {
    ...saidBy(task),
    ownerId: person(task.owner),
    sprintId: sprint(task),
    createdBy: person(task.creator),
    createdAt: task.createdAt,
    statusAt: task.statusAt,
    source,
    externalId: task.externalId,
  };
}

export function saidBy(task: ImportedTask): Said {
  return Object.fromEntries(saidFields.map((field) => [field, task[field]])) as Said;
}

const author = (name: string | null, { source, person }: Ids) => ({
  authorId: name === null ? null : person(name),
  authorName: name ?? source,
});

export function noteRows(notes: readonly ImportedNote[], { taskId }: Place, ids: Ids): RowOf<typeof taskNotes>[] {
  return notes.map(({ author: name, text, at, editedAt }) => ({ taskId, ...author(name, ids), text, at, editedAt }));
}

export function attachmentRows(
  files: readonly ImportedAttachment[],
  { taskId }: Place,
  ids: Ids,
): RowOf<typeof taskAttachments>[] {
  return files.map(({ author: name, fileName, mime, size, at }) => ({
    taskId,
    ...author(name, ids),
    fileName,
    mime,
    size,
    at,
  }));
}

type HistoryRow = RowOf<typeof taskHistory>;

/** The source's own moves, without checking rules: it may have allowed what we forbid. */
export function moveRows(
  moves: readonly ImportedMove[],
  task: ImportedTask,
  { taskId, sprintId, version }: Place,
  ids: Ids,
): HistoryRow[] {
  const inOrder = moves.toSorted((a, b) => a.at.localeCompare(b.at));
  return inOrder.map(({ author: name, at, from, to, change }, index) => {
    const { authorId: actorId, authorName: actorName } = author(name, ids);
    const waited = secondsBetween(inOrder[index - 1]?.at ?? task.createdAt, at);
    return {
      taskId,
      sprintId,
      at,
      actorId,
      actorName,
      event: 'imported',
      from,
      to,
      change,
      before: {},
      after: {},
      version,
      waited,
    };
  });
}

/**
 * The import's own history entry. It stores the source's values, so the next import sees what the source has
 * changed.
 */
export function markRow(
  task: ImportedTask,
  { taskId, sprintId, version }: Place,
  source: string,
  at: string,
  changed?: TaskChangePlan,
): HistoryRow {
  const before = Object.fromEntries(
    Object.keys(changed?.content ?? {}).map((field) => [field, changed!.stored.now[field as keyof Said]]),
  );
  const from = changed?.stored.now.status ?? task.status;
  const to = changed?.content.status ?? from;
  return {
    taskId,
    sprintId,
    at,
    actorId: null,
    actorName: source,
    event: 'imported',
    from,
    to,
    change: null,
    before,
    after: saidBy(task),
    version,
    waited: 0,
  };
}

function secondsBetween(start: string, end: string): number {
  const seconds = Temporal.Instant.from(end).epochMilliseconds - Temporal.Instant.from(start).epochMilliseconds;
  return Math.max(0, Math.round(seconds / 1000));
}
