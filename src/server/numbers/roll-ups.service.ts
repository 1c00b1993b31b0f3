// Recomputes a dataset's days in the company's zone, for admins: after a zone change, or after rows were
// loaded manually.
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { publishGap } from '#server/platform/live/live.service.ts';
import { rebuildRollUps } from './roll-ups.store.ts';

type Keeper = Pick<RequestContext, 'database' | 'clock' | 'requestId' | 'address'> & { readonly url: string };

/** Readers see the old numbers until it ends, then every open page reloads. The dataset's imports wait. */
export async function rebuildDataset(keeper: Keeper, dataset: DatasetKey, zone: string): Promise<void> {
  await rebuildRollUps(keeper.url, dataset, zone);
  await keeper.database.transaction(async (queries) => {
    await recordAudit(
      queries,
      { ...keeper, viewer: null },
      { action: 'numbersCountedAnew', subjectType: 'dataset', subjectId: dataset, after: { zone } },
    );
    await publishGap(queries);
  });
}
