import type { KeyboardEvent } from 'react';

/** Ctrl or Cmd with Enter sends what is written in a field of several lines; Esc leaves it, with `keepsEscape` and nothing around it. */
export function onSend(send: () => void, leave?: () => void) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && leave) {
      event.preventDefault();
      leave();
    }
  };
}

/** For a field that Esc leaves: the dialog around it listens before the field does, and stays open by this mark. */
export const keepsEscape = { 'data-mantine-stop-propagation': 'true' } as const;
