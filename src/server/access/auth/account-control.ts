// Whether a person can manage another account, by the current permissions of both.
import { accountControlRefusal, accountReachRefusal } from '#core/access/holdings.ts';
import { type Refusal, refuse } from '#core/base/refusals.ts';
import type { Clock } from '#server/platform/db/clock.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { readHoldings } from './account-control.store.ts';

export { takenOffLately } from './account-control.store.ts';

type Rule = typeof accountControlRefusal;
type Asking = { readonly viewer: { readonly id: string }; readonly clock: Clock };

/** Why this person can't enable each account, or null. */
export async function readAccountControls(
  queries: Queries,
  { viewer, clock }: Asking,
  personIds: readonly string[],
  rule: Rule = accountControlRefusal,
): Promise<Map<string, Refusal | null>> {
  const holdings = await readHoldings(queries, clock, [viewer.id, ...personIds]);
  const holder = holdings.get(viewer.id);
  return new Map(
    personIds.map((id) => {
      const account = holdings.get(id);
      return [id, holder && account ? rule(holder, account) : refuse('NOT_FOUND')];
    }),
  );
}

/** The same for one account. */
export async function readAccountControl(queries: Queries, manager: Asking, personId: string): Promise<Refusal | null> {
  return (await readAccountControls(queries, manager, [personId])).get(personId) ?? null;
}

/** Why this person can't see the account's sign-in link or change its email, or null. */
export async function readAccountReach(queries: Queries, manager: Asking, personId: string): Promise<Refusal | null> {
  return (await readAccountControls(queries, manager, [personId], accountReachRefusal)).get(personId) ?? null;
}
