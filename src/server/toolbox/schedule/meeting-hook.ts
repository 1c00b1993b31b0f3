// What the schedule reports to the areas above it, in the change's transaction.
import type { MeetingNews } from '#core/toolbox/meeting-changes.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { createHook } from '#server/platform/hook.ts';

export type ChangedMeeting = { readonly id: string; readonly title: string };

export const meetingHook = createHook<{
  meetingChanged(
    context: RequestContext,
    queries: Queries,
    meeting: ChangedMeeting,
    news: readonly MeetingNews[],
  ): Promise<void>;
}>('meetingHook');
