import type { ReactNode } from 'react';
import type { Path } from '#core/access/routes.ts';
import { type ToolsTab, toolsTabsFor } from '#core/admin/tools-search.ts';
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

const contents: Readonly<Record<ToolsTab, ReactNode>> = {
  tools: <Tools />,
  sprints: <Sprints />,
  import: <Import />,
  audit: <Audit />,
  settings: <Settings />,
};

export default function ToolsPage() {
  const [first, ...others] = toolsTabsFor(useViewer()).map((tab) => ({ ...tab, content: contents[tab.key] }));
  return (
    <>
      <PageHead title={usePageTitle()} sentence="Staff tools in one place." />
      <PageTabs page={toolsPath} label="Tools sections" tabs={[first!, ...others]} />
    </>
  );
}
