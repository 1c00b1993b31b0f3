// The parts of the tools page, and who sees each. Every part loads when it is looked at; a new one is a line here.
import { type FunctionComponent, lazy } from 'react';
import { isAdmin, type Viewer } from '#core/access.ts';
import { canImport } from '#core/imports.ts';

type Part = {
  readonly title: string;
  readonly Content: FunctionComponent;
  readonly isFor: (viewer: Viewer) => boolean;
};

export const toolsTabs = {
  tools: { title: 'Tools', Content: lazy(() => import('./tool-cards.tsx')), isFor: () => true },
  sprints: { title: 'Sprint calendar', Content: lazy(() => import('./sprint-calendar.tsx')), isFor: () => true },
  import: { title: 'Import', Content: lazy(() => import('./import-wizard.tsx')), isFor: canImport },
  audit: { title: 'Audit log', Content: lazy(() => import('./audit-log.tsx')), isFor: isAdmin },
  settings: { title: 'Settings', Content: lazy(() => import('./settings-part.tsx')), isFor: isAdmin },
} as const satisfies Record<string, Part>;

export type ToolsTab = keyof typeof toolsTabs;

export function tabsOf(viewer: Viewer): ToolsTab[] {
  return (Object.keys(toolsTabs) as ToolsTab[]).filter((key) => toolsTabs[key].isFor(viewer));
}
