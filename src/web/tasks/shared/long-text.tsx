import { type ReactNode, useId, useState } from 'react';
import { lightMarkdown } from '#core/base/plain-text.ts';
import classes from './long-text.module.css';
import type { FullTask } from './queries.ts';

type HeavyTexts = Readonly<Record<'summary' | 'reason' | 'change', boolean>> & { readonly notes: readonly boolean[] };

const heavyTexts = new WeakMap<FullTask, HeavyTexts>();

/** Which texts of the task are too much to render beside its others, which one page shows together. */
export function heavyTextsOf(task: FullTask): HeavyTexts {
  const known = heavyTexts.get(task);
  if (known) return known;
  const { reason, change } = task;
  // The newest notes matter most.
  const notes = task.notes.map(({ text }) => text).toReversed();
  const texts = [task.summary, reason, change === reason ? '' : change, ...notes].map((text) => text ?? '');
  const [isSummary = false, isReason = false, isChange = false, ...areNotes] = lightMarkdown(texts).map(
    (isLight) => !isLight,
  );
  const heavy = { summary: isSummary, reason: isReason, change: isChange, notes: areNotes.toReversed() };
  heavyTexts.set(task, heavy);
  return heavy;
}

/** Longer texts are collapsed: imported bodies have up to 27,000 characters. */
const longestUnfolded = { characters: 1_200, lines: 18 } as const;

function isLong(text: string): boolean {
  return (
    text.length > longestUnfolded.characters ||
    text.split('\n', longestUnfolded.lines + 1).length > longestUnfolded.lines
  );
}

/** Shows `children`, which render `text`; a long one is collapsed, with a button that expands it. */
export function LongText({ text, children }: { text: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  if (!isLong(text)) return children;
  return (
    <div>
      <div id={id} className={classes.body} data-folded={!open || undefined}>
        {children}
      </div>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {open ? 'Show less' : 'Show all'}
      </button>
    </div>
  );
}
