// What areas above people know about a person's work.
import type { Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { createHook } from '#server/platform/hook.ts';

export type OpenWork = {
  /** The person's own tasks of the current and coming sprints that aren't signed off. */
  readonly openTasks: number;
  /** Other people's tasks that wait for this person's decision. */
  readonly toDecide: number;
};

export const accountTiesHook = createHook<{
  openWork(queries: Queries, personId: string, now: Temporal.Instant): Promise<OpenWork>;
  /** The titles of the meetings that the person chairs. */
  chairedMeetings(context: Pick<Services, 'clock' | 'config'>, queries: Queries, personId: string): Promise<string[]>;
}>('accountTiesHook');
