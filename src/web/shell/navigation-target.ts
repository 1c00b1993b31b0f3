// Where a navigation entry leads for this viewer, found by its key: shortcuts and links follow the
// navigation.
import type { Viewer } from '#core/access/access.ts';
import { navigationFor, type VisibleEntry } from '#core/access/navigation.ts';
import { isPath, type Path } from '#core/access/routes.ts';

export type Target = { readonly path: Path; readonly to: string };

/** All entries with a link, in the tree's order. */
export function targetsOf(entries: readonly VisibleEntry[]): VisibleEntry[] {
  return entries.flatMap((entry) => [...(entry.to ? [entry] : []), ...targetsOf(entry.children)]);
}

/** Null if the viewer doesn't see the entry. */
export function navigationTarget(viewer: Viewer, key: string): Target | null {
  const found = targetsOf(navigationFor(viewer)).find((entry) => entry.key === key);
  return found?.to && isPath(found.path) ? { path: found.path, to: found.to } : null;
}
