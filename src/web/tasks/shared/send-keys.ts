import type { KeyboardEvent } from 'react';
import type { TaskStatus } from '#core/tasks/task-status.ts';

/** For a field that Esc closes: the surrounding dialog listens first, and this mark keeps it open. */
export const leavesByEscape = (leave: () => void) => ({
  'data-mantine-stop-propagation': 'true',
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
  },
});

/** In a group of buttons, 1 presses the first one. A held key presses once: then another button is there. */
export function pressByNumber(event: KeyboardEvent): void {
  const button = event.currentTarget.querySelectorAll('button')[Number(event.key) - 1];
  if (!button || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (!event.repeat) button.click();
}

/** The number keys of a menu's moves, 1 for the first one. */
export const movesByNumber =
  (moves: readonly TaskStatus[], moveTo: (status: TaskStatus) => void) => (event: KeyboardEvent) => {
    const status = moves[Number(event.key) - 1];
    if (!status || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveTo(status);
  };
