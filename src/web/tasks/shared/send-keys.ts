import type { KeyboardEvent } from 'react';
import { movableStatuses, type TaskStatus } from '#core/tasks/task-status.ts';

/** For a field that Esc closes: the surrounding dialog listens first, and this mark keeps it open. */
export const leavesByEscape = (leave: () => void) => ({
  'data-mantine-stop-propagation': 'true',
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
  },
});

/** The statuses' number keys, 1 to 3, where a task's moves are offered. */
export const movesByNumber =
  (moves: readonly TaskStatus[], moveTo: (status: TaskStatus) => void) => (event: KeyboardEvent) => {
    const status = movableStatuses[Number(event.key) - 1];
    if (!status || !moves.includes(status) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveTo(status);
  };
