import type { Path } from '#core/access/routes.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { eventSentence } from '#core/tasks/task.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { bonusComponents, tasksOfLine } from '#core/toolbox/bonus.ts';
import { shareWords } from '#core/toolbox/bonus-words.ts';
import { config } from '#web/api/config.ts';
import { writeSearch } from '#web/shell/address.ts';
import { StatusPill } from '#web/ui/pill.tsx';
import { SidePanel } from '#web/ui/side-panel.tsx';
import type { BonusWeek, StatementLine, StatementTask } from './bonus-queries.ts';
import { money, waitWords } from './bonus-words.ts';
import classes from './line-panel.module.css';
import { LineThread } from './line-thread.tsx';
import type { BonusChoice } from './use-bonus-choice.ts';

const tasksPath: Path = '/top-5/tasks';

type Props = { readonly week: BonusWeek; readonly choice: BonusChoice };

/** A line's tasks and its messages. */
export function LinePanel({ week, choice }: Props) {
  const { statement } = week;
  const line = statement?.lines.find(({ key }) => key === choice.line) ?? null;
  return (
    <SidePanel
      inAddress
      opened={line !== null}
      title="Statement part"
      titleHidden
      onClose={() => choice.openLine(null)}
    >
      {statement && line && (
        <div className={classes.content}>
          <Head line={line} tasks={week.tasks} currency={statement.currency} isOwn={choice.isOwn} />
          <Tasks week={week} line={line} choice={choice} />
          {statement.id !== null && (
            <LineThread key={line.key} statementId={statement.id} line={line} isOwn={choice.isOwn} />
          )}
        </div>
      )}
    </SidePanel>
  );
}

type HeadProps = {
  readonly line: StatementLine;
  readonly tasks: readonly StatementTask[];
  readonly currency: string;
  readonly isOwn: boolean;
};

function Head({ line, tasks, currency, isOwn }: HeadProps) {
  const { title, formula, meaning } = bonusComponents[line.key];
  return (
    <div className={classes.head}>
      <h2 className={classes.title}>
        {title}: {money(line.amount, currency)}
      </h2>
      <p>
        {line.waived
          ? `This part pays in full because ${isOwn ? 'your' : 'their'} approver held up the tasks it measures.`
          : shareWords(line, tasks)}
      </p>
      <p className={classes.quiet}>
        {meaning} {formula}.
      </p>
    </div>
  );
}

function Tasks({ week, line, choice }: Props & { line: StatementLine }) {
  const wanted = new Set(tasksOfLine(line.key, week.tasks).map(({ taskId }) => taskId));
  const tasks = week.tasks.filter(({ taskId }) => wanted.has(taskId));
  if (line.key === 'team')
    return <p className={classes.quiet}>You can’t see colleagues’ tasks here, only the total.</p>;
  return (
    <section className={classes.section}>
      <h3>Tasks in this part</h3>
      {tasks.length === 0 && <p className={classes.quiet}>No tasks of this sprint count here.</p>}
      <ul className={classes.tasks}>
        {tasks.map((task) => (
          <TaskOfLine key={task.taskId} task={task} line={line} week={week} choice={choice} />
        ))}
      </ul>
    </section>
  );
}

function TaskOfLine({ task, line, week, choice }: Props & { task: StatementTask; line: StatementLine }) {
  const zone = config().companyTimeZone;
  const person = choice.isOwn ? null : week.person.id;
  const href = `${tasksPath}${writeSearch({ person, sprint: week.sprint.id, task: task.taskId })}`;
  const facts = [
    task.carriedOut && 'carried over, counts here as not completed',
    task.heldUp && `held up ${waitWords(task.waitedSeconds)} by the approver`,
    // Its send-backs do count in “Rework-free share”.
    task.heldUp && line.key === 'signedOff' && 'doesn’t count',
    task.sendBacks > 0 && (task.sendBacks === 1 ? 'sent back once' : `sent back ${task.sendBacks} times`),
    // The pill says it already.
    task.signOffs > 0 && task.status !== 'DONE' && 'signed off',
  ].filter((fact) => fact !== false);
  return (
    <li className={classes.task}>
      <a href={href}>{task.title}</a>
      <span className={classes.facts}>
        <StatusPill status={task.status} />
        {facts.join(', ')}
      </span>
      {task.corrections.map(({ event, at, actorName }) => (
        <span key={at} className={classes.quiet}>
          Correction: {eventSentence(actorName, event, 'this task')}, {formatInstant(at, zone)}. Now{' '}
          {taskStatuses[task.statusNow].title}.
        </span>
      ))}
    </li>
  );
}
