import { lazy, Suspense } from 'react';
import { canImport } from '#core/imports.ts';
import { useViewer } from '#web/api/viewer.ts';
import { usePageTitle } from '#web/page-title.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

// Few people import, and the forms are most of this page.
const ImportWizard = lazy(async () => ({ default: (await import('./import-wizard.tsx')).ImportWizard }));

export default function ToolsPage() {
  const viewer = useViewer();
  return (
    <>
      <PageHead title={usePageTitle()} sentence="The tools of the staff, in one place." />
      {canImport(viewer) ? (
        <Suspense fallback={<SkeletonRows />}>
          <ImportWizard />
        </Suspense>
      ) : (
        <Panel flush>
          <EmptyState title="No tools are listed yet">
            Links to the tools of every group will stand here. Importing files takes the permission to manage users
            besides.
          </EmptyState>
        </Panel>
      )}
    </>
  );
}
