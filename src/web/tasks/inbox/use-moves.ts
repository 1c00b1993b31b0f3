// The ways from one task of the queue to another: the first one, a search's first result, the next one.
import { type RefObject, useEffect, useRef } from 'react';
import type { ApprovalsTab } from '#core/tasks/tasks-search.ts';
import type { useAddress } from '#web/shell/address.ts';
import type { MorePages } from '#web/ui/more-button.tsx';
import type { BoardTask } from '../shared/queries.ts';
import type { Waiting } from './order.ts';

export type Deciding = {
  readonly tab: ApprovalsTab;
  readonly items: readonly Waiting[];
  /** The tab's tasks, including those that the search leaves out. */
  readonly all: readonly Waiting[];
  /** Whether the server has more of them. */
  readonly hasMore: boolean;
  readonly selected: string | null;
  readonly change: ReturnType<typeof useAddress<'/top-5/approvals'>>[1];
  /** The task whose row takes the focus once it is selected. */
  readonly followFocus: RefObject<string | null>;
  /** Called when a decision is sent, with its tasks. */
  readonly onDecide: (leaving: ReadonlySet<string>, isTabEmptied: boolean) => void;
  readonly picked: ReadonlyMap<string, unknown>;
  /** Called when none of the tasks could be decided, with those that were picked. */
  readonly onFail: (tasks: readonly BoardTask[]) => void;
};

/** Focuses a task's row. Returns false if it isn't rendered. */
export function focusRow(taskId: string | null): boolean {
  const row = taskId && document.querySelector<HTMLElement>(`[data-row="${CSS.escape(taskId)}"]`);
  if (!row) return false;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
  return true;
}

/**
 * Opens the first task in the address, so a task removed by someone else never puts the next one under a key
 * about to be pressed.
 */
function useFirstOpened(
  pinned: boolean,
  { tab, items, selected, change }: Pick<Deciding, 'tab' | 'items' | 'selected' | 'change'>,
): void {
  const first = items[0]?.task.id;
  useEffect(() => {
    if (pinned && !selected && first) change({ tab, task: first }, { replace: true });
  }, [pinned, selected, first, tab, change]);
}

type Found = Pick<Deciding, 'items' | 'selected'> & {
  /** The task that the person chose, until it is `selected`. */
  readonly chosenId: RefObject<string | null>;
  readonly pinned: boolean;
  readonly text: string;
  readonly foundText: string | null;
  readonly onFound: (id: string) => void;
  readonly onMove: (id: string) => void;
};

/**
 * Opens a search’s first result if the open task isn’t one, so the buttons decide what the list shows.
 * Returns how to go to the first result, which waits for the list.
 */
function useFound({ items, selected, chosenId, pinned, text, foundText, onFound, onMove }: Found): () => void {
  const first = items[0]?.task.id;
  const shownText = useRef('');
  /** The text in which a key asked for its first result. */
  const asked = useRef<string | null>(null);
  const toFirst = () => {
    asked.current = null;
    if (first) onMove(first);
  };
  useEffect(() => {
    // Typing on takes the wish back.
    if (asked.current !== text) asked.current = null;
    if (foundText === null) return;
    const isNew = foundText !== shownText.current;
    shownText.current = foundText;
    if (asked.current === text) toFirst();
    else if (pinned && isNew && foundText !== '' && first) {
      const open = chosenId.current ?? selected;
      if (items.every(({ task }) => task.id !== open)) onFound(first);
    }
  });
  return () => {
    if (foundText === null) asked.current = text;
    else toFirst();
  };
}

type Moving = Pick<Deciding, 'items' | 'selected'> & {
  readonly more: MorePages;
  readonly isReading: boolean;
  readonly onMove: (id: string) => void;
};

/** So many tasks before the end of what is loaded, more are. */
const fewestAhead = 20;

/** Selects the next or previous task of the queue, whose next page loads before it is reached. */
function useMove({ items, selected, more, isReading, onMove }: Moving) {
  const at = items.findIndex(({ task }) => task.id === selected);
  /** The opened task's position: when it leaves the queue, the next one has moved there. */
  const place = useRef(0);
  if (at !== -1) place.current = at;
  /** The task at which a press found no next one yet. */
  const waits = useRef<string | null>(null);
  const next = at === -1 ? undefined : items[at + 1];
  useEffect(() => {
    if (more.hasMore && !isReading && !more.failed && items.length - place.current <= fewestAhead) more.onMore();
    if (waits.current === null || (waits.current === selected && !next)) return;
    if (waits.current === selected && next) onMove(next.task.id);
    waits.current = null;
  });
  return (step: 1 | -1) => {
    waits.current = step === 1 && at !== -1 && !next && more.hasMore ? selected : null;
    const wanted = at === -1 && step === 1 ? place.current : place.current + step;
    const to = items[Math.min(items.length - 1, Math.max(0, wanted))];
    if (to) onMove(to.task.id);
  };
}

type Moves = Pick<Deciding, 'tab' | 'items' | 'selected' | 'change'> &
  Pick<Found, 'chosenId' | 'pinned' | 'text' | 'foundText'> &
  Pick<Moving, 'more' | 'isReading'> & {
    readonly select: (id: string, by: 'key') => void;
    /** The next task opens, though the person didn't select it. */
    readonly slidIn: () => void;
  };

export function useMoves(moves: Moves) {
  const { items, selected, chosenId, pinned, text, foundText, more, isReading, change, select, slidIn } = moves;
  useFirstOpened(pinned, moves);
  const toFirst = useFound({
    ...{ items, selected, chosenId, pinned, text, foundText },
    onFound: (id) => {
      slidIn();
      change({ task: id }, { replace: true });
    },
    onMove: (id) => (pinned ? select(id, 'key') : focusRow(id)),
  });
  const move = useMove({ items, selected, more, isReading, onMove: (id) => select(id, 'key') });
  return { move, toFirst };
}
