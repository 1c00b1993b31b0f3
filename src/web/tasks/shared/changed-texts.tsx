import { useLayoutEffect, useRef, useState } from 'react';
import { listWords } from '#core/base/formats.ts';
import { type ContentField, contentFields } from '#core/tasks/task.ts';
import { useViewer } from '#web/api/viewer.ts';
import { doublePressMs } from '#web/ui/timing.ts';
import classes from './difference.module.css';
import { TaskFieldDifference } from './difference.tsx';
import { shortened } from './mutations.ts';
import { authorsSince, type FieldChange } from './past.ts';
import type { BoardTask, FullTask } from './queries.ts';

/** A row of a list has no summary and no history. */
type Shown = BoardTask & Partial<Pick<FullTask, 'summary' | 'history'>>;

/** A task as it was when it came on screen, and when another text of it did. */
type Opened = {
  readonly version: number;
  readonly texts: Partial<Record<ContentField, string>>;
  /** The latest other text that was shown, and when. */
  readonly other: { text: string; at: number };
};

type ChangedText = {
  readonly id: string;
  readonly title: string;
  readonly by: readonly string[];
  readonly fields: readonly FieldChange[];
};

const textsOf = (task: Shown): Opened['texts'] =>
  Object.fromEntries(contentFields.flatMap((field) => (task[field] === undefined ? [] : [[field, task[field]]])));

function openedOf(before: Opened | undefined, task: Shown): Opened {
  const texts = { ...textsOf(task), ...before?.texts };
  return before ? { ...before, texts } : { version: task.version, texts, other: { text: '', at: -Infinity } };
}

function changeOf(task: Shown, { version, texts }: Opened, viewerId: string): ChangedText[] {
  const now = textsOf(task);
  const fields = contentFields
    .map((field) => ({ field, before: texts[field] ?? '', after: now[field] ?? texts[field] ?? '' }))
    .filter(({ before, after }) => before !== after);
  const authors = task.history && authorsSince(task.history, version);
  const by = authors?.filter(({ id }) => id !== viewerId).map(({ name }) => name) ?? ['Someone'];
  return fields.length === 0 || by.length === 0 ? [] : [{ id: task.id, title: task.title, by, fields }];
}

/**
 * What others changed in the texts of these tasks since they came on screen. A press right after a change was
 * meant for the text before it, so it is blocked: a decision is about what was read (D25).
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
          {fields.map((change) => (
            <TaskFieldDifference key={change.field} change={change} />
          ))}
        </section>
      ))}
    </div>
  );
}
