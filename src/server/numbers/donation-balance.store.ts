// SQL of a cause's all-time balance.
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

/** Remittances to the cause: their program is its name or its key, as `namesCause` of the core reads it. */
const toCause = (cause: string): SQL => sql`kind = 'remittance'
  and trim('-' from regexp_replace(lower(program), '[^a-z0-9]+', '-', 'g')) = ${cause}`;

/** In ten-thousandths. Collected is after known fees, which never reach the cause. */
export async function readBalance(
  queries: Queries,
  cause: string,
  currency: string | null,
): Promise<{ isKnown: boolean; collected: bigint; remitted: bigint }> {
  const { rows } = await queries.execute<{ isKnown: boolean; collected: string; remitted: string }>(sql`
    select
      exists (select from donations_totals where cause = ${cause} and currency = ${currency})
        or exists (select from payouts_daily where currency = ${currency} and ${toCause(cause)}) as "isKnown",
      (select coalesce(sum(amount - fee), 0) from donations_totals
        where cause = ${cause} and currency = ${currency} and status = 'completed')::text as collected,
      (select coalesce(sum(amount), 0) from payouts_daily
        where currency = ${currency} and ${toCause(cause)} and status = 'paid')::text as remitted`);
  const { isKnown, collected, remitted } = rows[0]!;
  return { isKnown, collected: BigInt(collected), remitted: BigInt(remitted) };
}

/** The currency of most gifts to the cause, or null without any. */
export async function currencyOfMostGifts(queries: Queries, cause: string): Promise<string | null> {
  const { rows } = await queries.execute<{ currency: string }>(sql`
    select currency from donations_totals where cause = ${cause} group by currency order by sum(row_count) desc, currency limit 1`);
  return rows[0]?.currency ?? null;
}
