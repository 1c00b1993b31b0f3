// What areas above people know about the work of a person.
import type { Queries } from '#server/platform/db/database.ts';
import { createHook } from '#server/platform/hook.ts';

export type OpenWork = {
  /** The person's own tasks of this sprint and the next ones that are not signed off. */
  readonly openTasks: number;
  /** Tasks of others that wait for this person's decision. */
  readonly toDecide: number;
};

export const accountTiesHook = createHook<{
  openWork(queries: Queries, personId: string, now: Temporal.Instant): Promise<OpenWork>;
  /** The titles of the meetings that the person chairs. */
  chairedMeetings(queries: Queries, personId: string): Promise<string[]>;
}>('accountTiesHook');
