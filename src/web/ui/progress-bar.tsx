// The bar at the top edge while a page loads (spec 9): appears after 200 ms and takes 5 s to fill.
import { useSyncExternalStore } from 'react';
import classes from './progress-bar.module.css';
import { progressBar } from './timing.ts';

type State = 'idle' | 'running' | 'finishing' | 'failed';

const leaveMs = 300;

let state: State = 'idle';
let timer = 0;
let waiting = false;
const listeners = new Set<() => void>();

function become(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Whether someone is waiting for a page. */
export const isInProgress = (): boolean => waiting;

export function startProgress(): void {
  waiting = true;
  clearTimeout(timer);
  timer = window.setTimeout(() => become('running'), progressBar.throttleMs);
}

export function finishProgress(): void {
  waiting = false;
  // A failure stays visible for its duration, even after the error page has loaded.
  if (state === 'failed') return;
  clearTimeout(timer);
  if (state === 'idle') return;
  become('finishing');
  timer = window.setTimeout(() => become('idle'), leaveMs);
}

/** Marks a failed load or refresh on the bar (spec 8). */
export function failProgress(): void {
  waiting = false;
  clearTimeout(timer);
  become('failed');
  timer = window.setTimeout(() => become('idle'), progressBar.durationMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function ProgressBar() {
  const shown = useSyncExternalStore(subscribe, () => state);
  if (shown === 'idle') return null;
  return (
    <div
      className={classes.bar}
      data-state={shown}
      // Only visual: screen readers get the new page's focus, or the error page.
      aria-hidden="true"
      style={{ animationDuration: `${progressBar.durationMs}ms` }}
    />
  );
}
