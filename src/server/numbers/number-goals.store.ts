// SQL of monthly goals.
import { sql } from 'drizzle-orm';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type GoalPlace = {
  readonly dataset: DatasetKey;
  readonly scope: string | null;
  readonly metric: string;
  /** Null if the metric isn't money. */
  readonly currency: string | null;
  /** The first day of the month. */
  readonly month: string;
};
export type GoalRow = { readonly metric: string; readonly currency: string | null; readonly amount: string };

/** The currency's goals, and those without a currency. */
export async function readGoals(
  queries: Queries,
  { dataset, scope, currency, month }: Omit<GoalPlace, 'metric'>,
): Promise<GoalRow[]> {
  const { rows } = await queries.execute<GoalRow>(sql`
    select metric, currency, amount::text from number_goals
    where dataset = ${dataset} and scope is not distinct from ${scope} and month = ${month}::date and (currency = ${currency} or currency is null)
    order by metric`);
  return rows;
}

/** The previous amount, or null. */
export async function saveGoal(
  queries: Queries,
  { dataset, scope, metric, currency, month }: GoalPlace,
  { amount, by, at }: { readonly amount: bigint | null; readonly by: string; readonly at: string },
): Promise<{ readonly before: string | null; readonly changed: boolean }> {
  const place = sql`dataset = ${dataset} and scope is not distinct from ${scope} and metric = ${metric}
    and currency is not distinct from ${currency} and month = ${month}::date`;
  const { rows } = await queries.execute<{ amount: string }>(
    sql`select amount::text from number_goals where ${place} for update`,
  );
  const before = rows[0]?.amount ?? null;
  if (before === (amount === null ? null : String(amount))) return { before, changed: false };
  await queries.execute(
    amount === null
      ? sql`delete from number_goals where ${place}`
      : sql`insert into number_goals (dataset, scope, metric, currency, month, amount, set_by, set_at)
          values (${dataset}, ${scope}, ${metric}, ${currency}, ${month}::date, ${amount}, ${by}, ${at})
          on conflict (dataset, scope, metric, currency, month)
          do update set amount = excluded.amount, set_by = excluded.set_by, set_at = excluded.set_at`,
  );
  return { before, changed: true };
}
