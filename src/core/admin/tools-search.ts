// The search parameters of the tools, shared by its tabs. Used by the web's router and by links to the tools.
import * as z from 'zod/mini';
import { isAdmin, type Viewer } from '../access/access.ts';
import { searchSchema } from '../base/search.ts';
import { canImport } from '../numbers/imports.ts';
import { auditFilterInput } from './audit-log.ts';

const toolsTabs = {
  tools: 'Tools',
  sprints: 'Sprint calendar',
  import: 'Import',
  audit: 'Audit log',
  settings: 'Settings',
} as const;
export type ToolsTab = keyof typeof toolsTabs;
const tabKeys = Object.keys(toolsTabs) as ToolsTab[];

/** The tabs that this person sees, in their order. */
export function toolsTabsFor(viewer: Viewer): { readonly key: ToolsTab; readonly title: string }[] {
  const isFor = (key: ToolsTab): boolean => {
    if (key === 'import') return canImport(viewer);
    return (key !== 'audit' && key !== 'settings') || isAdmin(viewer);
  };
  return tabKeys.filter(isFor).map((key) => ({ key, title: toolsTabs[key] }));
}

export const toolsSearch = searchSchema({
  tab: z.enum(tabKeys),
  find: z.string(),
  /** The year of the sprint calendar. */
  year: z.coerce.number().check(z.int(), z.minimum(1900), z.maximum(2099)),
  ...auditFilterInput.shape,
});
