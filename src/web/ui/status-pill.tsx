import { type TaskStatus, taskStatuses } from '#core/tasks/task-status.ts';
import { StatusGlyph, statusColors } from './status-glyph.tsx';
import classes from './status-pill.module.css';

export function StatusPill({ status }: { status: TaskStatus }) {
  const { fill, text } = statusColors[status];
  return (
    <span className={classes.pill} style={{ background: fill, color: text }}>
      <StatusGlyph status={status} />
      {taskStatuses[status].title}
    </span>
  );
}
