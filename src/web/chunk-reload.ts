// After a release the chunks of the old page are gone: a load that fails reloads the page, but not twice in 60 s (spec 8, 9).
import { readStored, writeStored } from '#web/api/stored.ts';
import { chunkReloadGuardMs } from '#web/ui/timing.ts';

const key = 'chunk-reload-at';

export function reloadWhenChunksFail(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(readStored('session', key) ?? 0);
    if (Date.now() - last < chunkReloadGuardMs) return;
    event.preventDefault();
    writeStored('session', key, String(Date.now()));
    location.reload();
  });
}
