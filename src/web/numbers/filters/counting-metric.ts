// How many rows a dataset has: asked to know which values its fields take.
import type { DatasetKey } from '#core/numbers/datasets.ts';

const metricOfRows: Readonly<Record<DatasetKey, string>> = {
  orders: 'lines',
  donations: 'gifts',
  affiliate_activity: 'clicks',
  conversations: 'conversations',
  payouts: 'payouts',
  payments: 'attempts',
};

export const countingMetric = (dataset: DatasetKey): string => metricOfRows[dataset];
