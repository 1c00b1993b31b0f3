// After a release the old page's chunks are gone: a failed load reloads the page, but not twice in 60 s (spec
// 8, 9). Not while offline, when the page with its unsent input is all there is.
import { readStored, writeStored } from '#web/api/stored.ts';
import { isConnectionLost } from '#web/ui/connection.ts';
import { failedInBackground } from '#web/ui/load-ahead.ts';
import { isInProgress } from '#web/ui/progress-bar.tsx';
import { chunkReloadGuardMs } from '#web/ui/timing.ts';

const key = 'chunk-reload-at';

export function reloadWhenChunksFail(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // The person may have opened a page that is being prefetched. The router stops waiting with the error.
    const isOpening = isInProgress();
    // Vite throws the error after this event, and only then is it known who waited.
    setTimeout(() => {
      if (isOpening || !failedInBackground(payload)) reloadOnce();
    });
  });
}

function reloadOnce(): void {
  const last = Number(readStored('session', key) ?? 0);
  const isCut = !navigator.onLine || isConnectionLost();
  if (isCut || Date.now() - last < chunkReloadGuardMs) return;
  writeStored('session', key, String(Date.now()));
  location.reload();
}
