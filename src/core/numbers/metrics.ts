// All metrics of all datasets; each has a definition that the product shows. Used by the query builder, the
// tiles, the definition cards and the CSV.

import { affiliateMetrics } from './affiliate-metrics.ts';
import { conversationMetrics } from './conversation-metrics.ts';
import type { DatasetKey } from './datasets.ts';
import { donationMetrics } from './donation-metrics.ts';
import type { Metric } from './metric.ts';
import { orderMetrics } from './order-metrics.ts';
import { paymentMetrics } from './payment-metrics.ts';
import { payoutMetrics } from './payout-metrics.ts';

export type { Metric, Unit } from './metric.ts';

export const metrics = {
  orders: orderMetrics,
  donations: donationMetrics,
  affiliate_activity: affiliateMetrics,
  conversations: conversationMetrics,
  payouts: payoutMetrics,
  payments: paymentMetrics,
} as const satisfies Readonly<Record<DatasetKey, Readonly<Record<string, Metric>>>>;

/** A dataset's metric by an untrusted name, or null. */
export function metricOf(dataset: DatasetKey, name: string): Metric | null {
  const known: Readonly<Record<string, Metric>> = metrics[dataset];
  return Object.hasOwn(known, name) ? (known[name] ?? null) : null;
}
