import { dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebarLeftCollapse } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { movableStatuses, type TaskStatus, taskStatuses } from '#core/tasks/task-status.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { StatusGlyph, statusColors } from '#web/ui/status-glyph.tsx';
import { wholeBoardFrom } from '#web/ui/timing.ts';
import type { BoardTask, Sprint } from '../shared/queries.ts';
import classes from './board.module.css';
import { TaskCard } from './card.tsx';
import { boardColumns, emptyTexts } from './columns.ts';

export type BoardProps = {
  readonly name: string;
  readonly tasks: readonly BoardTask[];
  readonly viewer: SignedIn;
  readonly sprints: readonly Sprint[];
  readonly openTaskId: string | null;
  /** The open task lies beside the board. */
  readonly peeking: boolean;
  readonly menuTaskId: string | null;
  readonly marked: ReadonlySet<string>;
  readonly hrefOf: (taskId: string) => string;
  readonly onOpen: (taskId: string) => void;
  readonly onMenu: (task: BoardTask, button: HTMLElement) => void;
  readonly onMove: (task: BoardTask, to: TaskStatus) => void;
  /** A filter is active, so an empty column shows no text. */
  readonly filtered: boolean;
};

type Dragged = { readonly task: BoardTask; readonly moves: readonly TaskStatus[] };

/** Five columns. Cards move between the owner's three statuses by drag, menu or key. */
export function TaskBoard(props: BoardProps) {
  const region = useRef<HTMLElement>(null);
  const dragged = useDragged(props.onMove);
  const fits = useMediaQuery(wholeBoardFrom, undefined, { getInitialValueInEffect: false });
  const narrow = props.peeking && !fits;
  return (
    <>
      <TaskBoardPicker region={region} tasks={props.tasks} />
      <section
        ref={region}
        className={classes.board}
        data-narrow={narrow || undefined}
        aria-label={props.name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide board scrolls in its own box, which the keyboard must reach.
        tabIndex={0}
      >
        {boardColumns.map((statuses) => (
          <Column key={statuses[0]} {...props} statuses={statuses} narrow={narrow} dragged={dragged} />
        ))}
      </section>
    </>
  );
}

type ColumnProps = BoardProps & {
  readonly statuses: (typeof boardColumns)[number];
  readonly narrow: boolean;
  readonly dragged: Dragged | null;
};

/** On a narrow board, a column that nobody moves tasks into is a rail until it is opened. */
function Column({ statuses, narrow, ...props }: ColumnProps) {
  const [unfolded, setUnfolded] = useState(false);
  const hasOpenTask = props.tasks.some(({ id, status }) => id === props.openTaskId && statuses.includes(status));
  const folds = narrow && !hasOpenTask && !statuses.some((status) => movableStatuses.includes(status));
  const folded = folds && !unfolded;
  useEffect(() => {
    // After one of its tasks was decided, the next ones stay in view.
    setUnfolded((before) => narrow && (before || hasOpenTask));
  }, [narrow, hasOpenTask]);
  return (
    <div className={classes.column} data-column={statuses[0]} data-folds={folds || undefined}>
      {folds && (
        <RailButton statuses={statuses} tasks={props.tasks} folded={folded} onPress={() => setUnfolded(folded)} />
      )}
      <div className={classes.parts} hidden={folded}>
        {statuses.map((status) => (
          <ColumnPart key={status} {...props} status={status} />
        ))}
      </div>
    </div>
  );
}

type RailProps = Pick<ColumnProps, 'statuses' | 'tasks'> & { readonly folded: boolean; readonly onPress: () => void };

/** The whole rail while folded, and then a button in the column's corner. */
function RailButton({ statuses, tasks, folded, onPress }: RailProps) {
  const parts = statuses
    .map((status) => ({ status, count: tasks.filter((task) => task.status === status).length }))
    .filter(({ status, count }) => count > 0 || emptyTexts[status] !== null);
  return (
    <button
      type="button"
      className={folded ? classes.rail : classes.fold}
      aria-expanded={!folded}
      aria-label={
        folded ? undefined : `Collapse ${parts.map(({ status }) => taskStatuses[status].title).join(' and ')}`
      }
      onClick={onPress}
    >
      {folded ? (
        parts.map(({ status, count }) => (
          <span key={status} className={classes.railPart}>
            <StatusGlyph status={status} />
            <span className={classes.count}>{count}</span>
            <span className={classes.railName}>{taskStatuses[status].title}</span>
          </span>
        ))
      ) : (
        <IconLayoutSidebarLeftCollapse size={16} stroke={1.7} aria-hidden />
      )}
    </button>
  );
}

/** The dragged card, with its possible targets. */
function useDragged(onMove: BoardProps['onMove']): Dragged | null {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const latest = useRef(onMove);
  latest.current = onMove;
  useEffect(
    () =>
      monitorForElements({
        onDragStart: ({ source }) => setDragged(source.data as Dragged),
        onDrop: ({ source, location }) => {
          setDragged(null);
          const to = location.current.dropTargets[0]?.data.status as TaskStatus | undefined;
          if (to) latest.current((source.data as Dragged).task, to);
        },
      }),
    [],
  );
  return dragged;
}

type PartProps = BoardProps & { readonly status: TaskStatus; readonly dragged: Dragged | null };

function ColumnPart(props: PartProps) {
  const { status, tasks, dragged, filtered } = props;
  const element = useRef<HTMLDivElement>(null);
  const over = useDropTarget(element, status);
  const own = tasks.filter((task) => task.status === status);
  if (own.length === 0 && emptyTexts[status] === null) return null;
  const legal = dragged?.moves.includes(status) ?? false;
  const { title } = taskStatuses[status];
  return (
    <div
      ref={element}
      className={classes.part}
      data-legal={legal || undefined}
      data-over={(legal && over) || undefined}
      data-faded={(dragged !== null && !legal && dragged.task.status !== status) || undefined}
    >
      <h2 className={classes.head} style={{ borderColor: statusColors[status].line }}>
        <StatusGlyph status={status} />
        {title}
        <span className={classes.count}>{own.length}</span>
      </h2>
      {own.length === 0 ? (
        <p className={classes.empty}>{filtered ? 'No matches' : emptyTexts[status]}</p>
      ) : (
        <ul className={classes.cards} aria-label={title}>
          {own.map((task) => (
            <li key={task.id}>
              <TaskCard
                task={task}
                viewer={props.viewer}
                sprints={props.sprints}
                href={props.hrefOf(task.id)}
                open={props.openTaskId === task.id}
                marked={props.marked.has(task.id)}
                menuOpen={props.menuTaskId === task.id}
                onOpen={props.onOpen}
                onMenu={props.onMenu}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function useDropTarget(element: RefObject<HTMLElement | null>, status: TaskStatus): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    return dropTargetForElements({
      element: element.current,
      getData: () => ({ status }),
      canDrop: ({ source }) => (source.data as Dragged).moves.includes(status),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    });
  }, [element, status]);
  return over;
}

type PickerProps = { readonly region: RefObject<HTMLElement | null>; readonly tasks: readonly BoardTask[] };

const columnsOf = (board: HTMLElement) => [...board.querySelectorAll<HTMLElement>('[data-column]')];

/** On phones one column fills the screen, first one with tasks: shows which one, and links to the others. */
function TaskBoardPicker({ region, tasks }: PickerProps) {
  const active = useColumnInSight(region);
  const picker = useRef<HTMLFieldSetElement>(null);
  const show = (index: number, behavior: ScrollBehavior = 'smooth') => {
    const board = region.current;
    const column = board && columnsOf(board)[index];
    if (board && column) board.scrollTo({ left: column.offsetLeft - board.offsetLeft, behavior });
  };
  const filled = boardColumns.findIndex((statuses) => tasks.some(({ status }) => statuses.includes(status)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, because the person scrolls then.
  useEffect(() => {
    const isPhone = picker.current?.offsetParent != null;
    if (isPhone && filled > 0) show(filled, 'instant');
  }, []);
  return (
    <fieldset ref={picker} className={classes.picker} aria-label="Columns">
      {boardColumns.map((statuses, index) => {
        const count = tasks.filter(({ status }) => statuses.includes(status)).length;
        return (
          <button
            key={statuses[0]}
            type="button"
            aria-pressed={index === active}
            aria-label={`${taskStatuses[statuses[0]].title}, ${count}`}
            onClick={() => show(index)}
          >
            <StatusGlyph status={statuses[0]} />
            {count}
          </button>
        );
      })}
    </fieldset>
  );
}

function useColumnInSight(region: RefObject<HTMLElement | null>): number {
  const [active, setActive] = useState(0);
  useEffect(() => {
    const board = region.current;
    if (!board) return undefined;
    const look = () => {
      const distances = columnsOf(board).map(({ offsetLeft }) =>
        Math.abs(offsetLeft - board.offsetLeft - board.scrollLeft),
      );
      const end = board.scrollLeft + board.clientWidth >= board.scrollWidth - 2;
      setActive(end ? distances.length - 1 : distances.indexOf(Math.min(...distances)));
    };
    board.addEventListener('scroll', look, { passive: true });
    return () => board.removeEventListener('scroll', look);
  }, [region]);
  return active;
}
