let inBackground = 0;

/** While this is true, a load that fails is no reason to reload the page. */
export const isLoadingInBackground = (): boolean => inBackground > 0;

/** Loads what nobody waits for. Where that fails, it is loaded when it is wanted, and fails there. */
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

/** For a button: what it opens is fetched when somebody reaches for it. */
export function fetchedAhead(load: () => Promise<unknown>) {
  const fetch = () => void loadInBackground(load);
  return { onPointerEnter: fetch, onFocus: fetch };
}
