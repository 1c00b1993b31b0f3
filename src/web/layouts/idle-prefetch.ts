import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { VisibleEntry } from '#core/navigation.ts';
import { idlePrefetchMs } from '#web/ui/timing.ts';
import { targetsOf } from './navigation-target.ts';

/** Fetches the pages that the navigation shows while the browser is idle, at the latest after 2 s (spec 9). */
export function useIdlePrefetch(entries: readonly VisibleEntry[]): void {
  const router = useRouter();
  const paths = targetsOf(entries)
    .map((entry) => entry.path)
    .join(' ');
  useEffect(() => {
    // Somebody who saves data pays for pages nobody opens.
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (connection?.saveData) return undefined;
    const fetchPages = () => {
      for (const path of new Set(paths.split(' '))) {
        const page = router.routesByPath[path as never] as
          | { options: { component?: { preload?: () => Promise<unknown> } } }
          | undefined;
        // A page that cannot be fetched ahead is fetched when it is opened, and fails there.
        page?.options.component?.preload?.().catch(() => {});
      }
    };
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(fetchPages, idlePrefetchMs);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(fetchPages, { timeout: idlePrefetchMs });
    return () => cancelIdleCallback(handle);
  }, [router, paths]);
}
