// Focus and outside clicks in dialogs and side panels.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { settlingMs } from './timing.ts';

/** False for a moment after opening: the second click of the opening double-click lands outside. */
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
 * Keeps the focus inside while open, because browsers take it from a disabled button. Returns it on closing,
 * even if the dialog is removed at once.
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
      // A disabled button inside. Anything above this dialog keeps its own focus.
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
    // The kit moves the focus itself, and only a browser's own Tab selects the text of a field.
    const selectAfterTab = ({ key, defaultPrevented }: KeyboardEvent) => {
      const active = document.activeElement;
      if (key !== 'Tab' || !defaultPrevented || !content.current?.contains(active)) return;
      if (active instanceof HTMLInputElement) active.select();
    };
    document.addEventListener('focusin', remember);
    // After the kit's listener on the document.
    window.addEventListener('keydown', selectAfterTab);
    watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', remember);
      window.removeEventListener('keydown', selectAfterTab);
      watch.disconnect();
      // After closing, it would focus something about to be removed, and the focus would be lost.
      cancelAnimationFrame(frame);
    };
  }, [opened, isUppermost]);
  return content;
}

/** Remembers the focused element, and refocuses it later unless something else took the focus. */
function returnFocusAfter(): () => void {
  const before = document.activeElement;
  return () => {
    setTimeout(() => {
      if (before instanceof HTMLElement && before.isConnected && document.activeElement === document.body)
        before.focus();
    });
  };
}
