// Whether somebody may manage another person's account, by what both hold in the database at that moment.
import type { Viewer } from '#core/access/access.ts';
import { accountControlRefusal } from '#core/access/holdings.ts';
import { type Refusal, refuse } from '#core/base/refusals.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { readHoldings } from './account-control.store.ts';

/** Why this person may not manage that account, or null. See `accountControlRefusal` for what managing covers. */
export async function readAccountControl(
  queries: Queries,
  manager: Pick<Viewer, 'id'>,
  personId: string,
): Promise<Refusal | null> {
  const holdings = await readHoldings(queries, [manager.id, personId]);
  const [holder, account] = [holdings.get(manager.id), holdings.get(personId)];
  if (!holder || !account) return refuse('NOT_FOUND');
  return accountControlRefusal(holder, account);
}
