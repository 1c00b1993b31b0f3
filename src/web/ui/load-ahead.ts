const failures = new WeakSet<object>();

/** Whether this error ended a load in the background: nobody waits for it, so the page stays. */
export const failedInBackground = (error: object): boolean => failures.has(error);

/** Loads in the background. A failure is ignored here, and shown when the part is needed. */
export async function loadInBackground(load: () => Promise<unknown>): Promise<void> {
  try {
    await load();
  } catch (error) {
    if (error instanceof Error) failures.add(error);
    console.warn('Prefetching a page failed', error);
  }
}

/** For a button: prefetches what it opens on hover or focus. */
export function fetchedAhead(load: () => Promise<unknown>) {
  const fetch = () => void loadInBackground(load);
  return { onPointerEnter: fetch, onFocus: fetch };
}
