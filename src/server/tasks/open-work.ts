// How much work depends on people, shown before disabling their accounts.
import { type TaskStatus, taskStatuses } from '#core/tasks/task-status.ts';
import type { OpenWork } from '#server/people/account-ties-hook.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { countAwaitingAny, countOwned } from './tasks.store.ts';

export async function openWorkOf(
  queries: Queries,
  personIds: readonly string[],
  now: Temporal.Instant,
): Promise<OpenWork> {
  const open = (Object.keys(taskStatuses) as TaskStatus[]).filter((status) => status !== 'DONE');
  return {
    openTasks: await countOwned(queries, personIds, open, now.toString()),
    toDecide: await countAwaitingAny(queries, personIds),
  };
}
