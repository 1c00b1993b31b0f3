import { Button, Textarea } from '@mantine/core';
import type { Path } from '#core/access/routes.ts';
import { formatInstant } from '#core/base/day-words.ts';
import { eventSentence } from '#core/tasks/task.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { bonusComponents, tasksOfLine } from '#core/toolbox/bonus.ts';
import { bonusLimits } from '#core/toolbox/bonus-plans.ts';
import { config } from '#web/api/config.ts';
import { useDraftSending } from '#web/api/draft-sending.ts';
import { useDraft } from '#web/api/drafts.ts';
import { writeSearch } from '#web/shell/address.ts';
import { shortened } from '#web/tasks/shared/mutations.ts';
import { Age } from '#web/ui/age.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import { sendHint } from '#web/ui/shortcuts.ts';
import { SidePanel } from '#web/ui/side-panel.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { type BonusWeek, type StatementLine, type StatementTask, useSay } from './bonus-queries.ts';
import { money, resultWords, waitWords } from './bonus-words.ts';
import classes from './line-panel.module.css';
import { Thread } from './thread-state.tsx';
import type { BonusChoice } from './use-bonus-choice.ts';

type LineThreadProps = { readonly statementId: string; readonly line: StatementLine; readonly isOwn: boolean };

/** A line's messages. The person asks; their decider answers. */
export function LineThread({ statementId, line, isOwn }: LineThreadProps) {
  const zone = config().companyTimeZone;
  const asks = isOwn || line.messages.length > 0;
  return (
    <section className={classes.section}>
      <h3>Questions {line.thread !== null && <Thread state={line.thread} />}</h3>
      <ul className={classes.messages}>
        {line.messages.map(({ id, authorName, isQuestion, text, at }) => (
          <li key={id} className={classes.message}>
            <p className={classes.by}>
              {authorName} {isQuestion ? 'asked' : 'answered'} <Age instant={at} zone={zone} ago />
            </p>
            {text}
          </li>
        ))}
      </ul>
      {asks ? (
        <MessageForm statementId={statementId} line={line} isOwn={isOwn} />
      ) : (
        <p className={classes.quiet}>No questions about this part.</p>
      )}
    </section>
  );
}

/** The form of a message, which is found if an earlier call with a lost answer sent it. */
function useMessageForm({ statementId, line: { key: line }, isOwn }: LineThreadProps) {
  const draftKey = `bonus-${statementId}-${line}`;
  const draft = useDraft(draftKey, '');
  const { say, reread } = useSay();
  const empty = () => form.restart({ text: '' }) || draft.discard();
  const showSent = () => showToast({ message: isOwn ? 'Your question was sent' : 'Your answer was sent' });
  const { send, isSending, endCorrection } = useDraftSending<string, unknown>({
    draft: draftKey,
    send: (text, key) => say({ message: { statementId, line, text }, key }),
    // Messages are never removed.
    find: () => reread().then(() => true),
    onFound: (text, isMade): boolean => {
      if (isMade) showSent();
      else {
        void reread();
        showToast({ message: `“${shortened(text)}” was sent in another tab` });
      }
      const typed = form.values.text.trim();
      if (typed === text) {
        form.set({ text: '' });
        draft.discard();
      }
      return typed !== '' && typed !== text;
    },
    nameOf: shortened,
  });
  const form = useForm({
    initial: { text: draft.value },
    rule: ({ text }) =>
      text.trim() ? null : { field: 'text', message: isOwn ? 'Write your question first' : 'Write your answer first' },
    mutation: { isPending: isSending, mutateAsync: send },
    variables: ({ text }) => text.trim(),
    onSent: () => {
      empty();
      showSent();
    },
    keep: ({ text }) => {
      if (text.trim() === '') endCorrection();
      draft.change(text);
    },
  });
  return form;
}

function MessageForm(props: LineThreadProps) {
  const { line, isOwn } = props;
  const form = useMessageForm(props);
  return (
    <Form form={form} className={classes.form}>
      <Textarea
        label={isOwn ? 'Ask about this part' : 'Answer'}
        description={sendHint()}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={bonusLimits.message}
        data-autofocus={line.thread === 'open' && !isOwn ? true : undefined}
        {...form.field('text')}
      />
      <Button type="submit" loading={form.busy}>
        {isOwn ? 'Ask' : 'Answer'}
      </Button>
    </Form>
  );
}

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
          : resultWords(line, tasks)}
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
