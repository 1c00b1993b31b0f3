// Where the focus goes back to after a question that came by itself. The button that led to it may be off while it works, and a
// browser takes the focus from a button that is off.
let last: HTMLElement | null = null;

/** Remembers what had the focus last, outside of questions. */
export function rememberFocus(): () => void {
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && target !== document.body) last = target;
  };
  document.addEventListener('focusin', remember);
  return () => document.removeEventListener('focusin', remember);
}

/** Call it before the question takes the focus; what it gives puts the focus back once the page is drawn again. */
export function keepFocus(): () => void {
  const before = last;
  return () => {
    setTimeout(() => {
      if (before?.isConnected && document.activeElement === document.body) before.focus();
    }, 100);
  };
}
