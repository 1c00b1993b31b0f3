// A chart's cursor: follows the pointer or the arrow keys.
import { type KeyboardEvent, type PointerEvent, useId } from 'react';
import { useCursorPlace } from './shared-cursor.tsx';

const pageStep = 7;

type Options = {
  /** Each point's key, in order: the same key in two charts is the same time. */
  readonly keys: readonly string[];
  /** The index of the nearest point, in pixels from the top left. */
  readonly nearest: (x: number, y: number) => number;
  /** For points in rows, the number per row: up and down then move by a row. */
  readonly rowLength?: number | undefined;
  /** The points aren't times, so the cursor isn't shared with other charts. */
  readonly apart?: boolean | undefined;
  readonly onOpen?: ((index: number) => void) | undefined;
};

export type Cursor = {
  /** The point at the cursor, or null. */
  readonly index: number | null;
  /** Whether the cursor is in this chart, not in another that shares it. */
  readonly here: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPointerMove: (event: PointerEvent<Element>) => void;
  readonly clear: () => void;
};

export function usePointCursor({ keys, nearest, rowLength, apart = false, onOpen }: Options): Cursor {
  const id = useId();
  const [place, move] = useCursorPlace(id, apart);
  // Fewer points than before: the cursor disappears instead of pointing at nothing.
  const found = place.key === null ? -1 : keys.indexOf(place.key);
  const index = found === -1 ? null : found;
  const here = place.owner === id;
  const last = keys.length - 1;
  const moveTo = (wanted: number) => move(keys[Math.min(last, Math.max(0, wanted))] ?? null);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || last < 0) return;
    if (event.key === 'Escape' && index === null) return;
    if (event.key === 'Enter' && index !== null && onOpen) {
      event.preventDefault();
      onOpen(index);
      return;
    }
    const at = index ?? last + 1;
    const onward = index === null ? last : at + 1;
    const steps: Record<string, number | null> = {
      ArrowLeft: at - 1,
      ArrowRight: onward,
      ArrowUp: rowLength ? at - rowLength : at - 1,
      ArrowDown: rowLength ? at + rowLength : onward,
      PageUp: at - pageStep,
      PageDown: at + pageStep,
      Home: 0,
      End: last,
      Escape: null,
    };
    if (!Object.hasOwn(steps, event.key)) return;
    event.preventDefault();
    const wanted = steps[event.key] ?? null;
    if (wanted === null) move(null);
    // A step out of the chart stays in place instead of jumping to a corner.
    else if (!rowLength || (wanted >= 0 && wanted <= last) || index === null) moveTo(wanted);
  };

  const onPointerMove = (event: PointerEvent<Element>) => {
    if (last < 0) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    moveTo(nearest(event.clientX - left, event.clientY - top));
  };

  // A chart that loses focus to another one must not clear that one's cursor.
  const clear = () => {
    if (here) move(null);
  };

  return { index, here, onKeyDown, onPointerMove, clear };
}
