// Parses a task's history: what an event changed, and what changed since the last decision.
import { plural } from '#core/base/formats.ts';
import type { Repeat } from '#core/tasks/repeat.ts';
import { type ContentField, contentFields, isDecisionEvent, type TaskEventKind } from '#core/tasks/task.ts';
import type { FullTask, HistoryEntry } from './queries.ts';

export type FieldChange = { readonly field: ContentField; readonly before: string; readonly after: string };

type Values = Partial<Record<ContentField | 'noteId' | 'fileId', string>> & { readonly repeats?: Repeat | null };

/** An entry's `before` and `after` are JSON of the changed fields. */
function valuesOf(text: string): Values {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as Values) : {};
  } catch {
    return {};
  }
}

export function fieldChangesOf(entry: HistoryEntry): FieldChange[] {
  const before = valuesOf(entry.before);
  const after = valuesOf(entry.after);
  return contentFields
    .map((field) => ({ field, before: before[field] ?? '', after: after[field] ?? '' }))
    .filter(({ before: old, after: now }) => old !== now);
}

/** The same without the change, which is shown in full. */
export const workChangesOf = (entry: HistoryEntry): FieldChange[] =>
  fieldChangesOf(entry).filter(({ field }) => field !== 'change');

/** How the task repeats since that event, or null. */
export const repeatsAfter = (entry: HistoryEntry): Repeat | null => valuesOf(entry.after).repeats ?? null;

/** What the entry removed, unless a later one restored or removed it. Older versions recorded no ids. */
export function removedBy(
  { event, after, version }: HistoryEntry,
  { history }: FullTask,
): { readonly what: 'note' | 'file'; readonly itemId: string } | null {
  if (event !== 'noteRemoved' && event !== 'fileRemoved') return null;
  const [what, field] = event === 'noteRemoved' ? (['note', 'noteId'] as const) : (['file', 'fileId'] as const);
  const itemId = valuesOf(after)[field];
  const isLast = !history.some((later) => later.version > version && valuesOf(later.after)[field] === itemId);
  return itemId !== undefined && isLast ? { what, itemId } : null;
}

export const changesText = (entry: HistoryEntry): boolean => fieldChangesOf(entry).length > 0;

const deliveryEvents: ReadonlySet<TaskEventKind> = new Set([
  ...(['fileAdded', 'fileRemoved', 'fileRestored', 'noteEdited', 'noteRemoved', 'noteRestored'] as const),
]);

/** Whether it changed a file, or a note that may have been read: the task is decided by these too (D25). */
export const changesDelivery = ({ event }: HistoryEntry): boolean => deliveryEvents.has(event);

/** Since that version, only new notes or the person's own files came: the decision is about what they saw. */
export function isSameWork(task: FullTask, version: number, viewerId: string): boolean {
  const isOther = (entry: HistoryEntry) =>
    entry.event === 'withdrawn' || entry.from !== entry.to || changesText(entry) || isOthers(entry);
  const isOthers = (entry: HistoryEntry) => entry.actorId !== viewerId && changesDelivery(entry);
  return !task.history.some((entry) => entry.version > version && isOther(entry));
}

/** The last change of this field after that version, or null. */
export function lastChangeOf(task: FullTask, field: ContentField, version: number): HistoryEntry | null {
  const changes = (entry: HistoryEntry) => fieldChangesOf(entry).some((change) => change.field === field);
  return newestFirst(task).find((entry) => entry.version > version && changes(entry)) ?? null;
}

/** Who changed the task's text after that version, or whose entries these are. */
export function authorsSince(history: FullTask['history'], version: number, isMeant = changesText) {
  const changes = history.filter((entry) => entry.version > version && isMeant(entry));
  const names = new Map(changes.map(({ actorId, actorName }) => [actorId, actorName]));
  return [...names].map(([id, name]) => ({ id, name }));
}

const newestFirst = (task: FullTask): HistoryEntry[] => task.history.toSorted((a, b) => b.version - a.version);

/** The last decision that wasn't undone. */
export function lastDecisionOf(task: FullTask): HistoryEntry | null {
  let undone = 0;
  for (const entry of newestFirst(task)) {
    if (entry.event === 'undone') undone += 1;
    else if (isDecisionEvent(entry.event)) {
      if (undone === 0) return entry;
      undone -= 1;
    }
  }
  return null;
}

/** What its owner changed in the task's text since the last decision (D17). */
export function changesSinceDecision(task: FullTask): FieldChange[] {
  const decision = lastDecisionOf(task);
  if (!decision) return [];
  const before: Values = {};
  for (const entry of newestFirst(task)) {
    if (entry.version <= decision.version) break;
    for (const { field, before: old } of fieldChangesOf(entry)) before[field] = old;
  }
  return contentFields
    .filter((field) => field !== 'change' && before[field] !== undefined && before[field] !== task[field])
    .map((field) => ({ field, before: before[field] ?? '', after: task[field] }));
}

const units = [
  { seconds: 86_400, name: 'day' },
  { seconds: 3_600, name: 'hour' },
  { seconds: 60, name: 'minute' },
] as const;

/** "3 hours": a wait in its largest unit, or null if shorter than a minute. */
export function waitInWords(seconds: number): string | null {
  const unit = units.find((each) => seconds >= each.seconds);
  if (!unit) return null;
  const count = Math.floor(seconds / unit.seconds);
  return plural(count, unit.name);
}
