import { ActionIcon, Button } from '@mantine/core';
import { IconDots, IconMessage, IconPaperclip } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { limits } from '#core/base/limits.ts';
import { repeats } from '#core/tasks/repeat.ts';
import { type SprintPhase, sprintAllows } from '#core/tasks/sprint.ts';
import { needsOwner, type TaskStatus } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import { graphql } from '#web/api/graphql.ts';
import { useLive } from '#web/api/live.ts';
import { request } from '#web/api/request.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { Age } from '#web/ui/age.tsx';
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { usePeeks } from '#web/ui/peek.tsx';
import { Pill, StatusPill } from '#web/ui/pill.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { carriedOverWords } from '../shared/exits.ts';
import { useMoveTask, usePendingGuesses, withGuess } from '../shared/mutations.ts';
import { NotMoved } from '../shared/not-moved.tsx';
import type { PanelPart } from '../shared/panel-part.ts';
import {
  allTasksKey,
  type BoardTask,
  boardTasksQuery,
  dropTask,
  knownTask,
  mergeTask,
  type Person,
  readTask,
  rereadTasks,
  type Sprint,
  showsBoardOf,
} from '../shared/queries.ts';
import { rulesOf } from '../shared/rules.ts';
import { focusedTaskId, focusTask, showTask } from '../shared/task-marks.ts';
import type { useTasksAddress } from './address.ts';
import { type BoardProps, TaskBoard } from './board.tsx';
import { ClosedSprintActions } from './card.tsx';
import { inOrder, statusOrder } from './columns.ts';
import { passesFilter, TaskBoardFilters, type TaskFilter } from './filters.tsx';
import { useTasksKeys, walkByArrows } from './keys.ts';
import classes from './list.module.css';
import { type OpenMenu, TaskMenu } from './menu.tsx';
import { BoardSkeleton } from './skeleton.tsx';
import { WeekStrip } from './week-strip.tsx';

/** The same tasks as rows, with everything a card shows and its menu does. */
function TaskList({ name, tasks, viewer, sprints, openTaskId, onOpen, onMenu }: BoardProps) {
  const columns = useMemo(() => columnsWith(viewer, sprints, onMenu), [viewer, sprints, onMenu]);
  return (
    <Panel flush>
      <DataTable
        caption={name}
        items={tasks}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        openKey={openTaskId}
        sortedBy={{ id: 'status', desc: false }}
        empty={<p className={classes.empty}>No matching tasks</p>}
      />
    </Panel>
  );
}

function columnsWith(
  viewer: BoardProps['viewer'],
  sprints: BoardProps['sprints'],
  onMenu: BoardProps['onMenu'],
): DataColumn<BoardTask>[] {
  return [
    { id: 'title', title: 'Task', sortBy: ({ title }) => title, cell: TitleCell },
    {
      id: 'status',
      title: 'Status',
      phone: 'below',
      sortBy: ({ status }) => statusOrder(status),
      cell: ({ status }) => <StatusPill status={status} />,
    },
    {
      id: 'brand',
      title: 'Brand',
      sortBy: ({ category }) => category,
      cell: ({ category }) => <Pill tone="outlined">{category}</Pill>,
    },
    { id: 'notes', title: 'Notes and files', cell: CountsCell },
    {
      id: 'age',
      title: 'Since',
      numeric: true,
      phone: 'change',
      sortBy: ({ statusSince }) => -Date.parse(statusSince),
      cell: ({ statusSince }) => <Age instant={statusSince} zone={config().companyTimeZone} />,
    },
    {
      id: 'menu',
      title: 'Actions',
      phone: 'value',
      cell: (task) => (
        <span className={classes.actions}>
          <ClosedSprintActions task={task} actions={rulesOf(viewer, task, sprints).actions} />
          <MenuButton task={task} onMenu={onMenu} />
        </span>
      ),
    },
  ];
}

function TitleCell(task: BoardTask) {
  const reason = needsOwner(task) ? task.reason : null;
  const { id, userId, title, extra, carriedOver, leftUndone, repeats: rule } = task;
  return (
    <span className={classes.words}>
      <span className={classes.title} data-task={id} data-owner={userId} title={title}>
        {title}
      </span>
      {reason && <span className={classes.reason}>{reason}</span>}
      {extra && <Pill>extra</Pill>}
      {carriedOver > 0 && <Pill>{carriedOverWords(carriedOver)}</Pill>}
      {leftUndone && <Pill>left undone</Pill>}
      {rule && <Pill>repeats {repeats[rule].words}</Pill>}
      <NotMoved task={task} />
    </span>
  );
}

function CountsCell({ notes, attachments }: BoardTask) {
  return (
    <span className={classes.counts}>
      {notes.length > 0 && (
        <span>
          <IconMessage size={14} stroke={1.7} aria-hidden /> {notes.length}
          <span className="visually-hidden"> {notes.length === 1 ? 'note' : 'notes'}</span>
        </span>
      )}
      {attachments.length > 0 && (
        <span>
          <IconPaperclip size={14} stroke={1.7} aria-hidden /> {attachments.length}
          <span className="visually-hidden"> {attachments.length === 1 ? 'file' : 'files'}</span>
        </span>
      )}
    </span>
  );
}

function MenuButton({ task, onMenu }: { task: BoardTask; onMenu: BoardProps['onMenu'] }) {
  return (
    <ActionIcon
      size={24}
      aria-label={`Actions for ${task.title}`}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => onMenu(task, currentTarget)}
    >
      <IconDots size={16} stroke={1.7} />
    </ActionIcon>
  );
}

type Props = {
  readonly viewer: SignedIn;
  /** The board's person; null for one's own. */
  readonly person: Person | null;
  readonly sprints: readonly Sprint[];
  readonly sprint: Sprint;
  readonly tasks: ReturnType<typeof useTasksAddress>;
  readonly filter: TaskFilter;
  readonly onText: (text: string) => void;
  readonly onOpen: (taskId: string, part?: PanelPart) => void;
  /** Null if the person gets no new tasks. */
  readonly onCreate: (() => void) | null;
  readonly onDuplicate: ((taskId: string) => void) | null;
};

// Apart: a server of an older version, during an upgrade, doesn't know this field.
const addedAgainDocument = graphql(`
  query BoardAddedAgain($userId: ID!, $sprintId: ID!, $limit: Int!) {
    tasks(userId: $userId, sprintId: $sprintId, limit: $limit) { id addedAgain }
  }
`);

/** One's own tasks, marked if a later sprint has them again. Until it is known, the server refuses. */
function useMarkedTasks(tasks: readonly BoardTask[], own: boolean, userId: string, { id: sprintId, phase }: Sprint) {
  const variables = { userId, sprintId, limit: limits.page };
  const { data } = useQuery({
    queryKey: [...allTasksKey, 'added-again', userId, sprintId],
    queryFn: async ({ signal }) => ({ found: (await request(addedAgainDocument, variables, { signal })).tasks }),
    enabled: sprintAllows[phase as SprintPhase].carryOver === true && own,
  });
  return useMemo(() => {
    const ids = new Set(data?.found.filter(({ addedAgain }) => addedAgain).map(({ id }) => id));
    return ids.size === 0 ? tasks : tasks.map((task) => (ids.has(task.id) ? { ...task, addedAgain: true } : task));
  }, [data, tasks]);
}

/** One person's week: strip, filters, and the tasks as board or list. */
export function TaskBoardView(props: Props) {
  const { viewer, person, sprints, sprint, tasks, filter, onText, onCreate } = props;
  const userId = person?.id ?? viewer.id;
  const { data, error, refetch } = useQuery(boardTasksQuery(userId, sprint.id));
  const all = useMarkedTasks(useShownTasks(data), person === null, userId, sprint);
  const marked = useTaskChanges();
  if (error && !data)
    return <PanelError sentence={error.message} requestId={error.requestId} onRetry={() => void refetch()} />;
  if (!data) return <BoardSkeleton />;
  return (
    <>
      <WeekStrip tasks={all} userId={userId} sprint={sprint} previous={sprints[sprints.indexOf(sprint) - 1] ?? null} />
      <TaskBoardFilters
        personId={userId}
        onPerson={(id) => tasks.choosePerson(id === viewer.id ? null : id)}
        {...filter}
        onBrands={tasks.chooseBrands}
        onText={onText}
        view={tasks.search.view ?? 'board'}
        onView={tasks.chooseView}
      />
      {all.length === 0 ? (
        <NoTasks sprint={sprint} own={person === null} onCreate={onCreate} />
      ) : (
        <ShownTasks {...props} all={all} marked={marked} />
      )}
    </>
  );
}

type ShownProps = Props & {
  readonly all: readonly BoardTask[];
  readonly marked: ReadonlySet<string>;
};

/** The filtered tasks, with the menu, the keys and the moves. */
function ShownTasks({ all, filter, marked, viewer, person, sprints, sprint, tasks, ...on }: ShownProps) {
  const { onOpen, onDuplicate } = on;
  const { task, view } = tasks.search;
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const shown = useFiltered(all, { ...filter, text: useDeferredValue(filter.text) });
  const { move, follow } = useMoves(shown);
  const openMenu = useCallback((task: BoardTask, button: HTMLElement) => setMenu({ task, button }), []);
  const open = useCallback((taskId: string) => onOpen(taskId), [onOpen]);
  const peeking = usePeeks() && task !== undefined;
  useEffect(() => {
    if (peeking && task !== undefined) showTask(task);
  }, [peeking, task]);
  useTasksKeys({ peeking, onOpen, onMenu: (taskId) => openMenuByKey(all, taskId, setMenu) });
  const View = view === 'list' ? TaskList : TaskBoard;
  return (
    <>
      {/* Arrow keys move between cards; every card is also in the tab order. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as said above. */}
      <div onKeyDown={walkByArrows}>
        <View
          name={`${person ? `${person.displayName}’s tasks` : 'My tasks'}, sprint ${sprint.name}`}
          tasks={shown}
          viewer={viewer}
          sprints={sprints}
          openTaskId={task ?? null}
          peeking={peeking}
          menuTaskId={menu?.task.id ?? null}
          marked={marked}
          hrefOf={tasks.hrefOf}
          onOpen={open}
          onMenu={openMenu}
          onMove={move}
          filtered={shown.length < all.length}
        />
      </div>
      {menu && (
        <TaskMenu
          {...menu}
          viewer={viewer}
          sprints={sprints}
          onMoved={follow}
          onOpen={onOpen}
          onDuplicate={onDuplicate}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  );
}

/** The tasks in order, with pending changes applied. */
function useShownTasks(data: BoardTask[] | undefined): BoardTask[] {
  const guesses = usePendingGuesses();
  const ordered = useMemo(() => inOrder(data ?? []), [data]);
  return guesses.size === 0 ? ordered : ordered.map((task) => withGuess(task, guesses.get(task.id)));
}

function useFiltered(all: readonly BoardTask[], filter: TaskFilter): readonly BoardTask[] {
  const shown = all.filter((task) => passesFilter(filter, task));
  return shown.length === all.length ? all : shown;
}

/** How long the focus follows a moved card: to its new column, and back if the move fails. */
const followedMs = 2_000;

/** Moves a task and keeps its card focused. The result is announced by a message, or at the card. */
function useMoves(shown: readonly BoardTask[]) {
  const send = useMoveTask();
  const followed = useRef({ taskId: '', at: 0 });
  const follow = useCallback((task: BoardTask) => {
    followed.current = { taskId: task.id, at: performance.now() };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card that changes its column is a new element, which has lost the focus.
  useEffect(() => {
    const { taskId, at } = followed.current;
    const isLost = document.activeElement === document.body;
    if (isLost && performance.now() - at < followedMs) focusTask(taskId);
  }, [shown]);
  const move = useCallback(
    (task: BoardTask, to: TaskStatus) => {
      void send(task, to);
      follow(task);
    },
    [send, follow],
  );
  return { move, follow };
}

function openMenuByKey(all: readonly BoardTask[], taskId: string, open: (menu: OpenMenu) => void): void {
  const task = all.find(({ id }) => id === taskId);
  const holder = document.activeElement?.closest('article, tr');
  const button = holder?.querySelector<HTMLElement>('[aria-haspopup="menu"]');
  if (task && button && focusedTaskId() === taskId) open({ task, button });
}

function NoTasks({ sprint, own, onCreate }: Pick<Props, 'sprint' | 'onCreate'> & { own: boolean }) {
  const takesTasks = onCreate !== null && sprintAllows[sprint.phase as SprintPhase].create === true;
  return (
    <EmptyState
      title={`No tasks in sprint ${sprint.name}`}
      action={
        takesTasks ? (
          <Writes>
            <Button onClick={onCreate}>New task</Button>
          </Writes>
        ) : undefined
      }
    >
      {takesTasks
        ? `The most important things ${own ? 'you want' : 'this person wants'} to finish ${sprint.phase === 'future' ? 'in this sprint' : 'this week'} appear here.`
        : 'None were planned, or all were carried over or withdrawn.'}
    </EmptyState>
  );
}

/** How long a task changed by someone else stays marked. */
const markedMs = 2_500;

/**
 * Others' changes, shown live: rereads and merges the task, and marks it for a moment. Returns the ids of
 * recently changed tasks.
 */
function useTaskChanges(): ReadonlySet<string> {
  const client = useQueryClient();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Set<number>());
  useEffect(() => () => timers.current.forEach(clearTimeout), []);

  const mark = (taskId: string) => {
    setMarked((now) => new Set(now).add(taskId));
    const timer = window.setTimeout(() => {
      timers.current.delete(timer);
      setMarked((now) => new Set([...now].filter((id) => id !== taskId)));
    }, markedMs);
    timers.current.add(timer);
  };

  useLive(async (change) => {
    if (change === null) return rereadTasks(client);
    const known = knownTask(client, change.taskId);
    // An echo of this page's own change.
    if (known && known.version >= change.version) return;
    if (!known && !showsBoardOf(client, change.userId, change.sprintId)) return;
    // The next read makes up for a failed one, because the person didn't request it.
    const task = await readTask(change.taskId).catch(() => undefined);
    if (task === undefined) return;
    if (task === null) return dropTask(client, change.taskId);
    mergeTask(client, task);
    mark(task.id);
  });
  return marked;
}
