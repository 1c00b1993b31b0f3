// The keys of the tasks page: going from card to card, and doing with the card under the focus what its menu does.
import type { KeyboardEvent } from 'react';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import type { PanelPart } from '../shared/panel-part.ts';
import { filterFieldId } from './filters.tsx';

/** Every card and row carries its task's id; what takes the focus is it, or the control around it. */
const marks = () => [...document.querySelectorAll<HTMLElement>('[data-task]')];
const focusOn = (mark: HTMLElement | undefined) => {
  const control = mark?.closest<HTMLElement>('a, button');
  control?.focus();
  control?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
};

function focusedIndex(all: readonly HTMLElement[]): number {
  const { activeElement } = document;
  const around = activeElement?.closest('article, tr');
  return all.findIndex((mark) => activeElement?.contains(mark) || (around?.contains(mark) ?? false));
}

export function focusedTaskId(): string | null {
  const all = marks();
  return all[focusedIndex(all)]?.dataset.task ?? null;
}

export function focusTask(taskId: string): void {
  focusOn(marks().find((mark) => mark.dataset.task === taskId));
}

/** The next or previous task in the order of the screen; from nowhere, the first. */
export function neighbourOf(taskId: string | null, step: 1 | -1): string | null {
  const ids = marks().map((mark) => mark.dataset.task ?? '');
  const at = taskId === null ? -1 : ids.indexOf(taskId);
  return (at < 0 ? ids[0] : ids[at + step]) ?? null;
}

const stepTo = (step: 1 | -1) => {
  const all = marks();
  const at = focusedIndex(all);
  focusOn(at < 0 ? all[0] : all[at + step]);
};

/** Arrows on a board: up and down in the column, left and right to the column beside at the same height. */
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

/** The card at this height of the nearest column on one side that has any. */
function beside(column: Element, height: number, right: boolean): HTMLElement | undefined {
  let next = right ? column.nextElementSibling : column.previousElementSibling;
  while (next) {
    const cards = [...next.querySelectorAll<HTMLElement>('[data-task]')];
    if (cards.length > 0) return cards[Math.min(height, cards.length - 1)];
    next = right ? next.nextElementSibling : next.previousElementSibling;
  }
  return undefined;
}

type Handlers = {
  readonly onMenu: (taskId: string) => void;
  readonly onOpen: (taskId: string, part: PanelPart) => void;
};

export const tasksScope = 'Tasks';
const scope = tasksScope;

export function useTasksKeys({ onMenu, onOpen }: Handlers): void {
  const withFocused = (run: (taskId: string) => void) => () => {
    const taskId = focusedTaskId();
    if (taskId) run(taskId);
  };
  useShortcuts([
    { key: 'j', label: 'Next task', scope, run: () => stepTo(1) },
    { key: 'k', label: 'Previous task', scope, run: () => stepTo(-1) },
    { key: 'm', label: 'Move menu, then 1 to 3', scope, run: withFocused(onMenu) },
    { key: 'e', label: 'Edit title', scope, writes: true, run: withFocused((id) => onOpen(id, 'title')) },
    { key: 'n', label: 'Add a note', scope, writes: true, run: withFocused((id) => onOpen(id, 'note')) },
    { key: '/', label: 'Filter tasks', scope, run: () => document.getElementById(filterFieldId)?.focus() },
  ]);
}
