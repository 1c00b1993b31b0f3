// What areas above people know about people's work.
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { createHook } from '#server/platform/hook.ts';

export type OpenWork = {
  /** Their own tasks of the current and coming sprints that aren't signed off. */
  readonly openTasks: number;
  /** Other people's tasks that wait for the decision of one of them. */
  readonly toDecide: number;
};

export const accountTiesHook = createHook<{
  openWork(queries: Queries, personIds: readonly string[], now: Temporal.Instant): Promise<OpenWork>;
  /** The titles of the meetings that these people chair. */
  chairedMeetings(
    context: Pick<Services, 'clock' | 'config'>,
    queries: Queries,
    personIds: readonly string[],
  ): Promise<string[]>;
  /** The titles of the tools that these people own, of those that the viewer can see. */
  ownedTools(
    context: Pick<RequestContext, 'viewer'>,
    queries: Queries,
    personIds: readonly string[],
  ): Promise<string[]>;
}>('accountTiesHook');
