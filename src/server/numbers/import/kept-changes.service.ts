// Limits what is kept to undo imports. A person's imports end the undo of their older ones only after a recent
// proof, so a stolen token can't destroy the record of what it overwrote.
import { isHalfUsed } from '#core/base/limits.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import * as store from './kept-changes.store.ts';

/** How long an import can be undone. */
const keptHours = 400 * 24;
/** Changed rows whose previous state is kept, about a kilobyte each; new rows cost nothing. */
const changesKept = 5_000_000;
/** For so long, other senders' imports end the undo of no person's. */
const personsKeptHours = 30 * 24;

/** Whether a person's imports have used half of the changes that are kept: from there on, each needs a proof. */
export async function isUndoHalfFull(
  { database }: Pick<Services, 'database'>,
  personId: string | undefined,
): Promise<boolean> {
  return personId !== undefined && isHalfUsed(await store.countChangesOf(database.drizzle, personId), changesKept);
}

/** Before the file of an import without a recent proof is sent. */
export async function assertUndoRoom(
  services: Pick<Services, 'database'>,
  personId: string | undefined,
): Promise<void> {
  if (await isUndoHalfFull(services, personId)) throw new RefusalError(refuse('CONFIRM_IDENTITY'));
}

/** After an import with a recent proof. If this fails, the next one tries again. */
export async function dropOwnChanges(
  { database }: Pick<Services, 'database'>,
  personId: string | undefined,
): Promise<void> {
  if (personId !== undefined) await store.dropChangesOf(database.drizzle, personId, changesKept).catch(() => {});
}

/** After every import. If this fails, the next one tries again. */
export async function dropOldChanges({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  const ago = (hours: number) => clock.now().subtract({ hours }).toString();
  const old = { before: ago(keptHours), peopleBefore: ago(personsKeptHours) };
  await store.dropOldChanges(database.drizzle, old, changesKept).catch(() => {});
}
