import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatInstant } from '#core/base/day-words.ts';
import { isTimeToClose, sprintToClose } from '#core/tasks/sprint.ts';
import { inTaskOrder } from '#core/tasks/task-order.ts';
import { statusRule } from '#core/tasks/task-status.ts';
import { holidaysQuery } from '#web/access/shared/holidays-query.ts';
import { config } from '#web/api/config.ts';
import { hasDraft, useInterruptedDrafts } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useAsked } from '#web/shell/asked.ts';
import { useNow } from '#web/ui/age.tsx';
import { Dialog, useIsHeld } from '#web/ui/dialog.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { undoLatest } from '#web/ui/toasts.tsx';
import { useReadOnly, Writes } from '#web/ui/writes.tsx';
import { LateRecaps } from '../shared/kept-texts.tsx';
import { usePendingGuesses, withGuess } from '../shared/mutations.ts';
import { useUnread } from '../shared/unread.ts';
import classes from './close-week.module.css';
import { LearnedStep, learnedKey, nextWeekKey, PlanStep, RecapStep } from './close-week-end.tsx';
import { type ClosedItem, dropKey, type Outcome, skipRestKey, TaskStep } from './close-week-task.tsx';
import tasks from './my-tasks.module.css';
import type { MyWeek, WeekSprint, WeekTask } from './my-week-queries.ts';

const scope = 'Dialog: Close the week';

const dialogKeys = [
  { key: 'd', label: 'Complete', scope, writes: true },
  { key: 'c', label: 'Carry over', scope, writes: true },
  { key: 'm', label: 'Move to the next sprint', scope, writes: true },
  { key: 'x', label: 'Leave undone or withdraw', scope, writes: true },
  { key: skipRestKey, label: 'Skip the rest', scope },
] as const;

/** The button that closes the week, when it is time, and its dialog, which a link or W opens at any time. */
export function useClosingWeek(week: MyWeek | undefined, keepsTasks: boolean) {
  const isInterrupted = useInterruptedDrafts().some((key) =>
    [learnedKey, nextWeekKey, dropKey].some((start) => key.startsWith(start)),
  );
  const [opened, setOpened] = useState<Start | null>(isInterrupted ? 'tasks' : null);
  /** The step in which the dialog was closed. */
  const [left, setLeft] = useState<Start>('tasks');
  const isReadOnly = useReadOnly() !== null;
  const { id } = useViewer();
  const sprint = week && sprintToClose(week.sprint, week.previousSprint);
  const [begun, setBegun] = useState(sprint);
  // A dialog stays with the sprint that it began with: nothing in it is meant for the next one. Once the sprint
  // is settled, the server says what can't be saved, and the text is still there.
  if (sprint && sprint.id !== begun?.id && (opened === null || !begun)) {
    setBegun(sprint);
    setLeft('tasks');
  }
  const open = (at: Start) => keepsTasks && !isReadOnly && setOpened(at);
  const openNext = () => {
    if (sprint && hasDraft(id, `${learnedKey}${sprint.id}`)) return open('learned');
    if (!week?.recap) return open(left);
    if (sprint && needsReview(week, sprint)) return open('tasks');
    open(hasDraft(id, nextWeekKey) ? 'plan' : 'recap');
  };
  useAsked('/dashboard', 'close', () => open('tasks'));
  // The dialog's own keys, before it is open.
  useShortcuts(keepsTasks && opened === null ? dialogKeys : []);
  useShortcuts(
    keepsTasks ? [{ key: 'w', label: 'Close the week', scope: 'My week', writes: true, run: openNext }] : [],
  );
  return {
    button: keepsTasks && sprint && <CloseButton sprint={sprint} week={week} onOpen={openNext} />,
    closed: keepsTasks && sprint && (
      <>
        {week.recap && <Closed sprint={sprint} at={week.recap.closedAt} onEdit={() => open('learned')} />}
        {!isReadOnly && opened === null && (
          <LateRecaps isLate={(key) => key.startsWith(learnedKey) && key !== `${learnedKey}${sprint.id}`} />
        )}
      </>
    ),
    dialog: week && sprint && begun && opened && (
      <CloseWeek
        {...{ week, sprint: sprint.id === begun.id ? sprint : begun }}
        start={opened}
        onClose={(at) => {
          setLeft(at === 'tasks' ? at : 'learned');
          setOpened(null);
        }}
      />
    ),
  };
}

type ClosedProps = { readonly sprint: WeekSprint; readonly at: string; readonly onEdit: () => void };

const Closed = ({ sprint, at, onEdit }: ClosedProps) => (
  <p className={tasks.line}>
    You closed sprint {sprint.name} on {formatInstant(at, config().companyTimeZone)}.{' '}
    <Writes>
      <Button variant="subtle" size="compact-sm" px={2} onClick={onEdit}>
        Edit recap
      </Button>
    </Writes>
  </p>
);

type ButtonProps = { readonly sprint: WeekSprint; readonly week: MyWeek; readonly onOpen: () => void };

function CloseButton({ sprint, week, onOpen }: ButtonProps) {
  const now = Temporal.Instant.fromEpochMilliseconds(useNow());
  const { data: holidays = [] } = useQuery(holidaysQuery);
  const isTime = isTimeToClose(sprint, now, { zone: config().companyTimeZone, holidays });
  const isClosed = week.recap !== null;
  const hadTasks = sprint.completionPercentage !== null || tasksToClose(week, sprint).length > 0;
  if (!isTime || !(hadTasks || isClosed)) return null;
  return (
    <Writes>
      <Button variant="default" aria-keyshortcuts="w" onClick={onOpen}>
        {isClosed && !needsReview(week, sprint) ? `Recap of ${sprint.name}` : `Close ${sprint.name}`}
      </Button>
    </Writes>
  );
}

/** The sprint's unfinished tasks in their owner's order, the others as they were created. */
function tasksToClose({ openAtClose, tasks, taskOrder = [] }: MyWeek, sprint: WeekSprint): readonly WeekTask[] {
  const open = [...openAtClose, ...tasks]
    .filter(({ sprintId, status, withdrawn }) => sprintId === sprint.id && !withdrawn && statusRule(status).open)
    .toSorted((a, b) => Number(a.id) - Number(b.id));
  return inTaskOrder(open, taskOrder);
}

/** A week that was closed before its end: only now can its tasks be carried over. */
const needsReview = (week: MyWeek, sprint: WeekSprint): boolean =>
  sprint.phase !== 'active' && tasksToClose(week, sprint).length > 0;

/** What became of the tasks in this flow, by their id. */
function useOutcomes(week: MyWeek, sprint: WeekSprint) {
  // What the flow goes through stays the same while its tasks leave the lists.
  const [listed] = useState(() => tasksToClose(week, sprint));
  const [decided, setDecided] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const guesses = usePendingGuesses();
  const known = new Map(tasksToClose(week, sprint).map((task) => [task.id, task]));
  const items = listed.map((task) => {
    const now = withGuess(known.get(task.id) ?? task, guesses.get(task.id));
    const isOpen = known.has(task.id);
    const outcome = isOpen && statusRule(now.status).open ? null : outcomeOf(now, week, sprint, decided);
    return { task: now, outcome, isOpen };
  });
  const record = (id: string, outcome: Outcome | null) =>
    setDecided(
      (before) => new Map([...before].filter(([known]) => known !== id).concat(outcome ? [[id, outcome]] : [])),
    );
  return { items, record };
}

/** What happened to a task that is no longer open. Without a decision here, only the week's tasks can tell. */
function outcomeOf(task: WeekTask, week: MyWeek, sprint: WeekSprint, decided: ReadonlyMap<string, Outcome>): Outcome {
  const known = [...week.tasks, ...week.openAtClose].find(({ id }) => id === task.id);
  if (known && known.sprintId !== sprint.id) return 'carriedOver';
  if (statusRule((known ?? task).status).completed || statusRule(task.status).completed) return 'completed';
  return decided.get(task.id) ?? 'gone';
}

/** Where the flow is. What is being sent keeps it there until the answer. */
function useSteps(items: readonly (ClosedItem & { readonly isOpen: boolean })[], start: Start) {
  const count = items.length + 3;
  const [at, setAt] = useState({ tasks: 0, learned: items.length, plan: items.length + 1, recap: count - 1 }[start]);
  const [busy, setBusy] = useState(false);
  const unread = useUnread(items[at]?.task.id ?? null);
  // What is undone is decided again.
  const before = useRef(items);
  useEffect(() => {
    const reopened = items.findIndex(({ isOpen }, index) => isOpen && before.current[index]?.isOpen === false);
    before.current = items;
    if (reopened !== -1 && reopened < at) setAt(reopened);
  });
  const go = (step: number) => {
    if (busy) return;
    unread.end();
    setAt(Math.min(count - 1, Math.max(0, at + step)));
  };
  return {
    ...{ count, at, busy, go, setAt, unread },
    back: at > 0 ? () => go(-1) : null,
    /** Goes on once the call succeeded. */
    send: async (call: Promise<boolean>) => {
      setBusy(true);
      const done = await call;
      setBusy(false);
      if (done) {
        unread.begin();
        setAt(at + 1);
      }
      return done;
    },
  };
}

/** The first step: with an unsent text, or where the dialog was closed. A reviewed week starts at its recap. */
type Start = 'tasks' | 'learned' | 'plan' | 'recap';

type Props = {
  readonly week: MyWeek;
  readonly sprint: WeekSprint;
  readonly start: Start;
  readonly onClose: (at: Start) => void;
};

/** One step a task, then what was learned, the next week's tasks and the recap. Leaving keeps everything. */
function CloseWeek({ week, sprint, start, onClose }: Props) {
  const { items, record } = useOutcomes(week, sprint);
  const { count, at, busy, go, setAt, unread, back, send } = useSteps(items, start);
  const item = items[at];
  const [isRecap] = useState(start !== 'tasks' && week.recap !== null);
  const isUndecided = (from: number) => items.slice(from).some(({ outcome }) => outcome === null);
  const skipRest = item && isUndecided(at + 1) ? () => go(items.length - at) : null;
  const close = () => onClose(endSteps[at - items.length] ?? 'tasks');
  const onDecide = async (id: string, outcome: Outcome, call: Promise<boolean>) => {
    record(id, outcome);
    const done = await send(call);
    if (!done) record(id, null);
    return done;
  };
  const end = { sprint, onBack: back, onDone: () => go(1), onClose: close };
  return (
    <Dialog opened title={`${isRecap ? 'Recap of' : 'Close'} ${sprint.name}`} onClose={close} width={560}>
      <StepKeys go={go} skipRest={skipRest} isTask={item !== undefined} />
      <div className={classes.progress}>
        <span role="status">
          Step {at + 1} of {count}
          {!item && `: ${endTitles[at - items.length]}`}
        </span>
        <span className={classes.bar} aria-hidden="true">
          {Array.from({ length: count }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps have no other name, and never move.
            <span key={index} data-done={index < at || undefined} data-now={index === at || undefined} />
          ))}
        </span>
      </div>
      {item && (
        <TaskStep
          key={item.task.id}
          {...{ ...item, week, sprint, busy, onBack: back, onSkip: () => go(1), onSkipRest: skipRest }}
          onDecide={(outcome, call) => onDecide(item.task.id, outcome, call)}
          heldBack={unread.heldBack === item.task.id}
          holdsBack={unread.holdsBack}
        />
      )}
      {at === items.length && (
        <LearnedStep
          {...end}
          open={items.filter(({ outcome }) => outcome === null).length}
          onOpenTasks={() => setAt(items.findIndex(({ outcome }) => outcome === null))}
        />
      )}
      {at === items.length + 1 && <PlanStep {...end} />}
      {at === items.length + 2 && <RecapStep {...end} />}
    </Dialog>
  );
}

type KeysProps = {
  readonly go: (step: number) => void;
  readonly skipRest: (() => void) | null;
  readonly isTask: boolean;
};

/** Inside the dialog, to see whether a step holds it: what is being sent keeps the flow there. */
function StepKeys({ go, skipRest, isTask }: KeysProps) {
  const isHeld = useIsHeld();
  useShortcuts([
    { key: 'ArrowRight', label: 'Next step', scope, run: () => isHeld || go(1) },
    { key: 'ArrowLeft', label: 'Previous step', scope, run: () => isHeld || go(-1) },
    ...(skipRest ? [{ key: skipRestKey, label: 'Skip the rest', scope, run: skipRest }] : []),
    // The steps after the tasks have a field, which may still be loading.
    ...(isTask ? [{ key: 'u', label: 'Undo the last change', scope, undoes: true, run: undoLatest }] : []),
  ]);
  return null;
}

const endSteps = ['learned', 'plan', 'recap'] as const satisfies Start[];
const endTitles = ['What you learned', 'Next week', 'Recap'] as const;
