// After a release the old page's chunks are gone: a failed load reloads the page, but not twice in 60 s (spec
// 8, 9). Not while offline, when the page with its unsent input is all there is.
import { readStored, writeStored } from '#web/api/stored.ts';
import { isConnectionLost } from '#web/ui/connection.ts';
import { isOnlyAhead } from '#web/ui/load-ahead.ts';
import { isInProgress } from '#web/ui/progress-bar.tsx';
import { chunkReloadGuardMs } from '#web/ui/timing.ts';

const key = 'chunk-reload-at';

export function reloadWhenChunksFail(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(readStored('session', key) ?? 0);
    const isCut = !navigator.onLine || isConnectionLost();
    // The person may have opened a page that is being prefetched.
    const isWanted = isInProgress() || !isOnlyAhead();
    if (isCut || !isWanted || Date.now() - last < chunkReloadGuardMs) return;
    event.preventDefault();
    writeStored('session', key, String(Date.now()));
    location.reload();
  });
}
