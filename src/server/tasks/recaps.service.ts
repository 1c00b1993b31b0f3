// Recaps: a person closes a week with what they learned. The person's approvers see it next to the result.

import { sql } from 'drizzle-orm';
import { isAdmin } from '#core/access/access.ts';
import type { PageAfter } from '#core/base/inputs.ts';
import { limits } from '#core/base/limits.ts';
import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { recordOwnChange, unprovenEdits } from '#server/access/auth/recent-proof.ts';
import { ownerOf } from '#server/people/people.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { ownersDecidedBy } from './awaiting-tasks.ts';
import { assertSprintAllows, inTaskTransaction } from './change-task.ts';
import * as store from './recaps.store.ts';
import { taskHook } from './task-hook.ts';
import { isVisibleTo } from './visible-tasks.ts';

export type Recap = Omit<store.RecapRow, 'email' | 'firstName' | 'lastName'> & { readonly displayName: string };

const recapOf = ({ email, firstName, lastName, ...row }: store.RecapRow): Recap => ({
  ...row,
  displayName: displayName({ email, firstName, lastName }),
  closedAt: instantText(Temporal.Instant.from(row.closedAt)),
  editedAt: row.editedAt && instantText(Temporal.Instant.from(row.editedAt)),
});

/** The recap of one person's sprint, for those who can see the person's tasks. */
export async function recapOfSprint(
  { database, viewer }: Pick<RequestContext, 'database' | 'viewer'>,
  sprintId: string,
  personId: string,
  queries: Queries = database.drizzle,
): Promise<Recap | null> {
  const which = sql`t.sprint_id = ${sprintId} and t.owner_id = ${personId} and ${isVisibleTo(viewer)}`;
  const [row] = await store.findRecaps(queries, which, { limit: 1 });
  return row ? recapOf(row) : null;
}

/** The recaps of the people whose tasks come to the caller for approval, newest first. */
export async function weekRecaps(
  { database, viewer }: RequestContext,
  { limit = limits.page, after }: PageAfter,
): Promise<Recap[]> {
  const owners = ownersDecidedBy(viewer, isAdmin(viewer));
  const which = sql`t.owner_id in (${owners}) and ${isVisibleTo(viewer)}`;
  return (await store.findRecaps(database.drizzle, which, { limit, after })).map(recapOf);
}

type RecapWish = {
  readonly sprintId: string;
  readonly learned: string;
  readonly version?: number | undefined;
};

const recapChanged = refuse('CONFLICT', 'You saved a different recap somewhere else. Review it and try again');

/** Closes the caller's week with what they learned, or edits that, until the sprint is settled. */
export function closeWeek(context: RequestContext, { sprintId, learned, version }: RecapWish): Promise<Recap> {
  const { viewer } = context;
  return inTaskTransaction(context, async (queries) => {
    const now = await assertSprintAllows(context, queries, sprintId, 'recap');
    const saved = await store.saveRecap(queries, {
      sprintId,
      personId: viewer.id,
      learned,
      version,
      at: instantText(now),
    });
    const recap = (await recapOfSprint(context, sprintId, viewer.id, queries)) as Recap;
    // Sent twice, it has the text already.
    if (!saved && recap.learned !== learned) throw new RefusalError(recapChanged);
    if (saved) await tell(context, queries, recap, saved.isNew, now);
    return recap;
  });
}

async function tell(
  context: RequestContext,
  queries: Queries,
  recap: Recap,
  isNew: boolean,
  now: Temporal.Instant,
): Promise<void> {
  const entry = {
    action: isNew ? 'weekClosed' : 'weekRecapEdited',
    subjectType: 'person',
    subjectId: recap.ownerId,
    after: { sprint: recap.sprintName, characters: recap.learned.length },
  };
  // No history has the replaced text.
  await recordOwnChange(queries, context, entry, isNew ? {} : { unproven: unprovenEdits });
  const owner = await ownerOf(queries, recap.ownerId);
  if (!owner) return;
  const { weekClosed, recapEdited } = taskHook.handlers();
  await (isNew ? weekClosed : recapEdited)(context, queries, { ...recap, owner, now });
}
