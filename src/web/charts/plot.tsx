import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, type ReactNode, useRef } from 'react';
import classes from './plot.module.css';
import { type Cursor, usePointCursor } from './point-cursor.ts';

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
