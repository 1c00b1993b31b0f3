// After a release the old page's chunks are gone: a failed load reloads the page, but not twice in 60 s (spec
// 8, 9). Not while offline, when the page with its unsent input is all there is.
import { readStored, writeStored } from '#web/api/stored.ts';
import { isConnectionLost } from '#web/ui/connection.ts';
import { failedInBackground } from '#web/ui/load-ahead.ts';
import { isInProgress } from '#web/ui/progress-bar.tsx';
import { chunkReloadGuardMs } from '#web/ui/timing.ts';

const key = 'chunk-reload-at';

export function reloadWhenChunksFail(): void {
  // Vite throws the error after this event, and only then is it known who waited.
  window.addEventListener('vite:preloadError', ({ payload }) => setTimeout(() => reloadFor(payload)));
}

function reloadFor(error: Error): void {
  const last = Number(readStored('session', key) ?? 0);
  const isCut = !navigator.onLine || isConnectionLost();
  // The person may have opened a page that is being prefetched.
  const isWanted = isInProgress() || !failedInBackground(error);
  if (isCut || !isWanted || Date.now() - last < chunkReloadGuardMs) return;
  writeStored('session', key, String(Date.now()));
  location.reload();
}
