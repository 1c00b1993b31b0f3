// Decides which dashboard of the external analytics tool stands for a product or cause, who gets it and what its signature locks.
// Asked by the server before it signs: the web names the product or cause and never a number (D30).
import type { Viewer } from '../access/access.ts';
import { causes, type ProductKey, salesProducts } from '../access/products.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { canReadDataset } from './dataset-access.ts';
import { datasetOf } from './datasets.ts';

/** How long a signature is good, and how long before its end the web asks for the next. */
export const embedSeconds = { good: 600, renewBefore: 60 } as const;

export type EmbedPlan = {
  readonly resource: ProductKey;
  /** Number of the dashboard in the external tool. */
  readonly dashboard: number;
  /** Part of the signature: three causes share one dashboard, and each sees its own. */
  readonly params: Readonly<Record<string, ProductKey>>;
};

const resourcesOf = { orders: salesProducts, donations: causes } as const;

/** The dashboard to sign for this viewer: it takes the permission of the tab and the one of the data (D10). */
export function planEmbed(viewer: Viewer, resource: string): EmbedPlan | Refusal {
  for (const dataset of ['orders', 'donations'] as const) {
    const resources: Readonly<Record<string, { readonly resource: number }>> = resourcesOf[dataset];
    const found = Object.hasOwn(resources, resource) ? resources[resource] : undefined;
    if (found === undefined) continue;
    if (!canReadDataset(viewer, dataset, resource)) return refuse('FORBIDDEN');
    const { scope } = datasetOf(dataset);
    const key = resource as ProductKey;
    return { resource: key, dashboard: found.resource, params: { [scope as string]: key } };
  }
  return refuse('BAD_INPUT', 'resource must be a product or a cause', { field: 'resource' });
}
