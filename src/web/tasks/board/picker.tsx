import { type RefObject, useEffect, useState } from 'react';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import type { BoardTask } from '../shared/queries.ts';
import classes from './board.module.css';
import { boardColumns } from './columns.ts';

type Props = { readonly region: RefObject<HTMLElement | null>; readonly tasks: readonly BoardTask[] };

const columnsOf = (board: HTMLElement) => [...board.querySelectorAll<HTMLElement>('[data-column]')];

/** On a phone one column fills the screen: this shows which one, and leads to the others. */
export function TaskBoardPicker({ region, tasks }: Props) {
  const active = useColumnInSight(region);
  const show = (index: number) => {
    const board = region.current;
    const column = board && columnsOf(board)[index];
    if (board && column) board.scrollTo({ left: column.offsetLeft - board.offsetLeft, behavior: 'smooth' });
  };
  return (
    <fieldset className={classes.picker} aria-label="Columns">
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
