let inBackground = 0;
let wanted = 0;

/** Whether everything that is loading is a prefetch: a failure is then no reason to reload the page. */
export const isOnlyAhead = (): boolean => inBackground > 0 && wanted === 0;

/** Loads a part that a person opened. */
export async function loadWanted<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  wanted += 1;
  try {
    return await load();
  } finally {
    wanted -= 1;
  }
}

/** Loads in the background. A failure is ignored here, and shown when the part is needed. */
export async function loadInBackground(load: () => Promise<unknown>): Promise<void> {
  inBackground += 1;
  try {
    await load();
  } catch (error) {
    console.warn('Prefetching a page failed', error);
  } finally {
    inBackground -= 1;
  }
}

/** For a button: prefetches what it opens on hover or focus. */
export function fetchedAhead(load: () => Promise<unknown>) {
  const fetch = () => void loadInBackground(load);
  return { onPointerEnter: fetch, onFocus: fetch };
}
