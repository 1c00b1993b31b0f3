import { type RefObject, useEffect, useRef } from 'react';

/** For what is there when something passing goes and takes the focus with it, like the button that opened an editor in its place: it has it then. */
export function useFocusBack<Kind extends HTMLElement = HTMLButtonElement>(isOpen: boolean): RefObject<Kind | null> {
  const next = useRef<Kind>(null);
  const was = useRef(isOpen);
  useEffect(() => {
    if (was.current && !isOpen && document.activeElement === document.body) next.current?.focus();
    was.current = isOpen;
  }, [isOpen]);
  return next;
}
