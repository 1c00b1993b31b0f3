// The keys of the tasks page: moving between cards, and the focused card's menu actions.
import type { KeyboardEvent } from 'react';
import { type Shortcut, useShortcuts } from '#web/ui/shortcuts.ts';
import type { PanelPart } from '../shared/panel-part.ts';
import { focusedIndex, focusedTaskId, focusOn, marks, stepTo } from '../shared/task-marks.ts';
import { filterFieldId } from './filters.tsx';

/**
 * Arrow keys on a board: up and down in the column, left and right to the neighboring column at the same
 * height.
 */
export function walkByArrows(event: KeyboardEvent<HTMLElement>): void {
  const column = document.activeElement?.closest('[data-column]');
  const all = marks();
  const at = focusedIndex(all);
  if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const next = all[at + (event.key === 'ArrowDown' ? 1 : -1)];
    if (next?.closest('[data-column]') === column) focusOn(next);
  } else if (column && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
    focusOn(beside(column, all.filter((mark) => column.contains(mark)).indexOf(all[at]!), event.key === 'ArrowRight'));
  } else return;
  event.preventDefault();
}

/** The card at this height in the nearest nonempty column on one side. */
function beside(column: Element, height: number, right: boolean): HTMLElement | undefined {
  let next = right ? column.nextElementSibling : column.previousElementSibling;
  while (next) {
    const column = next;
    const cards = marks().filter((mark) => column.contains(mark));
    if (cards.length > 0) return cards[Math.min(height, cards.length - 1)];
    next = right ? next.nextElementSibling : next.previousElementSibling;
  }
  return undefined;
}

type Handlers = {
  /** A task is open beside the page, and has the keys of tasks. */
  readonly peeking: boolean;
  readonly onMenu: (taskId: string) => void;
  readonly onOpen: (taskId: string, part: PanelPart) => void;
};

export const tasksScope = 'Tasks';
const scope = tasksScope;

export function useTasksKeys({ peeking, onMenu, onOpen }: Handlers): void {
  const withFocused = (run: (taskId: string) => void) => () => {
    const taskId = focusedTaskId();
    if (taskId) run(taskId);
  };
  const ofTask: Shortcut[] = [
    { key: 'j', label: 'Next task', scope, run: () => stepTo(1) },
    { key: 'k', label: 'Previous task', scope, run: () => stepTo(-1) },
    { key: 'm', label: 'Open the Move menu. Press 1 for its first move', scope, run: withFocused(onMenu) },
    { key: 'e', label: 'Edit title', scope, writes: true, run: withFocused((id) => onOpen(id, 'title')) },
    { key: 'n', label: 'Add a note', scope, writes: true, run: withFocused((id) => onOpen(id, 'note')) },
    { key: 'r', label: 'Repeat the task', scope, writes: true, run: withFocused((id) => onOpen(id, 'repeat')) },
  ];
  const filter = () => document.getElementById(filterFieldId)?.focus();
  useShortcuts([...(peeking ? [] : ofTask), { key: '/', label: 'Filter tasks', scope, run: filter }]);
}
