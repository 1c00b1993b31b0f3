import { isAdmin } from '#core/access/access.ts';
import type { Path } from '#core/access/routes.ts';
import { canImport } from '#core/numbers/imports.ts';
import { useViewer } from '#web/api/viewer.ts';
import { PageTabs } from '#web/shell/page-tabs.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { PageHead } from '#web/ui/page-head.tsx';

const Tools = lazyPart(
  () => import('./tools/tool-cards.tsx'),
  (module) => module.default,
);
const Sprints = lazyPart(
  () => import('./sprint-calendar.tsx'),
  (module) => module.default,
);
const Import = lazyPart(
  () => import('./imports/import-wizard.tsx'),
  (module) => module.default,
);
const Audit = lazyPart(
  () => import('./audit/audit-log.tsx'),
  (module) => module.default,
);
const Settings = lazyPart(
  () => import('./settings/settings-part.tsx'),
  (module) => module.default,
);

const toolsPath = '/tools' satisfies Path;

const forAll = [
  { key: 'tools', title: 'Tools', content: <Tools /> },
  { key: 'sprints', title: 'Sprint calendar', content: <Sprints /> },
] as const;
const forImporters = [{ key: 'import', title: 'Import', content: <Import /> }] as const;
const forAdmins = [
  { key: 'audit', title: 'Audit log', content: <Audit /> },
  { key: 'settings', title: 'Settings', content: <Settings /> },
] as const;

export default function ToolsPage() {
  const viewer = useViewer();
  const tabs = [...forAll, ...(canImport(viewer) ? forImporters : []), ...(isAdmin(viewer) ? forAdmins : [])] as const;
  return (
    <>
      <PageHead title={usePageTitle()} sentence="Staff tools in one place." />
      <PageTabs page={toolsPath} label="Tools sections" tabs={tabs} />
    </>
  );
}
