import type { ReactNode } from 'react';
import type { TaskStatus } from '#core/tasks/task-status.ts';

const tick = <path d="m4.4 7.2 1.8 1.8 3.4-3.7" fill="none" strokeLinecap="round" strokeLinejoin="round" />;

/** Circles that fill up as the task progresses, in the status's line color. */
const drawings: Record<TaskStatus, ReactNode> = {
  INAPPROVAL: (
    <>
      <circle cx="7" cy="7" r="5.75" fill="none" strokeDasharray="2.4 1.6" />
      <path d="M7 4.2V7l1.9 1.2" fill="none" strokeLinecap="round" strokeLinejoin="round" />
    </>
  ),
  DENIED: (
    <>
      <circle cx="7" cy="7" r="5.75" fill="none" />
      <path d="m5.1 5.1 3.8 3.8m0-3.8L5.1 8.9" fill="none" strokeLinecap="round" />
    </>
  ),
  TODO: <circle cx="7" cy="7" r="5.75" fill="none" />,
  INPROGRESS: (
    <>
      <circle cx="7" cy="7" r="5.75" fill="none" />
      <path d="M7 3.7a3.3 3.3 0 0 1 0 6.6Z" fill="currentColor" stroke="none" />
    </>
  ),
  INREVIEW: (
    <>
      <circle cx="7" cy="7" r="5.75" fill="none" />
      {tick}
    </>
  ),
  DONE: (
    <>
      <circle cx="7" cy="7" r="6.5" fill="currentColor" stroke="none" />
      <g stroke="var(--surface)">{tick}</g>
    </>
  ),
};

/** A status's colors, from tokens.css. */
export const statusColors: Record<TaskStatus, { readonly fill: string; readonly line: string; readonly text: string }> =
  {
    INAPPROVAL: colorsOf('inapproval'),
    DENIED: colorsOf('denied'),
    TODO: colorsOf('todo'),
    INPROGRESS: colorsOf('inprogress'),
    INREVIEW: colorsOf('inreview'),
    DONE: colorsOf('done'),
  };

function colorsOf(name: string) {
  return { fill: `var(--${name}-fill)`, line: `var(--${name}-line)`, text: `var(--${name}-text)` };
}

/** Always next to the status as text. */
export function StatusGlyph({ status }: { status: TaskStatus }) {
  return (
    <svg
      width="14"
      height="14"
      viewBox="0 0 14 14"
      aria-hidden="true"
      stroke="currentColor"
      strokeWidth="1.5"
      style={{ color: statusColors[status].line, flex: 'none' }}
    >
      {drawings[status]}
    </svg>
  );
}
