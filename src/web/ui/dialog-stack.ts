import { useCallback, useEffect, useRef } from 'react';

/** Asks first if something would be lost, then continues. */
type Leave = (then: () => void) => void;
type Entry = { readonly leave: Leave };

/** The open ones, topmost last. */
const stack: Entry[] = [];

/** For what leads away from all open dialogs. Each asks about what it would lose, the topmost first. */
export function leaveDialogs(then: () => void): void {
  const open = [...stack];
  const leaveNext = (): void => {
    const entry = open.pop();
    if (entry) entry.leave(leaveNext);
    else then();
  };
  leaveNext();
}

/**
 * Every open dialog receives Esc, but only the topmost should close: closing goes through the returned
 * function, which does nothing for the others.
 */
export function useStacked(
  opened: boolean,
  onClose: () => void,
  leave: Leave,
): { readonly close: () => void; readonly isUppermost: () => boolean } {
  const own = useRef<Entry>(null);
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    if (!opened) return undefined;
    const entry: Entry = { leave: (then) => latest.current(then) };
    own.current = entry;
    stack.push(entry);
    return () => {
      // After the key press that closed it, which the dialog underneath also receives.
      setTimeout(() => {
        const at = stack.indexOf(entry);
        if (at !== -1) stack.splice(at, 1);
      });
    };
  }, [opened]);
  const isUppermost = useCallback(() => stack.at(-1) === own.current, []);
  const close = useCallback(() => {
    if (isUppermost()) onClose();
  }, [isUppermost, onClose]);
  return { close, isUppermost };
}
