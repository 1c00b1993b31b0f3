import type { ReactNode } from 'react';
import type { Viewer } from '#core/access/access.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { statusRule } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useOwnApprovers } from '#web/api/my-approvers.ts';
import { Age } from '#web/ui/age.tsx';
import { Markdown } from '#web/ui/markdown.tsx';
import { Pill } from '#web/ui/pill.tsx';
import classes from './detail.module.css';
import { TaskDifference } from './difference.tsx';
import { type FullTask, useSprints } from './queries.ts';

type Props = {
  readonly task: FullTask;
  readonly viewer: Viewer;
  /** Replaces the brand's name with a select, for people who can change it. */
  readonly brand?: ReactNode;
};

/**
 * A task's owner, brand, sprint and age, the requested change, and the difference since the last decision.
 */
export function TaskDetail({ task, viewer, brand }: Props) {
  return (
    <div className={classes.detail}>
      <TaskFacts task={task} viewer={viewer} brand={brand} />
      <TaskReason task={task} />
      <TaskDifference task={task} />
    </div>
  );
}

function TaskFacts({ task, viewer, brand }: Props) {
  const sprint = useSprints().find(({ id }) => id === task.sprintId);
  const { companyTimeZone: zone } = config();
  const byAnother = task.createdBy.id !== task.userId;
  return (
    <dl className={classes.facts}>
      <Fact name="Owner">{task.userId === viewer.id ? `${task.owner.displayName} (you)` : task.owner.displayName}</Fact>
      <Fact name="Brand">{brand ?? task.category}</Fact>
      <Fact name="Sprint">
        {sprint ? `${sprint.name}, until ${formatInstant(sprint.endDate, zone)}` : '–'}{' '}
        {task.extra && <Pill tone="warn">extra</Pill>}{' '}
        {task.carriedOver > 0 && <Pill tone="warn">carried over ×{task.carriedOver}</Pill>}{' '}
        {task.leftUndone && <Pill tone="warn">left undone</Pill>}
      </Fact>
      {task.userId === viewer.id && statusRule(task.status).approve && !task.withdrawn && <WaitsFor />}
      <Fact name="Created">
        <Age instant={task.created} zone={zone} ago /> {byAnother && `by ${task.createdBy.displayName}`}
      </Fact>
    </dl>
  );
}

/** Who decides the viewer's own task that waits. */
function WaitsFor() {
  const own = useOwnApprovers();
  return own && <Fact name="Waits for">{own.names ?? <Pill tone="warn">{own.sentence}</Pill>}</Fact>;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The approver's request, until the task is approved, and the owner's answer (D16). */
export function TaskReason({ task }: { task: FullTask }) {
  const answer = task.change === task.reason ? '' : task.change;
  if (!task.reason && !answer) return null;
  const asked = task.history.findLast(({ change }) => change !== null && change === task.reason);
  return (
    <div className={classes.reason} data-status={task.status}>
      {task.reason && (
        <>
          <p className={classes.who}>{asked ? `${asked.actorName} asks for a change` : 'Change requested'}</p>
          <Markdown text={task.reason} />
        </>
      )}
      {answer && (
        <>
          <p className={classes.who}>{task.reason ? `${task.owner.displayName} answers` : 'Change'}</p>
          <Markdown text={answer} />
        </>
      )}
    </div>
  );
}
