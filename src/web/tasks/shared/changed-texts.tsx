import { useLayoutEffect, useRef, useState } from 'react';
import { listWords } from '#core/base/formats.ts';
import { type ContentField, contentFields, fieldTitles } from '#core/tasks/task.ts';
import { useViewer } from '#web/api/viewer.ts';
import { type Difference, FieldDifference } from '#web/ui/conflict.tsx';
import { linesOf } from '#web/ui/text-difference.ts';
import { doublePressMs } from '#web/ui/timing.ts';
import classes from './difference.module.css';
import { shortened } from './mutations.ts';
import { authorsSince, changesDelivery, changesText } from './past.ts';
import type { BoardTask, FullTask, HistoryEntry } from './queries.ts';

/** A row of a list has no summary and no history, and only the ids of its notes and files. */
type Shown = BoardTask | FullTask;

const isFull = (task: Shown): task is FullTask => 'summary' in task;

type Delivery = Pick<FullTask, 'notes' | 'attachments'>;

/** A task as it was when it came on screen, and when another text of it did. */
type Opened = {
  readonly version: number;
  readonly texts: Partial<Record<ContentField, string>>;
  /** Unknown until the task was read in full. */
  readonly delivery: Delivery | undefined;
  /** The latest other text that was shown, and when. */
  readonly other: { text: string; at: number };
};

type ChangedText = {
  readonly id: string;
  readonly title: string;
  readonly by: readonly string[];
  readonly fields: readonly Difference[];
};

function textsOf(task: Shown): Opened['texts'] {
  const texts: Opened['texts'] = task;
  return Object.fromEntries(
    contentFields.flatMap((field) => (texts[field] === undefined ? [] : [[field, texts[field]]])),
  );
}

function openedOf(before: Opened | undefined, task: Shown): Opened {
  const texts = { ...textsOf(task), ...before?.texts };
  const delivery = before?.delivery ?? (isFull(task) ? task : undefined);
  if (before) return { ...before, texts, delivery };
  return { version: task.version, texts, delivery, other: { text: '', at: -Infinity } };
}

function changeOf(task: Shown, { version, texts, delivery }: Opened, viewerId: string): ChangedText[] {
  const now = textsOf(task);
  const changed = contentFields
    .map((field) => ({ name: fieldTitles[field], before: texts[field] ?? '', after: now[field] ?? texts[field] ?? '' }))
    .filter(({ before, after }) => before !== after);
  const isMeant = (entry: HistoryEntry) => changesText(entry) || changesDelivery(entry);
  const authors = isFull(task) ? authorsSince(task.history, version, isMeant) : undefined;
  const by = authors?.filter(({ id }) => id !== viewerId).map(({ name }) => name) ?? ['Someone'];
  const fields = [...changed, ...(delivery && isFull(task) ? deliveryChangesOf(delivery, task, viewerId) : [])];
  return fields.length === 0 || by.length === 0 ? [] : [{ id: task.id, title: task.title, by, fields }];
}

/** Other people's files that came or went, and their notes that no longer say the same. New notes can wait. */
function deliveryChangesOf(before: Delivery, now: Delivery, viewerId: string): Difference[] {
  const others = <Item extends { readonly id: string; readonly userId: string | null }>(items: readonly Item[]) =>
    new Map(items.filter(({ userId }) => userId !== viewerId).map((item) => [item.id, item]));
  const [oldFiles, files, notes] = [others(before.attachments), others(now.attachments), others(now.notes)];
  const gone = [...oldFiles.values()].filter(({ id }) => !files.has(id)).map(({ fileName }) => `${fileName}\n`);
  const added = [...files.values()].filter(({ id }) => !oldFiles.has(id)).map(({ fileName }) => `${fileName} (new)\n`);
  const noteChanges = [...others(before.notes).values()]
    .map(({ id, userName, text }) => ({ name: `${userName}’s note`, before: text, after: notes.get(id)?.text ?? '' }))
    .filter((note) => note.before !== note.after);
  if (gone.length === 0 && added.length === 0) return noteChanges;
  return [{ name: 'Files', before: gone.join(''), after: added.join(''), partsOf: linesOf }, ...noteChanges];
}

/**
 * What others changed in the texts, files and notes of these tasks since they came on screen. A press right
 * after a change was meant for the task before it, so it is blocked: a decision is about what was read (D25).
 */
export function useChangedTexts(tasks: readonly Shown[]) {
  const viewer = useViewer();
  const opened = useRef<ReadonlyMap<string, Opened>>(new Map());
  opened.current = new Map(tasks.map((task) => [task.id, openedOf(opened.current.get(task.id), task)]));
  const changed = tasks.flatMap((task) => changeOf(task, opened.current.get(task.id)!, viewer.id));
  const key = JSON.stringify(changed);
  const [heldBack, setHeldBack] = useState('');
  const seen = useRef('');
  // Before a key can reach the new text.
  useLayoutEffect(() => {
    for (const { id, fields } of changed) {
      const { other } = opened.current.get(id)!;
      const text = JSON.stringify(fields);
      if (text !== other.text) Object.assign(other, { text, at: performance.now() });
    }
  });
  return {
    changed,
    heldBack: changed.length > 0 && heldBack === key,
    /** A reason is sent only by a second press if a text changed while it was being written. */
    holdsBack: (press: 'decides' | 'asks' | 'writes', targets: readonly { readonly id: string }[] = tasks): boolean => {
      const ids = new Set(targets.map(({ id }) => id));
      const times = changed.filter(({ id }) => ids.has(id)).map(({ id }) => opened.current.get(id)!.other.at);
      const isNew = performance.now() - Math.max(...times) < doublePressMs;
      const isHeld = isNew || (press === 'writes' && times.length > 0 && seen.current !== key);
      if (isHeld) setHeldBack(key);
      if (isHeld || press === 'asks') seen.current = key;
      return isHeld;
    },
  };
}

type ChangedTextsProps = Pick<ReturnType<typeof useChangedTexts>, 'changed' | 'heldBack'> & {
  /** The tasks are several selected ones, not the open one. */
  readonly areSelected?: boolean;
};

/** What changed since the tasks were opened or selected, beside the buttons that decide them. */
export function ChangedTexts({ changed, heldBack, areSelected = false }: ChangedTextsProps) {
  if (changed.length === 0) return null;
  return (
    <div className={classes.changed}>
      {changed.map(({ id, title, by, fields }) => (
        <section key={id} className={classes.difference} aria-label={`Changes to “${title}”`}>
          <p role="alert" className={classes.title}>
            {areSelected
              ? `${listWords(by)} changed “${shortened(title)}” after you selected it.`
              : `${listWords(by)} changed this after you opened it.`}
            {heldBack && ' Press again to confirm.'}
          </p>
          {fields.map((field, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two notes of a person have the same name.
            <FieldDifference key={at} {...field} />
          ))}
        </section>
      ))}
    </div>
  );
}
