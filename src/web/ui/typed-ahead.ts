// Keys typed while a dialog opens belong to its first field, which doesn't have the focus yet.
import { type RefObject, useLayoutEffect } from 'react';

let typed = '';
let onEscape: (() => void) | null = null;

function capture(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // An open dialog closes itself.
  if (event.key === 'Escape' && !onEscape) return;
  if (event.key === 'Escape') onEscape?.();
  else if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else if (event.key.length === 1) typed += event.key;
  else if (event.key !== 'Enter') return;
  event.preventDefault();
  event.stopPropagation();
}

/** `leave` closes a dialog whose code is still loading. */
export function typeAhead(leave: () => void): void {
  startTyping();
  onEscape = leave;
}

function startTyping(): void {
  window.addEventListener('keydown', capture, true);
}

export function dropTypedAhead(): void {
  window.removeEventListener('keydown', capture, true);
  typed = '';
  onEscape = null;
}

const textField = 'textarea, input:not([type]), input:is([type="text"], [type="email"], [type="search"])';

function giveTo(field: HTMLElement): void {
  const text = typed;
  dropTypedAhead();
  if (text === '' || !field.matches(textField) || (field as HTMLInputElement).readOnly) return;
  const { value } = field as HTMLInputElement;
  // React ignores a value that is set on the element itself.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value + text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** From opening until something in the dialog has the focus. */
export function useTypedAhead(opened: boolean, content: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (!opened) return undefined;
    startTyping();
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || !content.current?.contains(target)) return;
      document.removeEventListener('focusin', onFocus);
      giveTo(target);
    };
    document.addEventListener('focusin', onFocus);
    return () => {
      document.removeEventListener('focusin', onFocus);
      dropTypedAhead();
    };
  }, [opened, content]);
}
