import { Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { plural } from '#core/base/formats.ts';
import { isAddedByRepeat, repeatKeys, repeats } from '#core/tasks/repeat.ts';
import { completingMove, nextMove } from '#core/tasks/task.ts';
import { moveVerb, needsOwner, statusRule, type TaskStatus, taskStatuses } from '#core/tasks/task-status.ts';
import { useOwnApprovers } from '#web/api/my-approvers.ts';
import { OwnApproversSentence } from '#web/shell/own-approvers.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { MenuButton } from '#web/ui/menu-button.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { typeAhead } from '#web/ui/typed-ahead.ts';
import { useReadOnly, Writes } from '#web/ui/writes.tsx';
import { useExits } from '../shared/exits.ts';
import { shortened, useMoveTask, usePendingGuesses, useRepeatTask, withGuess } from '../shared/mutations.ts';
import { focusedTaskId, openFocusedMenu } from '../shared/task-marks.ts';
import classes from './my-tasks.module.css';
import { type MyWeek, nextPlanQuery, type WeekTask } from './my-week-queries.ts';
import { useOwnActions } from './own-actions.ts';
import { OrderHandle, type RowOrder, useOwnOrder, useRowDrag } from './own-order.tsx';
import { SlotStrip } from './slot-strip.tsx';
import links from './week-side.module.css';
import row from './week-task-row.module.css';
import { passFocus, ResendLink, WeekTaskList, WeekTaskRow } from './week-task-row.tsx';

/** Denied tasks first, because they need their owner; then in progress, to do, waiting, finished. */
const order: Record<TaskStatus, number> = { DENIED: 0, INPROGRESS: 1, TODO: 2, INAPPROVAL: 3, INREVIEW: 4, DONE: 5 };

const isCompleted = ({ status }: WeekTask): boolean => statusRule(status).completed;

/** The groups of the week, the most urgent first. */
const groups = [
  { title: 'Needs you', urgent: true, isIn: needsOwner },
  { title: 'Open', urgent: false, isIn: (task: WeekTask) => !needsOwner(task) && !isCompleted(task) },
  { title: taskStatuses.INREVIEW.title, urgent: false, isIn: isCompleted },
] as const;

type MyTasksProps = {
  readonly week: MyWeek;
  /** Says when the week was closed. */
  readonly closed: ReactNode;
  /** The first steps name the approver, and offer to write the first task. */
  readonly isGuided: boolean;
  readonly onAdd: () => void;
};

/** The tasks as they are listed where their owner gave no order. */
function useListed(week: MyWeek): readonly WeekTask[] {
  const guesses = usePendingGuesses();
  return (
    week.tasks
      .filter(({ withdrawn }) => !withdrawn)
      .map((task) => withGuess(task, guesses.get(task.id)))
      // The server lists the newest first; a pasted list keeps its order.
      .toReversed()
      .toSorted((a, b) => order[a.status] - order[b.status])
  );
}

export function MyTasks({ week, closed, isGuided, onAdd }: MyTasksProps) {
  const { tasks, orderOf, said } = useOwnOrder(week, useListed(week));
  useResendKey(tasks);
  useShortcuts([
    { key: 'Space', label: 'Complete the task', scope: 'My week', writes: true },
    { key: 'r', label: 'Repeat the task', scope: 'My week', writes: true, run: openFocusedMenu },
  ]);
  const followed = useRef<string | null>(null);
  return (
    <Panel
      title="My tasks"
      note={tasks.length}
      actions={
        <>
          <NextSprintLink week={week} />
          <Link to="/top-5/tasks" className={links.headLink}>
            Open the board
          </Link>
        </>
      }
      flush
    >
      <SlotStrip tasks={tasks} week={week} />
      {closed}
      {!isGuided && <OwnApprovers />}
      <AddedByRepeat tasks={week.tasks.toReversed()} />
      {tasks.length === 0 ? (
        <EmptyState
          title="No tasks in this sprint yet"
          action={
            !isGuided && (
              <Writes>
                <Button onClick={onAdd}>Add your first task</Button>
              </Writes>
            )
          }
        >
          Plan your most important tasks of the week.
        </EmptyState>
      ) : (
        groups.map(({ title, urgent, isIn }) => (
          <Group
            key={title}
            title={title}
            urgent={urgent}
            tasks={tasks.filter(isIn)}
            week={week}
            {...{ followed, orderOf }}
          />
        ))
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </Panel>
  );
}

function NextSprintLink({ week }: { week: MyWeek }) {
  const { planned, denied } = useQuery(nextPlanQuery(week)).data ?? { planned: 0, denied: 0 };
  const counts = [planned > 0 && `${planned} planned`, denied > 0 && `${denied} denied`].filter(Boolean).join(', ');
  return (
    <Link to="/top-5/tasks" search={{ sprint: 'next' }} className={links.headLink}>
      Next sprint
      {counts && <span className={links.headCounts}>: {counts}</span>}
    </Link>
  );
}

/** What the sprint began with, until someone changes it. `tasks` are as the server knows them. */
function AddedByRepeat({ tasks }: { tasks: readonly WeekTask[] }) {
  const exits = useExits();
  const added = tasks.filter((task) => !task.withdrawn && isAddedByRepeat(task));
  if (added.length === 0) return null;
  return (
    <p className={classes.line}>
      {added.length === 1
        ? `“${shortened(added[0]!.title)}” was added, because it repeats`
        : plural(added.length, 'repeating task was added', 'repeating tasks were added')}{' '}
      ·{' '}
      <Writes>
        <Button
          variant="subtle"
          size="compact-sm"
          px={2}
          loading={exits.isPending}
          onClick={() => exits.mutate(added.map((task) => ({ task, step: 'withdraw' })))}
        >
          Undo
        </Button>
      </Writes>
    </p>
  );
}

/** Who approves the tasks, or that no approver can. */
function OwnApprovers() {
  const own = useOwnApprovers();
  if (own === null) return null;
  return (
    <p className={classes.line} data-missing={own.isMissing || undefined} role={own.isMissing ? 'alert' : undefined}>
      <OwnApproversSentence own={own} />
    </p>
  );
}

/** E opens the form that resends the focused denied task, or the first one. */
function useResendKey(tasks: readonly WeekTask[]): void {
  const navigate = useNavigate();
  const denied = tasks.filter(({ status }) => statusRule(status).update !== undefined);
  const run = () => {
    const { id } = denied.find((task) => task.id === focusedTaskId()) ?? denied[0]!;
    // The form is on another page: the next keys are for it.
    typeAhead();
    void navigate({ to: '/top-5/tasks', search: { task: id, resend: '1' } });
  };
  useShortcuts(denied.length > 0 ? [{ key: 'e', label: 'Edit and resend', scope: 'My week', writes: true, run }] : []);
}

/** `followed`: the id of a task that moved, whose row keeps the focus in its new group. */
type Followed = { readonly followed: RefObject<string | null> };

type GroupProps = Followed & {
  readonly title: string;
  readonly urgent: boolean;
  readonly tasks: readonly WeekTask[];
  readonly week: MyWeek;
  readonly orderOf: ReturnType<typeof useOwnOrder>['orderOf'];
};

function Group({ title, urgent, tasks, week, followed, orderOf }: GroupProps) {
  const id = useId();
  if (tasks.length === 0) return null;
  return (
    <section className={classes.group} data-urgent={urgent || undefined} aria-labelledby={id}>
      <h3 id={id}>
        {title} <span>{tasks.length}</span>
      </h3>
      <WeekTaskList>
        {tasks.map((task, place) => (
          <OwnTask key={task.id} task={task} week={week} followed={followed} order={orderOf(tasks, place)} />
        ))}
      </WeekTaskList>
    </section>
  );
}

/** The row's link, which keeps the focus when the task moves to another group. */
function useFollowedLink(task: WeekTask, followed: Followed['followed']) {
  const link = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new status is what moves the row.
  useEffect(() => {
    if (followed.current !== task.id) return;
    followed.current = null;
    link.current?.focus();
  }, [task.status]);
  // An undo moves the focused row too.
  useLayoutEffect(
    () => () => {
      if (link.current === document.activeElement) followed.current = task.id;
    },
    [followed, task.id],
  );
  return link;
}

/** The row to focus after completing one: the next that Space completes, else one before, else a neighbor. */
function rowAfter(row: Element | null | undefined): Element | null {
  const rows = [...(row?.parentElement?.children ?? [])];
  const at = rows.indexOf(row!);
  const others = [...rows.slice(at + 1), ...rows.slice(0, at).toReversed()];
  return others.find((one) => one.matches('[data-space]')) ?? others[0] ?? null;
}

type RowProps = Followed & { readonly task: WeekTask; readonly week: MyWeek; readonly order: RowOrder | null };

/** A row with its actions. A denied task opens its form. */
function OwnTask({ task, week, followed, order }: RowProps) {
  const actions = useOwnActions(task, week);
  const send = useMoveTask();
  const link = useFollowedLink(task, followed);
  const move = (to: TaskStatus) => {
    const next = statusRule(to).completed ? rowAfter(link.current?.closest('li')) : null;
    if (next) passFocus(next.querySelector('a'));
    else followed.current = task.id;
    void send(task, to);
  };
  const completed = completingMove(actions);
  const next = nextMove(task, actions);
  const moves = [...new Set([next, completed])].filter((to) => to !== null);
  const readOnly = useReadOnly() !== null;
  const { row: rowRef, handle, drag } = useRowDrag(task.id, order);
  return (
    <WeekTaskRow
      task={task}
      to="/top-5/tasks"
      search={{ task: task.id }}
      linkRef={link}
      onSpace={readOnly || !completed ? undefined : () => move(completed)}
      onStep={order ? (step) => order.move(task.id, order.place + step) : undefined}
      rowRef={rowRef}
      drag={drag}
      menu={
        <>
          {actions.repeat && <RepeatMenu task={task} />}
          {order && <OrderHandle task={task} order={order} ref={handle} />}
        </>
      }
      actions={
        actions.resubmit ? (
          <ResendLink task={task} />
        ) : (
          moves.length > 0 && (
            <Writes>
              {moves.map((to) => (
                <Button key={to} variant="subtle" size="compact-sm" onClick={() => move(to)}>
                  {moveVerb(task.status, to)}
                </Button>
              ))}
            </Writes>
          )
        )
      }
    />
  );
}

function RepeatMenu({ task }: { task: WeekTask }) {
  const repeat = useRepeatTask();
  const choices = repeatKeys.map((key) => ({
    label: `Repeat ${repeats[key].words}`,
    chosen: key === task.repeats,
    choose: () => repeat(task, key),
  }));
  return (
    <Writes>
      <MenuButton
        variant="subtle"
        size="compact-xs"
        className={row.menu}
        aria-label={`Repeat “${task.title}”`}
        aria-keyshortcuts="r"
        groups={task.repeats ? [choices, [{ label: 'Stop repeating', choose: () => repeat(task, null) }]] : [choices]}
      >
        <IconRepeat size={16} stroke={1.7} aria-hidden />
      </MenuButton>
    </Writes>
  );
}
