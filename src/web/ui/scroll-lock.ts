import { useEffect } from 'react';

let open = 0;

/**
 * Stops the page behind a dialog from scrolling, with a class: Mantine's own lock injects a `<style>`, which
 * the content security policy forbids.
 */
export function useScrollLock(locked: boolean): void {
  useEffect(() => {
    if (!locked) return undefined;
    const page = document.documentElement;
    // Keeps the scroll bar's space, to avoid a layout shift.
    if (open === 0 && innerWidth > page.clientWidth) page.classList.add('scroll-gutter');
    open += 1;
    page.classList.add('scroll-locked');
    return () => {
      open -= 1;
      if (open === 0) page.classList.remove('scroll-locked', 'scroll-gutter');
    };
  }, [locked]);
}
