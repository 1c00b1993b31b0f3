// How much work depends on a person, shown before disabling their account.
import { type TaskStatus, taskStatuses } from '#core/tasks/task-status.ts';
import type { OpenWork } from '#server/people/account-ties-hook.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { countAwaiting, countOwned } from './tasks.store.ts';

export async function openWorkOf(queries: Queries, personId: string, now: Temporal.Instant): Promise<OpenWork> {
  const open = (Object.keys(taskStatuses) as TaskStatus[]).filter((status) => status !== 'DONE');
  const awaiting = await countAwaiting(queries, { id: personId, alsoUnapproved: false, due: null });
  return {
    openTasks: await countOwned(queries, personId, open, now.toString()),
    toDecide: Object.values(awaiting).reduce((sum, count) => sum + (count ?? 0), 0),
  };
}
