import { useCallback, useEffect, useRef } from 'react';

/** What is open, the uppermost last. */
const stack: object[] = [];

/**
 * Esc is heard by every open dialog and meant for the uppermost: closing goes through what this gives back, which does
 * nothing while another dialog lies over this one.
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
      // After the key press that closed it: the one underneath hears the same press.
      setTimeout(() => stack.splice(stack.indexOf(entry), 1));
    };
  }, [opened]);
  const isUppermost = useCallback(() => stack.at(-1) === own.current, []);
  const close = useCallback(() => {
    if (isUppermost()) onClose();
  }, [isUppermost, onClose]);
  return { close, isUppermost };
}
