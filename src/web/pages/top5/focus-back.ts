import { type RefObject, useEffect, useRef } from 'react';

/** For the button that opens an editor in its own place: when the editor closes and takes the focus with it, the button has it again. */
export function useFocusBack(editing: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const was = useRef(editing);
  useEffect(() => {
    if (was.current && !editing && document.activeElement === document.body) button.current?.focus();
    was.current = editing;
  }, [editing]);
  return button;
}
