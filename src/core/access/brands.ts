// Decides the brand categories of tasks and the scopes of the stats. Used by inputs, the stats and every
// place that offers a brand.
import { can, isAdmin, type Viewer } from './access.ts';
import type { Permission } from './permissions.ts';

/** The ten categories of spec 1, in its order. */
export const categories = [
  'All Brands',
  'Connect',
  'Blue',
  'Switch',
  'Green',
  'Liberty',
  'Give',
  'Hardware',
  'Dig',
  'Grow',
] as const;
export type Category = (typeof categories)[number];

/** An empty category means this one (D17). */
export const defaultCategory: Category = 'All Brands';

export function isCategory(text: string): text is Category {
  return (categories as readonly string[]).includes(text);
}

/** The scopes of spec 6: teams of people, and categories of the same name (D22). */
export const scopes = {
  connect: { title: 'Connect', permission: 'VIEW_TOP_5_STATS_CONNECT', category: 'Connect' },
  arcade: { title: 'Arcade', permission: 'VIEW_TOP_5_STATS_ARCADE', category: null },
  codex: { title: 'Codex', permission: 'VIEW_TOP_5_STATS_CODEX', category: null },
  green: { title: 'Green', permission: 'VIEW_TOP_5_STATS_GREEN', category: 'Green' },
  give: { title: 'Give', permission: 'VIEW_TOP_5_STATS_GIVE', category: 'Give' },
  management: { title: 'Management', permission: 'VIEW_TOP_5_STATS_MANAGEMENT', category: null },
} as const satisfies Record<string, { title: string; permission: Permission; category: Category | null }>;

export type Scope = keyof typeof scopes;
export const scopeKeys = Object.keys(scopes) as Scope[];
export const scopePermissions: readonly Permission[] = scopeKeys.map((scope) => scopes[scope].permission);

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/**
 * The scopes whose stats the viewer can see. Without any, they see themselves and the people they approve
 * (D22).
 */
export function permittedScopes(viewer: Viewer): Scope[] {
  return isAdmin(viewer) ? scopeKeys : scopeKeys.filter((scope) => can(viewer, scopes[scope].permission));
}
