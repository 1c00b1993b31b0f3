import { Link } from '@tanstack/react-router';
import {
  approvedCount,
  completedCount,
  completionFormula,
  completionPercentage,
  noTasks,
  type StatusCounts,
  statusRule,
  type TaskStatus,
} from '#core/tasks/task-status.ts';
import { percentWords } from '#web/charts/percent.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SegmentedBar } from '#web/ui/segmented-bar.tsx';
import { SkeletonBlock } from '#web/ui/skeleton.tsx';
import classes from './my-tasks.module.css';
import type { MyWeek, WeekTask } from './my-week-queries.ts';
import links from './week-side.module.css';
import { WeekTaskList, WeekTaskRow } from './week-task-row.tsx';

/** What was denied needs its owner first; then what is being worked on, what is to do, what waits, what is finished. */
const order: Record<TaskStatus, number> = { DENIED: 0, INPROGRESS: 1, TODO: 2, INAPPROVAL: 3, INREVIEW: 4, DONE: 5 };

/** What an owner has to answer: a task that an update sends back to approval. */
const isDenied = ({ status }: WeekTask): boolean => statusRule(status).update !== undefined;

export function MyTasks({ week }: { week: MyWeek }) {
  const tasks = week.tasks.filter(({ withdrawn }) => !withdrawn).toSorted((a, b) => order[a.status] - order[b.status]);
  const counts = countsOf(tasks);
  return (
    <Panel
      title="My tasks"
      note={tasks.length}
      actions={
        <Link to="/top-5/tasks" className={links.headLink}>
          Open the board
        </Link>
      }
      flush
    >
      {tasks.length === 0 ? (
        <EmptyState
          title="No tasks in this sprint yet"
          action={
            <Link to="/top-5/tasks" search={{ new: '1' }}>
              Add your first task
            </Link>
          }
        >
          Plan your five most important tasks of the week.
        </EmptyState>
      ) : (
        <>
          <WeekShare counts={counts} previous={week.previousSprint} />
          {tasks.filter(isDenied).map((task) => (
            <Denied key={task.id} task={task} />
          ))}
          <WeekTaskList>
            {tasks
              .filter((task) => !isDenied(task))
              .map((task) => (
                <WeekTaskRow key={task.id} task={task} to="/top-5/tasks" search={{ task: task.id }} />
              ))}
          </WeekTaskList>
        </>
      )}
    </Panel>
  );
}

function countsOf(tasks: readonly WeekTask[]): StatusCounts {
  const counts = { ...noTasks };
  for (const { status } of tasks) counts[status] += 1;
  return counts;
}

/** The week in one bar, and its share in words beside last week's (D20). */
function WeekShare({ counts, previous }: { counts: StatusCounts; previous: MyWeek['previousSprint'] }) {
  const approved = approvedCount(counts);
  return (
    <div className={classes.share}>
      <SegmentedBar counts={counts} />
      <p title={completionFormula}>
        <strong>{percentWords(completionPercentage(counts))} completed</strong>
        {approved > 0 && `, ${completedCount(counts)} of ${approved} approved ${approved === 1 ? 'task' : 'tasks'}`}
        {previous && `, last week ${percentWords(previous.completionPercentage)}`}
      </p>
    </div>
  );
}

export function WeekShareSkeleton() {
  return (
    <div className={classes.share}>
      <SkeletonBlock height={10} />
      <p>
        <SkeletonBlock width="60%" height={20} />
      </p>
    </div>
  );
}

/** What was asked to change stands in full: it is the first thing to do. */
function Denied({ task }: { task: WeekTask }) {
  return (
    <div className={classes.denied}>
      <WeekTaskList>
        <WeekTaskRow
          task={task}
          to="/top-5/tasks"
          search={{ task: task.id }}
          actions={
            <Link to="/top-5/tasks" search={{ task: task.id }} className={classes.resend}>
              Edit and resend
            </Link>
          }
        />
      </WeekTaskList>
      {task.reason && <p className={classes.reason}>{task.reason}</p>}
    </div>
  );
}
