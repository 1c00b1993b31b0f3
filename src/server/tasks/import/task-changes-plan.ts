// Decides what an import changes in an existing task. The source wins where it has changed since the last
// import; changes made in the product stay.
import { addToGroup } from '#core/base/groups.ts';
import { halfWeek } from '#core/tasks/sprint.ts';
import { type ContentField, contentFields } from '#core/tasks/task.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import type { ImportedAttachment, ImportedMove, ImportedNote, ImportedTask } from './imported-task.ts';

export const saidFields = [...contentFields, 'reason', 'status'] as const;
/** The source's values for a task, stored with every import to detect its changes later. */
export type Said = Record<ContentField, string> & {
  reason: string | null;
  status: TaskStatus;
};

export type StoredNote = { id: string; author: string; at: string; text: string; editedAt: string | null };
export type StoredTask = {
  readonly id: string;
  readonly externalId: string;
  readonly version: number;
  readonly ownerId: string;
  /** The owner's name in the source; null for another source's person. */
  readonly owner: string | null;
  readonly sprintId: string;
  /** The start of its week. */
  readonly weekStart: string;
  readonly weekEnd: string;
  readonly isCarriedOver: boolean;
  readonly now: Said;
  readonly said: Partial<Said>;
  readonly notes: readonly StoredNote[];
  readonly attachments: readonly { author: string; fileName: string; at: string }[];
  readonly history: readonly { at: string; from: string; to: string }[];
};

export type TaskChangePlan = {
  readonly imported: ImportedTask;
  readonly stored: StoredTask;
  readonly content: Partial<Said>;
  readonly isOtherOwner: boolean;
  readonly isOtherWeek: boolean;
  readonly newNotes: readonly ImportedNote[];
  readonly changedNotes: readonly (ImportedNote & { id: string })[];
  readonly newAttachments: readonly ImportedAttachment[];
  readonly newHistory: readonly ImportedMove[];
};

/** The display name for a note without an author. */
export type NameOf = (author: string | null) => string;

export function planTaskChange(
  imported: ImportedTask,
  stored: StoredTask,
  nameOf: NameOf,
): TaskChangePlan | 'unchanged' {
  const content: Partial<Said> = {};
  for (const field of saidFields)
    if (imported[field] !== stored.said[field]) Object.assign(content, { [field]: imported[field] });
  const noteKey = (note: { author: string | null; at: string }) => `${note.at} ${nameOf(note.author)}`;
  const notes = pairUp(imported.notes, stored.notes, noteKey);
  const plan: TaskChangePlan = {
    imported,
    stored,
    content,
    isOtherOwner: stored.owner !== imported.owner,
    // A task its owner carried over stays there.
    isOtherWeek: !stored.isCarriedOver && !isWithin(imported, stored),
    newNotes: notes.fresh,
    changedNotes: notes.pairs
      .filter(([ours, theirs]) => isNewerNote(ours, theirs))
      .map(([ours, theirs]) => ({ ...ours, id: theirs.id })),
    newAttachments: pairUp(
      imported.attachments,
      stored.attachments,
      (file) => `${file.at} ${file.fileName} ${nameOf(file.author)}`,
    ).fresh,
    newHistory: pairUp(imported.history, stored.history, (move) => `${move.at} ${move.from} ${move.to}`).fresh,
  };
  return isEmpty(plan) ? 'unchanged' : plan;
}

function isEmpty({
  content,
  isOtherOwner,
  isOtherWeek,
  newNotes,
  changedNotes,
  newAttachments,
  newHistory,
}: TaskChangePlan): boolean {
  const lists = [newNotes, changedNotes, newAttachments, newHistory];
  return !isOtherOwner && !isOtherWeek && Object.keys(content).length === 0 && lists.every((list) => list.length === 0);
}

/** By the week's middle: a holiday may have moved the sprint's start. */
function isWithin({ week }: ImportedTask, { weekStart, weekEnd }: StoredTask): boolean {
  const { compare } = Temporal.Instant;
  const middle = week.start.add(halfWeek);
  return compare(middle, weekStart) >= 0 && compare(middle, weekEnd) < 0;
}

/** A note edited later in the product than in the source stays. */
function isNewerNote(imported: ImportedNote, stored: StoredNote): boolean {
  const isSame = imported.text === stored.text && imported.editedAt === stored.editedAt;
  return !isSame && (imported.editedAt ?? imported.at) >= (stored.editedAt ?? stored.at);
}

/** Pairs items with equal keys in order, so duplicates stay separate; `fresh` has no partner. */
function pairUp<Imported, Stored>(
  imported: readonly Imported[],
  stored: readonly Stored[],
  key: (item: Imported | Stored) => string,
): { pairs: [Imported, Stored][]; fresh: Imported[] } {
  const waiting = new Map<string, Stored[]>();
  for (const item of stored) addToGroup(waiting, key(item), item);
  const pairs: [Imported, Stored][] = [];
  const fresh: Imported[] = [];
  for (const item of imported) {
    const partner = waiting.get(key(item))?.shift();
    if (partner === undefined) fresh.push(item);
    else pairs.push([item, partner]);
  }
  return { pairs, fresh };
}
