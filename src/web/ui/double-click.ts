// Ignores the second click of a double-click where the first one changed what is under the pointer.
import type { MouseEvent } from 'react';
import { doublePressMs } from './timing.ts';

/** For a button that changes when pressed: runs only the first click of a double-click. */
export const once =
  (run: () => void) =>
  ({ detail }: Pick<MouseEvent, 'detail'>): void => {
    if (detail <= 1) run();
  };

const pressable = 'button, a, [role="button"], [role="menuitem"], [role="option"], [role="tab"]';

/** How far two taps on the same place can be from each other, in pixels. */
const fingertip = 24;

/** A held Enter presses only the first button: the next one has the focus by then, unread. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  const isButton = event.target instanceof Element && event.target.closest('button, a') !== null;
  if (event.repeat && event.key === 'Enter' && isButton) event.preventDefault();
}

/**
 * Stops the second click of a double-click if something else moved under the pointer, and the repeats of a
 * held Enter. Called once by the application.
 */
export function ignoreStrayClicks(): void {
  let pressed: Element | null = null;
  let pressedAt = { time: 0, x: 0, y: 0 };
  const hear = (event: globalThis.MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const { timeStamp: time, clientX: x, clientY: y } = event;
    // Not every browser counts the taps of a finger.
    const isTap = (event as PointerEvent).pointerType === 'touch';
    const isRepeated = event.detail > 1 || (isTap && Math.hypot(x - pressedAt.x, y - pressedAt.y) < fingertip);
    const isStray =
      isRepeated && pressed !== null && !pressed.contains(event.target) && time - pressedAt.time < doublePressMs;
    if (isStray) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    pressed = event.target.closest(pressable);
    pressedAt = { time, x, y };
  };
  document.addEventListener('click', hear, true);
  document.addEventListener('keydown', ignoreHeldEnter, true);
}
