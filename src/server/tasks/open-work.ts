// How much work hangs on a person, for whoever is about to disable the account.
import { type TaskStatus, taskStatuses } from '#core/tasks/task-status.ts';
import type { Queries } from '../db/database.ts';
import { countAwaiting, countOwned } from './tasks.store.ts';

export type OpenWork = {
  /** The person's own tasks of this sprint and the next ones that are not signed off. */
  readonly openTasks: number;
  /** Tasks of others that wait for this person's decision. */
  readonly toDecide: number;
};

export async function openWorkOf(queries: Queries, personId: string, now: Temporal.Instant): Promise<OpenWork> {
  const open = (Object.keys(taskStatuses) as TaskStatus[]).filter((status) => status !== 'DONE');
  const awaiting = await countAwaiting(queries, personId, false);
  return {
    openTasks: await countOwned(queries, personId, open, now.toString()),
    toDecide: Object.values(awaiting).reduce((sum, count) => sum + (count ?? 0), 0),
  };
}
