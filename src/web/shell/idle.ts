import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { VisibleEntry } from '#core/access/navigation.ts';
import { firstFrame } from '#web/api/first-frame.ts';
import { loadInBackground } from '#web/ui/load-ahead.ts';
import { isInProgress } from '#web/ui/progress-bar.tsx';
import { idlePrefetchMs } from '#web/ui/timing.ts';
import { targetsOf } from './navigation-target.ts';

/** Resolves when the browser is idle, at the latest after 2 s (spec 9). */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: idlePrefetchMs });
    else setTimeout(resolve, idlePrefetchMs);
  });
}

/** Loads what the first click or key needs, without delaying the first page. */
export function loadWhenIdle(load: () => Promise<unknown>): void {
  void firstFrame.then(idle).then(() => loadInBackground(load));
}

/** Prefetches the navigation's pages one by one, while the open page has its data and the browser is idle. */
export function useIdlePrefetch(entries: readonly VisibleEntry[]): void {
  const router = useRouter();
  const client = useQueryClient();
  const paths = targetsOf(entries)
    .map((entry) => entry.path)
    .join(' ');
  useEffect(() => {
    // With data saving on, unopened pages would waste data.
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

/**
 * One after the other, and not while a page opens: on a slow connection they would delay what someone waits
 * for.
 */
export async function fetchInTurn(
  pages: readonly (() => Promise<unknown>)[],
  client: QueryClient,
  signal: AbortSignal,
): Promise<void> {
  for (const fetchPage of pages) {
    // Rendering an answer may send more requests: only an idle period without any counts.
    do {
      await answered(client);
      await idle();
      if (signal.aborted) return;
    } while (client.isFetching() > 0 || isInProgress());
    await loadInBackground(fetchPage);
  }
}

/** Resolves when every request to the server has its answer. */
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
