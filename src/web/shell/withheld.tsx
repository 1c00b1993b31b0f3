import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isPath } from '#core/access/routes.ts';
import { isWithheld } from '#core/access/viewing.ts';
import { useViewer } from '#web/api/viewer.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { usePageTitle } from './page-title.ts';

/** A page that the role may open and who looks may not read: it says so in place of its content, and asks for nothing. */
export function Withheld({ children }: { children: ReactNode }) {
  const viewer = useViewer();
  const title = usePageTitle();
  const path = useRouterState({ select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname });
  const search = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).search as { product?: string },
  });
  const { viewing } = viewer;
  if (!viewing || !isPath(path) || !isWithheld(viewer, viewing.readable, path, search.product ?? null)) return children;
  return (
    <>
      <PageHead title={title} sentence={`The role ${viewing.as} opens this page.`} />
      <Panel flush>
        <EmptyState title="You may not read this page yourself">
          The role sees its content here. Viewing as a role never shows more than your own permissions allow.
        </EmptyState>
      </Panel>
    </>
  );
}
