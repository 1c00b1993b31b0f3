// Tracks changes of permissions, whatever caused them, and notifies the areas above of each person's changes.
import { heldPermissions } from '#core/access/access.ts';
import type { Queries } from '#server/platform/db/database.ts';
import * as store from './access-changes.store.ts';
import { type Access, type AccessActor, accessHook, type ZonedActor } from './access-hook.ts';

type Changing = AccessActor & ZonedActor & Required<Pick<AccessActor, 'viewer'>>;
type NamedAccess = Access & { readonly name: string };

async function readAccess(queries: Queries, ids: readonly string[]): Promise<Map<string, NamedAccess>> {
  const rows = await store.accessOf(queries, ids);
  return new Map(
    rows.map(({ id, stored, ...row }) => [id, { ...row, permissions: heldPermissions(row.role, stored) }]),
  );
}

/** Reports what a new person can do, for their approvers. */
export async function reportNewPerson(context: Changing, queries: Queries, personId: string): Promise<void> {
  const changes = [...(await readAccess(queries, [personId]))].map(([id, after]) => ({
    ...{ personId: id, name: after.name, before: null, after },
  }));
  await accessHook.handlers().accessChanged(context, queries, changes);
}

/**
 * Compares these people's access before and after the change. Changes people made to themselves aren't
 * reported.
 */
export async function trackAccess<Result>(
  context: Changing,
  queries: Queries,
  personIds: readonly string[],
  change: () => Promise<Result>,
): Promise<Result> {
  const ids = personIds.filter((id) => id !== context.viewer?.id);
  const before = await readAccess(queries, ids);
  const result = await change();
  const after = await readAccess(queries, ids);
  const changes = [...after].flatMap(([personId, access]) => {
    const earlier = before.get(personId);
    return earlier ? [{ personId, name: access.name, before: earlier, after: access }] : [];
  });
  await accessHook.handlers().accessChanged(context, queries, changes);
  return result;
}

/** The same for a new default approver, which affects everyone with tasks and no approver. */
export async function trackDefaultApprover<Result>(
  context: Changing,
  queries: Queries,
  change: () => Promise<Result>,
): Promise<Result> {
  return trackAccess(context, queries, await store.withoutApproverOfTheirOwn(queries), change);
}
