import { useCallback, useEffect, useRef } from 'react';

/** The open ones, topmost last. */
const stack: object[] = [];

/**
 * Every open dialog receives Esc, but only the topmost should close: closing goes through the returned
 * function, which does nothing for the others.
 */
export function useStacked(
  opened: boolean,
  onClose: () => void,
): { readonly close: () => void; readonly isUppermost: () => boolean } {
  const own = useRef<object>(null);
  useEffect(() => {
    if (!opened) return undefined;
    const entry = {};
    own.current = entry;
    stack.push(entry);
    return () => {
      // After the key press that closed it, which the dialog underneath also receives.
      setTimeout(() => stack.splice(stack.indexOf(entry), 1));
    };
  }, [opened]);
  const isUppermost = useCallback(() => stack.at(-1) === own.current, []);
  const close = useCallback(() => {
    if (isUppermost()) onClose();
  }, [isUppermost, onClose]);
  return { close, isUppermost };
}
