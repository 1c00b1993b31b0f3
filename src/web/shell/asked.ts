// What a link asks a page to open: `?new=1` opens the dialog for a new task or person.
import { useEffect, useRef, useState } from 'react';
import type { Path } from '#core/access/routes.ts';
import { useReopens } from '#web/api/drafts.ts';
import { useReadOnly } from '#web/ui/writes.tsx';
import { type SearchChange, type SearchOf, useAddress } from './address.ts';

/** Acts once, then removes the key without a history entry: otherwise Back would ask again. */
export function useAsked<Page extends Path | '__root__'>(page: Page, key: keyof SearchOf<Page>, act: () => void): void {
  const [search, change] = useAddress(page);
  const isAsked = search[key] !== undefined;
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isAsked) return;
    latest.current();
    change({ [key]: null } as SearchChange<Page>, { replace: true });
  }, [isAsked, key, change]);
}

/** Whether a page's dialog for something new is open: by the page, by a link, or after a failure. */
export function useCreating(page: '/usermanagement' | '/top-5/tasks', draft: string) {
  const [creating, setCreating] = useState(useReopens(draft));
  const isReadOnly = useReadOnly() !== null;
  useAsked(page, 'new', () => setCreating(!isReadOnly));
  return { creating, setCreating };
}
