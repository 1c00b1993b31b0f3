// The slots of the week: what a person is expected to plan, and how far it is.
import type { CSSProperties } from 'react';
import { percentWords } from '#core/base/percent.ts';
import {
  completionPercentage,
  isPlanned,
  noTasks,
  resultWords,
  type StatusCounts,
  type TaskStatus,
  taskStatuses,
  taskStatusKeys,
} from '#core/tasks/task-status.ts';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import { StatusGlyph, statusColors } from '#web/ui/status-glyph.tsx';
import classes from './my-tasks.module.css';
import type { MyWeek, WeekTask } from './my-week-queries.ts';

function countsOf(tasks: readonly WeekTask[]): StatusCounts {
  const counts = { ...noTasks };
  for (const { status } of tasks) counts[status] += 1;
  return counts;
}

/** How much of a slot is filled. */
const filled = {
  INAPPROVAL: '0%',
  DENIED: '0%',
  TODO: '0%',
  INPROGRESS: '50%',
  INREVIEW: '100%',
  DONE: '100%',
} as const satisfies Record<TaskStatus, string>;

const progressOf = ({ status }: WeekTask): number => taskStatusKeys.indexOf(status);

/** More slots than this have no room for words. */
const mostInWords = 6;

/** The tasks that a person is expected to plan, the furthest first, and the slots still free (D19). */
export function SlotStrip({ tasks, week }: { tasks: readonly WeekTask[]; week: MyWeek }) {
  const { taskLimit, previousSprint } = week;
  const planned = tasks.filter(({ extra }) => !extra).toSorted((a, b) => progressOf(b) - progressOf(a));
  const counts = countsOf(tasks);
  const share = completionPercentage(counts);
  const extra = tasks.length - planned.length;
  const denied = planned.filter((task) => !isPlanned(task)).length;
  const count = planned.length - denied;
  const before = previousSprint?.completionPercentage;
  const free = Array.from({ length: Math.max(0, taskLimit - planned.length) }, (_, index) => index);
  return (
    <div className={classes.strip}>
      <p>
        <span>
          <strong>{share === null ? 'No approved tasks yet' : `${percentWords(share)} completed`}</strong>
          {share !== null && `, ${resultWords(counts, 0)}`}. {count} of {Math.max(taskLimit, count)} planned
          {extra > 0 && `, ${extra} extra`}
          {denied > 0 && `, ${denied} denied`}
        </span>
        {before !== null && before !== undefined && <span>Last sprint {percentWords(before)} completed</span>}
      </p>
      <ol className={classes.slots} aria-label="Planned tasks" data-many={taskLimit > mostInWords || undefined}>
        {planned.map(({ id, title, status }) => (
          <li key={id} title={title} style={slotStyle(status)}>
            <span className={classes.bar} />
            <span className={classes.state}>
              <StatusGlyph status={status} />
              <span>{taskStatuses[status].title}</span>
            </span>
          </li>
        ))}
        {free.map((index) => (
          <li key={index} data-free>
            <span className={classes.bar} />
            <span className={classes.state}>
              <span>Open</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const slotStyle = (status: TaskStatus) =>
  ({
    '--slot-fill': statusColors[status].fill,
    '--slot-line': statusColors[status].line,
    '--slot-filled': filled[status],
  }) as CSSProperties;

export function SlotStripSkeleton() {
  return (
    <div className={classes.strip}>
      <SkeletonBlock width="40%" height={20} />
      <div className={classes.slots}>
        <div>
          <SkeletonBlock height={8} />
          <div className={classes.state}>
            <SkeletonBlock width="60%" height={18} />
          </div>
        </div>
      </div>
    </div>
  );
}
