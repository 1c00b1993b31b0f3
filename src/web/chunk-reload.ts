// After a release the chunks of the old page are gone: a load that fails reloads the page, but not twice in 60 s (spec 8, 9). Not where
// the line is cut, as then the page is all that there is, with what somebody was writing.
import { isConnectionLost } from '#web/api/connection.ts';
import { readStored, writeStored } from '#web/api/stored.ts';
import { chunkReloadGuardMs } from '#web/ui/timing.ts';

const key = 'chunk-reload-at';
let inBackground = 0;

export function reloadWhenChunksFail(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(readStored('session', key) ?? 0);
    const isCut = !navigator.onLine || isConnectionLost();
    if (isCut || inBackground > 0 || Date.now() - last < chunkReloadGuardMs) return;
    event.preventDefault();
    writeStored('session', key, String(Date.now()));
    location.reload();
  });
}

/** Loads what nobody waits for. Where that fails, it is loaded when it is wanted, and fails there. */
export async function loadInBackground(load: () => Promise<unknown>): Promise<void> {
  inBackground += 1;
  try {
    await load();
  } catch (error) {
    console.warn('A page could not be fetched ahead', error);
  } finally {
    inBackground -= 1;
  }
}

/** For a button: what it opens is fetched when somebody reaches for it. */
export function fetchedAhead(load: () => Promise<unknown>) {
  const fetch = () => void loadInBackground(load);
  return { onPointerEnter: fetch, onFocus: fetch };
}
