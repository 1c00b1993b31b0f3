// One tab stop for a row of buttons: arrow keys move between them, as in a chart.
import { type KeyboardEvent, useRef, useState } from 'react';

const pageStep = 7;

/** `rowLength`: for buttons in rows, the number per row; up and down then move by a row. */
export function useRovingFocus(count: number, rowLength = 1) {
  const [chosen, setAt] = useState(0);
  const at = Math.min(chosen, Math.max(0, count - 1));
  const items = useRef(new Map<number, HTMLElement>());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = {
      ArrowUp: at - rowLength,
      ArrowLeft: at - 1,
      ArrowDown: at + rowLength,
      ArrowRight: at + 1,
      PageUp: at - pageStep,
      PageDown: at + pageStep,
      Home: 0,
      End: count - 1,
    };
    const wanted = steps[event.key];
    if (wanted === undefined || count === 0) return;
    event.preventDefault();
    const next = Math.min(count - 1, Math.max(0, wanted));
    setAt(next);
    items.current.get(next)?.focus();
  };
  const itemProps = (index: number) => ({
    tabIndex: index === at ? 0 : -1,
    ref: (element: HTMLElement | null) => {
      if (element) items.current.set(index, element);
      else items.current.delete(index);
    },
    onFocus: () => setAt(index),
  });
  return { onKeyDown, itemProps };
}
