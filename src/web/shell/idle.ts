import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { VisibleEntry } from '#core/access/navigation.ts';
import { firstFrame } from '#web/api/first-frame.ts';
import { loadInBackground } from '#web/ui/load-ahead.ts';
import { idlePrefetchMs } from '#web/ui/timing.ts';
import { targetsOf } from './navigation-target.ts';

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

/** Fetches the pages that the navigation shows, one after the other, while the open page waits for nothing and the browser is idle. */
export function useIdlePrefetch(entries: readonly VisibleEntry[]): void {
  const router = useRouter();
  const client = useQueryClient();
  const paths = targetsOf(entries)
    .map((entry) => entry.path)
    .join(' ');
  useEffect(() => {
    // Somebody who saves data pays for pages nobody opens.
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (connection?.saveData) return undefined;
    const pages = [...new Set(paths.split(' '))].flatMap((path) => {
      const page = router.routesByPath[path as never] as
        | { options: { component?: { preload?: () => Promise<unknown> } } }
        | undefined;
      return page?.options.component?.preload ?? [];
    });
    const left = new AbortController();
    void fetchInTurn(pages, client, left.signal);
    return () => left.abort();
  }, [router, client, paths]);
}

/** Each once the one before has arrived: on a slow line they would hold up what somebody waits for. */
export async function fetchInTurn(
  pages: readonly (() => Promise<unknown>)[],
  client: QueryClient,
  signal: AbortSignal,
): Promise<void> {
  for (const fetchPage of pages) {
    // What is drawn with an answer may ask for more: only a rest without a question is one.
    do {
      await answered(client);
      await idle();
      if (signal.aborted) return;
    } while (client.isFetching() > 0);
    await loadInBackground(fetchPage);
  }
}

/** Until every question to the server has its answer. */
function answered(client: QueryClient): Promise<void> {
  if (client.isFetching() === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = client.getQueryCache().subscribe(() => {
      if (client.isFetching() > 0) return;
      unsubscribe();
      resolve();
    });
  });
}
