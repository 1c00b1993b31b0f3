import { firstFrame } from '#web/api/first-frame.ts';
import { loadInBackground } from '#web/ui/load-ahead.ts';
import { idlePrefetchMs } from '#web/ui/timing.ts';

/** Until the browser has nothing to do, at the latest after 2 s (spec 9). */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: idlePrefetchMs });
    else setTimeout(resolve, idlePrefetchMs);
  });
}

/** What is wanted with the first click or key, and the first page does not wait for. */
export function loadWhenIdle(load: () => Promise<unknown>): void {
  void firstFrame.then(idle).then(() => loadInBackground(load));
}
