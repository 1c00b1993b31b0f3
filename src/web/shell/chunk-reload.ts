// After a release the chunks of the old page are gone: a load that fails reloads the page, but not twice in 60 s (spec 8, 9). Not where
// the line is cut, as then the page is all that there is, with what somebody was writing.
import { isConnectionLost } from '#web/api/connection.ts';
import { readStored, writeStored } from '#web/api/stored.ts';
import { isLoadingInBackground } from '#web/ui/load-ahead.ts';
import { isInProgress } from '#web/ui/progress-bar.tsx';
import { chunkReloadGuardMs } from '#web/ui/timing.ts';

const key = 'chunk-reload-at';

export function reloadWhenChunksFail(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(readStored('session', key) ?? 0);
    const isCut = !navigator.onLine || isConnectionLost();
    // A page that is being fetched ahead may be the one that somebody asks for meanwhile.
    const isWanted = isInProgress() || !isLoadingInBackground();
    if (isCut || !isWanted || Date.now() - last < chunkReloadGuardMs) return;
    event.preventDefault();
    writeStored('session', key, String(Date.now()));
    location.reload();
  });
}
