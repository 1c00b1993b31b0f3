// People order the tasks of their week: by dragging a row's handle, in its menu, or by Alt+↑ and Alt+↓.
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { IconGripVertical } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type Ref, useEffect, useRef, useState } from 'react';
import { inTaskOrder, withPlace } from '#core/tasks/task-order.ts';
import { useChange } from '#web/api/change.ts';
import { MenuButton } from '#web/ui/menu-button.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { useReadOnly } from '#web/ui/writes.tsx';
import { shortened } from '../shared/mutations.ts';
import { myWeekKey } from '../shared/queries.ts';
import { type MyWeek, orderTasks, type WeekTask } from './my-week-queries.ts';
import classes from './week-task-row.module.css';

/** The place of a row in its group. */
export type RowOrder = {
  readonly ids: readonly string[];
  readonly place: number;
  /** Moves a task of the group to this place in it. */
  readonly move: (id: string, place: number) => void;
};

const keys = [
  { key: 'Alt+ArrowUp', label: 'Move the task up', scope: 'My week', writes: true },
  { key: 'Alt+ArrowDown', label: 'Move the task down', scope: 'My week', writes: true },
] as const;

type Ordering = {
  readonly sprintId: string;
  /** All tasks of the week, as they are shown after the move. */
  readonly taskIds: readonly string[];
  readonly before: readonly string[];
  readonly id: string;
  readonly title: string;
  /** Its place among all tasks before the move. */
  readonly from: number;
  readonly said: string;
};

/** The tasks in their owner's order, and how to change it; `orderOf` is null where nobody can. */
export function useOwnOrder(week: MyWeek, listed: readonly WeekTask[]) {
  const client = useQueryClient();
  const [said, setSaid] = useState('');
  /** What is being saved, until the page has it from the server or it is refused. */
  const [wanted, setWanted] = useState<readonly string[] | null>(null);
  const isReadOnly = useReadOnly() !== null;
  const before = wanted ?? week.taskOrder ?? [];
  const tasks = inTaskOrder(listed, before);
  const { mutate } = useChange({
    send: ({ sprintId, taskIds }: Ordering) => orderTasks({ sprintId, taskIds: [...taskIds] }),
    touches: [myWeekKey],
    // After a change that is under way, such as of a task's status.
    scope: { id: 'tasks' },
    meta: { what: 'Saving the order' },
    done: (_kept, ordering) => ({
      message: ordering.said,
      undo: () => takeBack(ordering, client.getQueryData<MyWeek>(myWeekKey)),
      undone: `“${ordering.title}” is back in its place`,
    }),
  });
  const move = (group: readonly WeekTask[], id: string, place: number) => {
    const [task, target] = [group.find((each) => each.id === id), group[place]];
    if (!task || !target || task === target) return;
    const ids = tasks.map((each) => each.id);
    const title = shortened(task.title);
    const words = `Moved “${title}” to place ${place + 1} of ${group.length}`;
    setSaid(words);
    const from = ids.indexOf(id);
    const taskIds = withPlace(ids, id, ids.indexOf(target.id));
    setWanted(taskIds);
    // Only the latest move calls back.
    mutate(
      { sprintId: week.sprint.id, taskIds, before, id, title, from, said: words },
      { onSettled: () => setWanted(null) },
    );
  };
  const orderOf = (group: readonly WeekTask[], place: number): RowOrder | null =>
    // A server of an older version, during an upgrade, keeps no order.
    isReadOnly || week.taskOrder === undefined || group.length < 2
      ? null
      : { ids: group.map(({ id }) => id), place, move: (id, to) => move(group, id, to) };
  useShortcuts(week.taskOrder === undefined ? [] : keys);
  return { tasks, orderOf, said };
}

/** After another move, only this task goes back. Tasks that left the week have no place anymore. */
function takeBack({ sprintId, taskIds, before, id, from }: Ordering, week: MyWeek | undefined) {
  const now = week?.taskOrder ?? [];
  const wanted = now.join() === taskIds.join() ? before : withPlace(now, id, from);
  const isHere = (one: string) => week?.tasks.some((task) => task.id === one && !task.withdrawn) ?? true;
  return orderTasks({ sprintId, taskIds: wanted.filter(isHere) });
}

export type Drag = 'dragged' | 'above' | 'below' | undefined;

/** Makes a row draggable by its handle, and a target for the other rows of its group. */
export function useRowDrag(id: string, order: RowOrder | null) {
  const row = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const latest = useRef(order);
  latest.current = order;
  const isOrdered = order !== null;
  useEffect(() => {
    if (!isOrdered || !row.current || !handle.current) return undefined;
    const end = () => setDrag(undefined);
    const placeOf = (data: Record<string, unknown>) => latest.current?.ids.indexOf(data.weekTask as string) ?? -1;
    return combine(
      draggable({
        element: row.current,
        dragHandle: handle.current,
        getInitialData: () => ({ weekTask: id }),
        onDragStart: () => setDrag('dragged'),
        onDrop: end,
      }),
      dropTargetForElements({
        element: row.current,
        canDrop: ({ source }) => source.data.weekTask !== id && placeOf(source.data) >= 0,
        onDragEnter: ({ source }) => setDrag(placeOf(source.data) > latest.current!.place ? 'above' : 'below'),
        onDragLeave: end,
        onDrop: ({ source }) => {
          end();
          latest.current?.move(source.data.weekTask as string, latest.current.place);
        },
      }),
    );
  }, [id, isOrdered]);
  return { row, handle, drag };
}

type HandleProps = {
  readonly task: WeekTask;
  readonly order: RowOrder;
  readonly ref: Ref<HTMLButtonElement>;
};

/** Dragged, or pressed for a menu: on a phone there is no other way. */
export function OrderHandle({ task: { id, title }, order: { ids, place, move }, ref }: HandleProps) {
  const step = (label: string, to: number) => (ids[to] === undefined ? [] : [{ label, choose: () => move(id, to) }]);
  return (
    <MenuButton
      ref={ref}
      variant="subtle"
      size="compact-xs"
      className={`${classes.menu} ${classes.handle}`}
      aria-label={`Move “${title}”`}
      groups={[[...step('Move up', place - 1), ...step('Move down', place + 1)]]}
    >
      <IconGripVertical size={16} stroke={1.7} aria-hidden />
    </MenuButton>
  );
}
