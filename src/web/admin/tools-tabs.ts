// The parts of the tools page, and who sees each. Every part loads when it is looked at; a new one is a line here.
import type { FunctionComponent } from 'react';
import { isAdmin, type Viewer } from '#core/access/access.ts';
import { canImport } from '#core/numbers/imports.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';

type Part = {
  readonly title: string;
  readonly Content: FunctionComponent;
  readonly isFor: (viewer: Viewer) => boolean;
};

export const toolsTabs = {
  tools: {
    title: 'Tools',
    Content: lazyPart(
      () => import('./tools/tool-cards.tsx'),
      (module) => module.default,
    ),
    isFor: () => true,
  },
  sprints: {
    title: 'Sprint calendar',
    Content: lazyPart(
      () => import('./sprint-calendar.tsx'),
      (module) => module.default,
    ),
    isFor: () => true,
  },
  import: {
    title: 'Import',
    Content: lazyPart(
      () => import('./imports/import-wizard.tsx'),
      (module) => module.default,
    ),
    isFor: canImport,
  },
  audit: {
    title: 'Audit log',
    Content: lazyPart(
      () => import('./audit/audit-log.tsx'),
      (module) => module.default,
    ),
    isFor: isAdmin,
  },
  settings: {
    title: 'Settings',
    Content: lazyPart(
      () => import('./settings/settings-part.tsx'),
      (module) => module.default,
    ),
    isFor: isAdmin,
  },
} as const satisfies Record<string, Part>;

export type ToolsTab = keyof typeof toolsTabs;

export function tabsOf(viewer: Viewer): ToolsTab[] {
  return (Object.keys(toolsTabs) as ToolsTab[]).filter((key) => toolsTabs[key].isFor(viewer));
}
