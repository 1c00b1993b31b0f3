import { useEffect } from 'react';
import { config } from '#web/api/config.ts';
import { usePageTitle } from './page-title.ts';

/** "(3) Approvals · Staff dashboard": shows the waiting count in other tabs too. */
export function useDocumentTitle(waiting = 0): void {
  const title = usePageTitle();
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${config().appName}`;
  }, [title, waiting]);
}
