import type { KeyboardEvent } from 'react';

/** For a field that Esc leaves: the dialog around it listens before the field does, and stays open by the mark. */
export const leavesByEscape = (leave: () => void) => ({
  'data-mantine-stop-propagation': 'true',
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
  },
});
