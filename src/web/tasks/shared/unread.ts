import { useEffect, useRef, useState } from 'react';
import { doublePressMs } from '#web/ui/timing.ts';

/**
 * The next task slides under the pointer after a decision. A second press meant for the first task must not
 * decide it, so presses are blocked, with a message, until the task has been visible for a moment.
 */
export function useUnread(selected: string | null) {
  const since = useRef<number | null>(null);
  const heldAt = useRef(-Infinity);
  const [heldBack, setHeldBack] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment counts from when the next task is drawn.
  useEffect(() => {
    if (since.current !== null) since.current = performance.now();
  }, [selected]);
  return {
    begin: () => {
      since.current = performance.now();
    },
    /** The person selected this task themselves. */
    end: () => {
      since.current = null;
      setHeldBack(null);
    },
    /** A question decides nothing yet: only one right after a blocked press is blocked too. */
    holdsBack: (press: 'decides' | 'asks') => {
      const now = performance.now();
      const isNew = since.current !== null && now - since.current < doublePressMs;
      const follows = heldBack === selected && now - heldAt.current < doublePressMs;
      const isHeld = press === 'decides' ? isNew : follows;
      if (isHeld) heldAt.current = now;
      if (isHeld) setHeldBack(selected);
      return isHeld;
    },
    /** The task whose press was blocked. */
    heldBack,
  };
}
