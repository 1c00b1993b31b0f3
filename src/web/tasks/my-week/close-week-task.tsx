import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { formatInstant } from '#core/base/day-words.ts';
import { capital } from '#core/base/formats.ts';
import { limits } from '#core/base/limits.ts';
import { completingMove } from '#core/tasks/task.ts';
import { moveVerb, needsOwner, statusRule, taskStatuses } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useIsHeld } from '#web/ui/dialog.tsx';
import { once } from '#web/ui/double-click.ts';
import { Form, useForm } from '#web/ui/form.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { Markdown } from '#web/ui/markdown.tsx';
import { isTouch, useShortcuts } from '#web/ui/shortcuts.ts';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import { typeAhead } from '#web/ui/typed-ahead.ts';
import { Writes } from '#web/ui/writes.tsx';
import { carriedOverWords, type Exit, exitHints, exits, useExits, useSprintMove } from '../shared/exits.ts';
import { succeeds, useMoveTask } from '../shared/mutations.ts';
import { NotMoved } from '../shared/not-moved.tsx';
import { leavesByEscape } from '../shared/send-keys.ts';
import classes from './close-week.module.css';
import type { MyWeek, WeekSprint, WeekTask } from './my-week-queries.ts';
import { addedAgainWords, letGo, letGoVerbs, useAddedAgain, useOwnActions, useSprintsOfWeek } from './own-actions.ts';

/** What became of a task: completed, moved, or let go for this reason; `gone` if decided elsewhere. */
export type Outcome =
  | 'completed'
  | 'carriedOver'
  | 'gone'
  | { readonly movedTo: string }
  | { readonly step: keyof typeof letGoVerbs; readonly reason: string };
export type ClosedItem = { readonly task: WeekTask; readonly outcome: Outcome | null };

const outcomeWords = (outcome: Outcome | null): string => {
  if (outcome === null) return 'Still open';
  if (outcome === 'completed') return taskStatuses.INREVIEW.title;
  if (outcome === 'gone') return 'No longer open';
  if (outcome === 'carriedOver') return 'Carried over';
  if ('movedTo' in outcome) return `Moved to ${outcome.movedTo}`;
  return `${capital(exits[outcome.step].done)}: ${outcome.reason}`;
};

export const dropKey = 'drop:';
export const skipRestKey = 'l';

type Props = ClosedItem & {
  readonly week: MyWeek;
  readonly sprint: WeekSprint;
  /** While a decision is sent, the step stays. */
  readonly busy: boolean;
  /** Goes on if the call succeeds. Resolves to whether it did. */
  readonly onDecide: (outcome: Outcome, call: Promise<boolean>) => Promise<boolean>;
  /** A press came so soon after the previous decision that it may have been meant for that task. */
  readonly heldBack: boolean;
  readonly holdsBack: (press: 'decides' | 'asks') => boolean;
  readonly onBack: (() => void) | null;
  readonly onSkip: () => void;
  /** Past all tasks, while another one after this is undecided. */
  readonly onSkipRest: (() => void) | null;
};

/** What the owner can do with the task now, by key or button. */
function useChoices({ task, week, onDecide, holdsBack }: Props, askWhy: () => void) {
  const actions = useOwnActions(task, week);
  const navigate = useNavigate();
  const exits = useExits({ isAwaited: true });
  const move = useMoveTask();
  const completed = completingMove(actions);
  const sprintMove = useSprintMove(task, actions, useSprintsOfWeek(actions.moveToSprint));
  const drop = letGo(actions);
  const exit = (step: Exit['step'], reason?: string) =>
    succeeds(exits.mutateAsync([{ task, step, ...(reason === undefined ? {} : { reason }) }]));
  const decide = (outcome: Outcome, call: () => Promise<boolean>) => {
    if (!holdsBack('decides')) void onDecide(outcome, call());
  };
  return {
    drop,
    dropFor: (step: keyof typeof letGoVerbs, reason: string) => onDecide({ step, reason }, exit(step, reason)),
    choices: [
      ...(completed
        ? [
            {
              ...{ key: 'd', label: moveVerb(task.status, completed) },
              run: () => decide('completed', () => move(task, completed)),
            },
          ]
        : []),
      ...(actions.carryOver
        ? [
            {
              ...{ key: 'c', label: 'Carry over', title: exitHints.carryOver },
              run: () => decide('carriedOver', () => exit('carryOver')),
            },
          ]
        : []),
      ...(sprintMove
        ? [
            {
              ...{ key: 'm', label: `Move to ${sprintMove.to.name}`, title: exitHints.moveToSprint },
              run: () => decide({ movedTo: sprintMove.to.name }, sprintMove.run),
            },
          ]
        : []),
      ...(actions.resubmit
        ? [
            {
              ...{ key: 'e', label: 'Edit and resend' },
              run: () => {
                if (holdsBack('asks')) return;
                // The form is on another page: the next keys are for it.
                typeAhead();
                void navigate({ to: '/top-5/tasks', search: { task: task.id, resend: '1' } });
              },
            },
          ]
        : []),
      // A question decides nothing yet, and what follows the key is its answer.
      ...(drop ? [{ key: 'x', label: `${letGoVerbs[drop]}…`, title: exitHints[drop], run: askWhy }] : []),
    ],
  };
}

export function TaskStep(props: Props) {
  const { task, outcome, busy } = props;
  const [asked, setAsked] = useState(false);
  const { choices, drop, dropFor } = useChoices(props, () => !props.holdsBack('asks') && setAsked(true));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!asked) heading.current?.focus();
  }, [asked]);
  const open = outcome === null && !asked && !busy;
  useShortcuts(
    open
      ? choices.map(({ key, label, run }) => ({
          ...{ key, label, scope: 'Dialog: Close the week', writes: true },
          run: ({ repeat }) => !repeat && run(),
        }))
      : [],
  );
  return (
    <section className={classes.step} aria-label={task.title}>
      <h3 ref={heading} tabIndex={-1} data-autofocus>
        {task.title}
      </h3>
      <p className={classes.meta}>
        <StatusGlyph status={outcome === 'completed' ? 'INREVIEW' : task.status} />
        <span>{outcome === null ? taskStatuses[task.status].title : outcomeWords(outcome)}</span>
        <span>{task.category}</span>
        {task.carriedOver > 0 && <span>{capital(carriedOverWords(task.carriedOver))}</span>}
      </p>
      {outcome === null && needsOwner(task) && task.reason && (
        <div className={classes.reason}>
          <Markdown text={task.reason} />
        </div>
      )}
      <NotMoved task={task} />
      {asked && drop ? (
        <DropForm
          task={task}
          step={drop}
          busy={busy}
          onSend={(reason) => dropFor(drop, reason)}
          onClose={() => setAsked(false)}
        />
      ) : (
        <Choices {...props} choices={choices} />
      )}
    </section>
  );
}

type ChoicesProps = Props & Pick<ReturnType<typeof useChoices>, 'choices'>;

function Choices({ choices, ...props }: ChoicesProps) {
  const { outcome, busy, heldBack, onBack, onSkip, onSkipRest } = props;
  return (
    <>
      {outcome === null && <WhatIsPossible {...props} count={choices.length} />}
      <div className={classes.choices}>
        <Writes>
          {outcome === null &&
            choices.map(({ key, label, run, ...rest }) => (
              <Button
                key={key}
                variant="default"
                size="sm"
                {...rest}
                disabled={busy}
                aria-keyshortcuts={key}
                onClick={once(run)}
              >
                {label}
                <Key>{key.toUpperCase()}</Key>
              </Button>
            ))}
        </Writes>
      </div>
      <p className={classes.hint} role="status">
        {heldBack && 'You’re on the next task now. Press again to confirm.'}
      </p>
      <div className={classes.steps}>
        <BackButton onBack={onBack} disabled={busy} />
        <Button variant="subtle" size="sm" aria-keyshortcuts="ArrowRight" disabled={busy} onClick={onSkip}>
          {outcome === null ? 'Skip' : 'Next'}
          <Key>→</Key>
        </Button>
        {onSkipRest && (
          <Button variant="subtle" size="sm" aria-keyshortcuts={skipRestKey} disabled={busy} onClick={onSkipRest}>
            Skip the rest
            <Key>{skipRestKey.toUpperCase()}</Key>
          </Button>
        )}
      </div>
    </>
  );
}

type BackProps = { readonly onBack: (() => void) | null; readonly disabled?: boolean };

export function BackButton({ onBack, disabled = false }: BackProps) {
  const isHeld = useIsHeld();
  if (!onBack) return null;
  return (
    <Button variant="subtle" size="sm" aria-keyshortcuts="ArrowLeft" disabled={disabled || isHeld} onClick={onBack}>
      Back
    </Button>
  );
}

const Key = ({ children }: { children: string }) =>
  !isTouch() && (
    <span className={classes.key} aria-hidden="true">
      <Kbd>{children}</Kbd>
    </span>
  );

/** Before the sprint's end, an approved task stays where it is. */
function WhatIsPossible({ task, week, sprint, count }: Props & { count: number }) {
  const isAddedAgain = useAddedAgain(week);
  if (isAddedAgain(task)) return <p className={classes.hint}>{addedAgainWords}</p>;
  if (sprint.phase !== 'active' || !statusRule(task.status).approved) return null;
  const when = formatInstant(sprint.endDate, config().companyTimeZone);
  return (
    <p className={classes.hint}>
      {count === 0 ? 'Nothing to do yet. ' : ''}You can carry it over once the next sprint starts ({when}).
    </p>
  );
}

type DropProps = {
  readonly task: WeekTask;
  readonly step: keyof typeof letGoVerbs;
  readonly busy: boolean;
  readonly onSend: (reason: string) => Promise<boolean>;
  readonly onClose: () => void;
};

const whyQuestions = {
  leaveUndone: 'Why are you leaving it undone?',
  withdraw: 'Why are you withdrawing it?',
} as const;

/** Asks why in one line, which Enter sends. */
function DropForm({ task, step, busy, onSend, onClose }: DropProps) {
  const draft = useDraft(`${dropKey}${task.id}`, '');
  const form = useForm({
    initial: { reason: draft.value },
    input: ({ reason }) => ({ reason: reason.trim() }),
    rule: ({ reason }) => (reason ? null : { field: 'reason', message: 'Say why' }),
    // A refused call shows as a toast, and the text stays.
    mutation: {
      isPending: busy,
      mutateAsync: (reason: string) => onSend(reason).then((done) => done && draft.discard()),
    },
    variables: ({ reason }) => reason,
    keep: ({ reason }) => draft.change(reason),
  });
  return (
    <Form form={form} submit={letGoVerbs[step]} onCancel={onClose}>
      <TextInput
        label={whyQuestions[step]}
        description="Your approver can read it in the task’s history"
        maxLength={limits.change}
        autoFocus
        {...form.field('reason')}
        {...leavesByEscape(onClose)}
      />
    </Form>
  );
}
