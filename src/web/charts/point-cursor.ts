// The cursor of a chart: it follows the pointer, and the keys where there is none.
import { type KeyboardEvent, type PointerEvent, useState } from 'react';

const pageStep = 7;

type Cursor = {
  /** The point it stands on, or null. */
  readonly index: number | null;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPointerMove: (event: PointerEvent<Element>) => void;
  readonly clear: () => void;
};

/** `nearest` gives the index for a distance in pixels from the left edge of the chart. */
export function usePointCursor(count: number, nearest: (x: number) => number): Cursor {
  const [chosen, setIndex] = useState<number | null>(null);
  // Fewer points than before: the cursor goes rather than point at nothing.
  const index = chosen !== null && chosen < count ? chosen : null;
  const last = count - 1;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return;
    if (event.key === 'Escape' && index === null) return;
    const at = index ?? last + 1;
    const next: Record<string, number | null> = {
      ArrowLeft: at - 1,
      ArrowRight: index === null ? last : at + 1,
      PageUp: at - pageStep,
      PageDown: at + pageStep,
      Home: 0,
      End: last,
      Escape: null,
    };
    if (!Object.hasOwn(next, event.key)) return;
    event.preventDefault();
    const wanted = next[event.key] ?? null;
    setIndex(wanted === null ? null : Math.min(last, Math.max(0, wanted)));
  };

  const onPointerMove = (event: PointerEvent<Element>) => {
    if (count === 0) return;
    const { left } = event.currentTarget.getBoundingClientRect();
    setIndex(Math.min(last, Math.max(0, nearest(event.clientX - left))));
  };

  return { index, onKeyDown, onPointerMove, clear: () => setIndex(null) };
}
