// Two years of numbers up to today for every demo dashboard, mostly in dollars and some in euros. The same
// day gives the same numbers on every machine.

import type { SalesProduct } from '#core/access/products.ts';
import { tenThousandths } from '#core/base/decimals.ts';
import { type DatasetKey, datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import { applyRows } from '#server/numbers/batch.service.ts';
import { insertGoals } from '#server/numbers/number-goals.service.ts';
import type { NumberRow } from '#server/numbers/number-row.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { demoAffiliates } from './demo-affiliates.ts';
import { demoConversations } from './demo-conversations.ts';
import { demoGiving } from './demo-gifts.ts';
import { demoSales } from './demo-orders.ts';
import { demoPayouts } from './demo-payouts.ts';
import { seededRandom } from './random.ts';

/** Each dataset has its own seed, so changing one leaves the others alone. */
export function demoNumbers(now: Temporal.Instant, zone: string): Record<DatasetKey, NumberRow[]> {
  const clock = (seed: number) => ({ now: now.epochMilliseconds, zone, random: seededRandom(seed) });
  const { orders, payments } = demoSales(clock(101));
  const { donations, remittances } = demoGiving(clock(102));
  return {
    orders,
    payments,
    donations,
    payouts: [...demoPayouts(clock(103)), ...remittances],
    affiliate_activity: demoAffiliates(clock(104)),
    conversations: demoConversations(clock(105)),
  };
}

/** This month's goals in dollars, close to last month's results. */
const goals: Record<SalesProduct, bigint> = { connect: 24_000n, green: 2_400n, codex: 5_000n, bgp: 3_000n };

function demoGoals(now: Temporal.Instant, zone: string) {
  const month = now.toZonedDateTimeISO(zone).toPlainDate().with({ day: 1 }).toString();
  return Object.entries(goals).map(([scope, amount]) => ({
    ...{ dataset: 'orders' as const, scope, metric: 'net_sales', currency: 'USD', month },
    amount: amount * tenThousandths,
  }));
}

/** `adminId` set the goals. */
export async function insertDemoNumbers(
  queries: Queries,
  { now, zone, adminId }: { readonly now: Temporal.Instant; readonly zone: string; readonly adminId: string },
): Promise<void> {
  const numbers = demoNumbers(now, zone);
  for (const dataset of datasetKeys) await applyRows(queries, dataset, numbers[dataset], { zone, source: 'demo' });
  await insertGoals(queries, demoGoals(now, zone), { by: adminId, at: now.toString() });
}

/** The filled tables, for the planner to analyze. */
export const demoTables: readonly string[] = [
  ...datasetKeys.flatMap((dataset) => [dataset, ...datasetOf(dataset).rollUps.map(({ name }) => `${dataset}_${name}`)]),
  'order_headers',
  'order_headers_daily',
  'first_gifts',
];
