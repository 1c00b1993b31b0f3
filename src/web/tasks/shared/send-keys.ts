import type { KeyboardEvent } from 'react';

/** For a field that Esc closes: the surrounding dialog listens first, and this mark keeps it open. */
export const leavesByEscape = (leave: () => void) => ({
  'data-mantine-stop-propagation': 'true',
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
  },
});
