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
  let pressedAt = 0;
  const hear = (event: globalThis.MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const isStray =
      event.detail > 1 &&
      pressed !== null &&
      !pressed.contains(event.target) &&
      event.timeStamp - pressedAt < doublePressMs;
    if (isStray) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    pressed = event.target.closest(pressable);
    pressedAt = event.timeStamp;
  };
  document.addEventListener('click', hear, true);
  document.addEventListener('keydown', ignoreHeldEnter, true);
}
