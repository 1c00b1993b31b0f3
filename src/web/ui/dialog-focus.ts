// What dialogs and side panels share about focus and outside clicks.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { settlingMs } from './timing.ts';

/** False for a moment after opening: the second click of the double-click that opened it lands outside. */
export function useOutsideCloses(opened: boolean): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    if (!opened) return setSettled(false);
    const timer = setTimeout(() => setSettled(true), settlingMs);
    return () => clearTimeout(timer);
  }, [opened]);
  return settled;
}

/**
 * Keeps the focus inside while open: a browser takes it from a button that is turned off while it works. Gives it back
 * to where it was on closing, also when the dialog is removed at once.
 */
export function useDialogFocus(opened: boolean, isUppermost: () => boolean): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => (opened ? returnFocusAfter() : undefined), [opened]);
  useEffect(() => {
    if (!opened) return undefined;
    let last: HTMLElement | null = null;
    let frame = 0;
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target !== content.current && content.current?.contains(target))
        last = target;
    };
    const keep = () => {
      const root = content.current;
      const active = document.activeElement;
      // A button inside that was turned off. What lies over this dialog keeps its own.
      const isOff = active?.matches(':disabled') === true && root?.contains(active) === true;
      const isLost = isUppermost() && (active === document.body || isOff);
      if (!root?.isConnected || !last || !isLost) return;
      if (last.isConnected && !last.matches(':disabled')) last.focus({ preventScroll: true });
      else root.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(keep);
    });
    document.addEventListener('focusin', remember);
    watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', remember);
      watch.disconnect();
      // Run after closing, it would take the focus into what is about to go, and nothing would give it back.
      cancelAnimationFrame(frame);
    };
  }, [opened, isUppermost]);
  return content;
}

/** Remembers what has the focus, and gives it back afterwards where nothing else took it. */
function returnFocusAfter(): () => void {
  const before = document.activeElement;
  return () => {
    setTimeout(() => {
      if (before instanceof HTMLElement && before.isConnected && document.activeElement === document.body)
        before.focus();
    });
  };
}
