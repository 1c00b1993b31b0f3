import type { KeyboardEvent } from 'react';

/** Ctrl or Cmd with Enter sends what is written in a field of several lines; Esc leaves it and nothing around it. */
export function onSend(send: () => void, leave?: () => void) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && leave) {
      event.preventDefault();
      // The panel or dialog around it closes by the same key.
      event.stopPropagation();
      event.nativeEvent.stopImmediatePropagation();
      leave();
    }
  };
}
