// Decides who may read the numbers of a dataset.
// Asked by every call of the numbers, and by the pages for what they offer.
import { can, canReadProduct, type Viewer } from '../access/access.ts';
import { guardOf } from '../access/routes.ts';
import { type DatasetKey, datasetOf } from './datasets.ts';

/**
 * Whether the viewer may read numbers and rows of the dataset: the page's permission, and for a scoped dataset the tab and
 * the data permission of that scope (D10). A scoped dataset without a scope is nobody's to read.
 */
export function canReadDataset(viewer: Viewer, key: DatasetKey, scope: string | null): boolean {
  const { page } = datasetOf(key);
  const guard = guardOf(page);
  if (guard.kind !== 'permission' || !can(viewer, guard.permission)) return false;
  if (page === '/sales' || page === '/donations') return scope !== null && canReadProduct(viewer, page, scope);
  return scope === null;
}
