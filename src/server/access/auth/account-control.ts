// Whether somebody may manage another person's account, by what both hold in the database at that moment.
import type { Viewer } from '#core/access/access.ts';
import { accountControlRefusal } from '#core/access/holdings.ts';
import { type Refusal, refuse } from '#core/base/refusals.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { readHoldings } from './account-control.store.ts';

/** Why this person may not manage each of these accounts, or null. See `accountControlRefusal` for what managing covers. */
export async function readAccountControls(
  queries: Queries,
  manager: Pick<Viewer, 'id'>,
  personIds: readonly string[],
): Promise<Map<string, Refusal | null>> {
  const holdings = await readHoldings(queries, [manager.id, ...personIds]);
  const holder = holdings.get(manager.id);
  return new Map(
    personIds.map((id) => {
      const account = holdings.get(id);
      return [id, holder && account ? accountControlRefusal(holder, account) : refuse('NOT_FOUND')];
    }),
  );
}

/** The same for one account. */
export async function readAccountControl(
  queries: Queries,
  manager: Pick<Viewer, 'id'>,
  personId: string,
): Promise<Refusal | null> {
  return (await readAccountControls(queries, manager, [personId])).get(personId) ?? null;
}
