// Decides who can read a dataset's numbers. Used by every call of the numbers, and by the pages.
import { can, canReadProduct, type Viewer } from '../access/access.ts';
import { guardOf } from '../access/routes.ts';
import { type DatasetKey, datasetOf } from './datasets.ts';

/**
 * Whether the viewer can read a dataset's numbers and rows: needs the page's permission, and for a scoped
 * dataset the scope's tab and data permissions (D10). Nobody can read a scoped dataset without a scope.
 */
export function canReadDataset(viewer: Viewer, key: DatasetKey, scope: string | null): boolean {
  const { page } = datasetOf(key);
  const guard = guardOf(page);
  if (guard.kind !== 'permission' || !can(viewer, guard.permission)) return false;
  if (page === '/sales' || page === '/donations') return scope !== null && canReadProduct(viewer, page, scope);
  return scope === null;
}

/** Whether the viewer can read all numbers of a dataset: those of every product or cause too. */
export function canReadWholeDataset(viewer: Viewer, key: DatasetKey): boolean {
  const { scope, fields } = datasetOf(key);
  const scopes = scope === null ? [null] : (fields[scope]!.type as readonly string[]);
  return scopes.every((one) => canReadDataset(viewer, key, one));
}
