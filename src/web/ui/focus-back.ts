import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses an element when a temporary one next to it disappears with the focus, such as the button that
 * opened an inline editor. Two places may show the same thing: with `home`, only the place that last had the
 * focus takes it.
 */
export function useFocusBack<Kind extends HTMLElement = HTMLButtonElement>(
  isOpen: boolean,
  home?: RefObject<HTMLElement | null>,
): RefObject<Kind | null> {
  const next = useRef<Kind>(null);
  const was = useRef(isOpen);
  const isHome = useRef(home === undefined);
  useEffect(() => {
    if (!home) return;
    // Tracked early: a button that is disabled or removed loses the focus without an event.
    const note = ({ target }: FocusEvent) => {
      isHome.current = home.current?.contains(target as Node) === true;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [home]);
  useEffect(() => {
    // A dialog around it takes the focus from a button that is disabled while its answer is awaited.
    const isLost = document.activeElement?.contains(next.current) === true;
    if (was.current && !isOpen && isHome.current && isLost) next.current?.focus();
    was.current = isOpen;
  }, [isOpen]);
  return next;
}
