import type { ReactNode } from 'react';
import type { Viewer } from '#core/access/access.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { capital, listWords } from '#core/base/formats.ts';
import { absenceDay } from '#core/people/absences.ts';
import { repeats } from '#core/tasks/repeat.ts';
import { statusRule } from '#core/tasks/task-status.ts';
import { companyToday } from '#web/access/shared/absence-queries.ts';
import { config } from '#web/api/config.ts';
import { useOwnApprovers } from '#web/api/my-approvers.ts';
import { OwnApproversSentence } from '#web/shell/own-approvers.tsx';
import { Age } from '#web/ui/age.tsx';
import { Markdown } from '#web/ui/markdown.tsx';
import { Pill } from '#web/ui/pill.tsx';
import classes from './detail.module.css';
import { TaskDifference } from './difference.tsx';
import { carriedOverWords } from './exits.ts';
import { heavyTextsOf } from './long-text.tsx';
import { type FullTask, useSprints } from './queries.ts';
import { decidesForWords } from './rules.ts';

type Props = {
  readonly task: FullTask;
  readonly viewer: Viewer;
  /** Replaces the owner's name with a link. */
  readonly owner?: ReactNode;
  /** Replaces the brand's name with a select, for people who can change it. */
  readonly brand?: ReactNode;
  /** Replaces how it repeats with a select, for its owner. */
  readonly repeat?: ReactNode;
};

/**
 * A task's owner, brand, sprint and age, the requested change, and the difference since the last decision.
 */
export function TaskDetail({ task, viewer, owner, brand, repeat }: Props) {
  return (
    <div className={classes.detail}>
      <TaskFacts task={task} viewer={viewer} owner={owner} brand={brand} repeat={repeat} />
      <TaskReason task={task} />
      <TaskDifference task={task} />
    </div>
  );
}

function TaskFacts({ task, viewer, owner, brand, repeat }: Props) {
  const sprint = useSprints().find(({ id }) => id === task.sprintId);
  const { companyTimeZone: zone } = config();
  const byAnother = task.createdBy.id !== task.userId;
  return (
    <dl className={classes.facts}>
      <Fact name="Owner">
        {owner ?? (task.userId === viewer.id ? `${task.owner.displayName} (you)` : task.owner.displayName)}{' '}
        {!task.ownerKeepsTasks && <Pill tone="warn">can’t work on it anymore</Pill>}
        {task.ownerAwayUntil && task.userId !== viewer.id && (
          <Pill>away until {absenceDay(task.ownerAwayUntil, companyToday())}</Pill>
        )}
      </Fact>
      <Fact name="Brand">{brand ?? task.category}</Fact>
      <Fact name="Sprint">
        {sprint ? `${sprint.name}, until ${formatInstant(sprint.endDate, zone)}` : '–'}{' '}
        {task.extra && <Pill tone="warn">extra</Pill>}{' '}
        {task.carriedOver > 0 && <Pill tone="warn">{carriedOverWords(task.carriedOver)}</Pill>}{' '}
        {task.leftUndone && <Pill tone="warn">left undone</Pill>}
      </Fact>
      {(repeat || task.repeats) && (
        <Fact name="Repeats">{repeat ?? (task.repeats && capital(repeats[task.repeats].words))}</Fact>
      )}
      {task.userId === viewer.id && statusRule(task.status).approve && !task.withdrawn && <WaitsFor />}
      <OtherDeciders task={task} viewer={viewer} />
      <Fact name="Created">
        <Age instant={task.created} zone={zone} ago /> {byAnother && `by ${task.createdBy.displayName}`}
      </Fact>
    </dl>
  );
}

/** Who decides the viewer's own task that waits. */
function WaitsFor() {
  const own = useOwnApprovers();
  return (
    own && (
      <Fact name="Waiting for">
        {own.names ?? (
          <Pill tone="warn">
            <OwnApproversSentence own={own} />
          </Pill>
        )}
      </Fact>
    )
  );
}

/** The approver that the viewer decides for, or who else decides a task that waited too long (D41). */
function OtherDeciders({ task, viewer }: Props) {
  const approver = decidesForWords(viewer, task);
  if (approver) return <Fact name="You decide for">{approver}</Fact>;
  if (!task.handedOver) return null;
  const { nextInLine, toAdmins } = task.handedOver;
  const names = nextInLine.map(({ displayName }) => displayName);
  return <Fact name="Also waiting for">{listWords(toAdmins ? [...names, 'an admin'] : names, 'or')}</Fact>;
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
function TaskReason({ task }: { task: FullTask }) {
  const answer = task.change === task.reason ? '' : task.change;
  if (!task.reason && !answer) return null;
  const heavy = heavyTextsOf(task);
  const asked = task.history.findLast(({ change }) => change !== null && change === task.reason);
  return (
    <div className={classes.reason} data-status={task.status}>
      {task.reason && (
        <>
          <p className={classes.who}>{asked ? `${asked.actorName} asked for a change` : 'Change requested'}</p>
          <Markdown text={task.reason} isHeavy={heavy.reason} />
        </>
      )}
      {answer && (
        <>
          <p className={classes.who}>{task.reason ? `${task.owner.displayName} replied` : 'Change'}</p>
          <Markdown text={answer} isHeavy={heavy.change} />
        </>
      )}
    </div>
  );
}
