// Decides which external dashboard belongs to a product or cause, who can see it and what its signature
// locks. Used by the server before it signs: the web names the product or cause, never a number (D30).
import type { Viewer } from '../access/access.ts';
import { causes, type ProductKey, salesProducts } from '../access/products.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { canReadDataset } from './dataset-access.ts';
import { datasetOf } from './datasets.ts';

/** How long a signature is valid, and how long before its end the web renews it. */
export const embedSeconds = { good: 600, renewBefore: 60 } as const;

export type EmbedPlan = {
  readonly resource: ProductKey;
  /** Number of the dashboard in the external tool. */
  readonly dashboard: number;
  /** Signed parameters: three causes share one dashboard, and each only sees its own data. */
  readonly params: Readonly<Record<string, ProductKey>>;
};

const resourcesOf = { orders: salesProducts, donations: causes } as const;

/** The dashboard to sign for this viewer, who needs the tab's permission and the data's (D10). */
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
