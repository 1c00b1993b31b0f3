import type { ReactNode } from 'react';
import { type TaskStatus, taskStatuses } from '#core/tasks/task-status.ts';
import classes from './pill.module.css';
import { StatusGlyph, statusColors } from './status-glyph.tsx';

type Props = {
  readonly tone?: 'quiet' | 'good' | 'warn' | 'bad' | 'outlined';
  /** Uses a task status's colors and glyph. */
  readonly as?: TaskStatus;
  readonly title?: string;
  readonly children: ReactNode;
};

/** A status, a mark, a brand: one or two words. Never by color alone. */
export function Pill({ tone = 'quiet', as, title, children }: Props) {
  const colors = as && { background: statusColors[as].fill, color: statusColors[as].text };
  return (
    <span className={classes.pill} data-tone={tone} style={colors} title={title}>
      {as && <StatusGlyph status={as} />}
      {children}
    </span>
  );
}

/** A withdrawn task keeps its last status, in which nobody acts on it. */
export const StatusPill = ({ status, withdrawn = false }: { status: TaskStatus; withdrawn?: boolean }) =>
  withdrawn ? <Pill>Withdrawn</Pill> : <Pill as={status}>{taskStatuses[status].title}</Pill>;
