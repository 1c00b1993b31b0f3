import { type StatusCounts, taskStatuses, taskStatusKeys } from '#core/tasks/task-status.ts';
import classes from './segmented-bar.module.css';
import { statusColors } from './status-glyph.tsx';

/** From done to denied, finished tasks first. */
const order = taskStatusKeys.toReversed();

/** One bar of a week's tasks by status. Its name spells out the counts, because color alone isn't enough. */
export function SegmentedBar({ counts, thin = false }: { counts: StatusCounts; thin?: boolean }) {
  const present = order.filter((status) => counts[status] > 0);
  const words = present.map((status) => `${taskStatuses[status].title} ${counts[status]}`).join(', ');
  return (
    <div className={classes.bar} data-thin={thin || undefined} role="img" aria-label={words || 'No tasks'}>
      {present.map((status) => (
        <span
          key={status}
          title={`${taskStatuses[status].title} ${counts[status]}`}
          style={{ flexGrow: counts[status], background: statusColors[status].line }}
        />
      ))}
    </div>
  );
}
