import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef } from 'react';
import classes from './plot.module.css';
import { useCursorPlace } from './shared-cursor.tsx';

// A chart's cursor: follows the pointer or the arrow keys.

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

type Cursor = {
  /** The point at the cursor, or null. */
  readonly index: number | null;
  /** Whether the cursor is in this chart, not in another that shares it. */
  readonly here: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPointerMove: (event: PointerEvent<Element>) => void;
  readonly clear: () => void;
};

function usePointCursor({ keys, nearest, rowLength, apart = false, onOpen }: Options): Cursor {
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

type Props = {
  /** The chart's name. */
  readonly name: string;
  readonly keys: readonly string[];
  readonly height: number;
  readonly rowLength?: number | undefined;
  readonly apart?: boolean | undefined;
  /** The index of the nearest point, for a chart of this width. */
  readonly nearest: (x: number, y: number, width: number) => number;
  /** A point's text for screen readers. */
  readonly words: (index: number) => string;
  /** Opens a point's rows: by click, Enter, or a second tap. */
  readonly onOpen?: ((index: number) => void) | undefined;
  readonly children: (width: number, cursor: Cursor) => ReactNode;
  /** Next to the cursor while it is in this chart. */
  readonly tooltip?: (index: number) => ReactNode;
  /** The tooltip's position. */
  readonly tooltipX?: (index: number, width: number) => number;
};

/**
 * A chart's frame: measured, focusable, read with the arrow keys, with a tooltip and text for screen readers.
 */
export function Plot({ name, height, nearest, words, onOpen, children, tooltip, tooltipX, ...points }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const cursor = usePointCursor({ ...points, onOpen, nearest: (x, y) => nearest(x, y, width) });
  const { index, here } = cursor;
  const shown = here ? index : null;
  const tapping = useTapping(cursor, shown);
  const keysHint = onOpen ? 'Arrow keys move, Enter opens the rows' : 'Arrow keys move';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls; this is a drawing.
    <div
      ref={ref}
      className={classes.plot}
      style={{ height }}
      role="group"
      aria-roledescription="chart"
      aria-label={`${name}. ${keysHint}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move the cursor of the chart.
      tabIndex={0}
      data-opens={onOpen ? true : undefined}
      // Esc hides the cursor first. A surrounding dialog, which hears it earlier, stays open.
      data-mantine-stop-propagation={shown !== null}
      onKeyDown={cursor.onKeyDown}
      onPointerMove={cursor.onPointerMove}
      {...tapping.events}
      onBlur={cursor.clear}
      onClick={() => shown !== null && tapping.opens(shown) && onOpen?.(shown)}
    >
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          {children(width, cursor)}
        </svg>
      )}
      {shown !== null && tooltip && (
        <div className={classes.tooltip} style={beside(tooltipX?.(shown, width) ?? 0, width)} aria-hidden="true">
          {tooltip(shown)}
        </div>
      )}
      <span className="visually-hidden" aria-live="polite">
        {shown === null ? '' : words(shown)}
      </span>
    </div>
  );
}

/** A finger has no hover: its first tap shows the point until the focus leaves, the second opens the rows. */
function useTapping(cursor: Cursor, shown: number | null) {
  const shownBeforeTap = useRef<number | null>(null);
  const isTap = useRef(false);
  return {
    opens: (index: number) => !isTap.current || shownBeforeTap.current === index,
    events: {
      onPointerDown: (event: PointerEvent) => {
        isTap.current = event.pointerType !== 'mouse';
        shownBeforeTap.current = shown;
        if (isTap.current) cursor.onPointerMove(event);
      },
      onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && cursor.clear(),
      // The finger scrolls the page.
      onPointerCancel: cursor.clear,
    },
  };
}

/** On the side of the cursor with more room. */
function beside(x: number, width: number): { left: number } | { right: number } {
  return x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
}
