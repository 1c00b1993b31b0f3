// Restores the focus after a dialog that opened by itself. The button that led to it may be disabled, and
// browsers take the focus from disabled buttons.
let last: HTMLElement | null = null;

/** Remembers the last focus outside of such dialogs. */
export function rememberFocus(): () => void {
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && target !== document.body) last = target;
  };
  document.addEventListener('focusin', remember);
  return () => document.removeEventListener('focusin', remember);
}

/** Call it before the dialog takes the focus; the returned function restores it after the next render. */
export function keepFocus(): () => void {
  const before = last;
  return () => {
    setTimeout(() => {
      if (before?.isConnected && document.activeElement === document.body) before.focus();
    }, 100);
  };
}
