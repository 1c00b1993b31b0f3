import { type ReactNode, useId, useState } from 'react';
import classes from './long-text.module.css';

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
