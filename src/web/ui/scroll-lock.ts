import { useEffect } from 'react';

let open = 0;

/** Keeps the page behind a dialog still, by a class: Mantine's own lock injects a `<style>`, which the content security policy forbids. */
export function useScrollLock(locked: boolean): void {
  useEffect(() => {
    if (!locked) return undefined;
    open += 1;
    document.documentElement.classList.add('scroll-locked');
    return () => {
      open -= 1;
      if (open === 0) document.documentElement.classList.remove('scroll-locked');
    };
  }, [locked]);
}
