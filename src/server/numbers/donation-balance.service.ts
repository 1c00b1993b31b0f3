// What was collected for a cause, how much was remitted, and the rest. Remittances are payouts of that kind
// whose program is the cause: people with access to the cause see their sum, and nothing else of the payouts.
import { decimalText } from '#core/base/decimals.ts';
import { readInput } from '#core/base/inputs.ts';
import { balanceInput, scopeRefusal } from '#core/numbers/number-request.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { currencyOfMostGifts, readBalance } from './donation-balance.store.ts';
import { assertMayRead, unknownCurrency } from './number-access.ts';

export type DonationBalance = {
  readonly currency: string | null;
  readonly collected: string;
  readonly remitted: string;
  readonly open: string;
};

/** In the requested currency, or else the one of most gifts. */
export async function donationBalance(context: RequestContext, args: object): Promise<DonationBalance> {
  const { cause, currency: asked = null } = orThrow(readInput(balanceInput, args));
  const refusal = scopeRefusal('donations', cause);
  if (refusal) throw new RefusalError({ ...refusal, field: 'cause' });
  assertMayRead(context.viewer, 'donations', cause);
  const { currency, isKnown, collected, remitted } = await context.reader.read(async (queries) => {
    const currency = asked ?? (await currencyOfMostGifts(queries, cause));
    return { currency, ...(await readBalance(queries, cause, currency)) };
  });
  if (asked !== null && !isKnown) throw unknownCurrency(asked);
  return {
    currency,
    collected: decimalText(collected),
    remitted: decimalText(remitted),
    open: decimalText(collected - remitted),
  };
}
