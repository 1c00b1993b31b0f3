// The bar at the top edge while a page loads (spec 9): it appears after 200 ms and takes 5 s to fill.
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

/** Whether somebody waits for a page. */
export const isInProgress = (): boolean => waiting;

export function startProgress(): void {
  waiting = true;
  clearTimeout(timer);
  timer = window.setTimeout(() => become('running'), progressBar.throttleMs);
}

export function finishProgress(): void {
  waiting = false;
  // A failure stays in sight for its time, also when the error page is there by then.
  if (state === 'failed') return;
  clearTimeout(timer);
  if (state === 'idle') return;
  become('finishing');
  timer = window.setTimeout(() => become('idle'), leaveMs);
}

/** A page that failed to load or to refresh marks the bar (spec 8). */
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
      // For the eye: a reader hears of the new page by its focus, and of a failure by the error page.
      aria-hidden="true"
      style={{ animationDuration: `${progressBar.durationMs}ms` }}
    />
  );
}
