// The weeks of the time tracker: a person's own with entries, marked final or reopened, and the totals that
// others can see. The audit log records that a week was marked final, but no times.

import { refuse } from '#core/base/refusals.ts';
import { mondayOf } from '#core/toolbox/meeting-times.ts';
import {
  canSeeTimeOf,
  dayStarts,
  finishRefusal,
  isEarlierWeek,
  readMonday,
  reopenRefusal,
  trendWeeks,
} from '#core/toolbox/time-entries.ts';
import { assertRecentProof, recordOwnChange } from '#server/access/auth/recent-proof.ts';
import { ownerOf } from '#server/people/people.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { instantText } from '#server/platform/instant-text.ts';
import { assertOn, changeTime, type Entry, entryOf } from './time.service.ts';
import * as store from './time.store.ts';

const { from: readInstant } = Temporal.Instant;

export type Week = {
  readonly monday: string;
  readonly final: boolean;
  readonly canReopen: boolean;
  readonly entries: readonly Entry[];
};

/** The caller's week with every entry that overlaps it. */
export async function timeWeek(context: RequestContext, monday: string): Promise<Week> {
  assertOn(context);
  return readWeek(context, context.database.drizzle, orThrow(readMonday(monday)));
}

async function readWeek(context: RequestContext, queries: Queries, monday: Temporal.PlainDate): Promise<Week> {
  const { viewer, config, clock } = context;
  const starts = dayStarts(monday, config.companyTimeZone);
  const rows = await store.entriesWithin(queries, viewer.id, String(starts[0]), String(starts[7]));
  const [final] = await store.finalWeeks(queries, viewer.id, [String(monday)]);
  return {
    monday: String(monday),
    final: final !== undefined,
    canReopen:
      final !== undefined &&
      reopenRefusal(monday, readInstant(final.finalAt), clock.now(), config.companyTimeZone) === null,
    entries: rows.map((row) => entryOf(context, row)),
  };
}

export function setFinal(context: RequestContext, text: string, final: boolean): Promise<Week> {
  const monday = orThrow(readMonday(text));
  return changeTime(context, async (queries, now) => {
    const { viewer, config } = context;
    const zone = config.companyTimeZone;
    const [known] = await store.finalWeeks(queries, viewer.id, [String(monday)]);
    const running = await store.runningEntry(queries, viewer.id);
    const since = running && readInstant(running.startAt);
    const refusal = final
      ? finishRefusal(monday, since, now, zone)
      : known && reopenRefusal(monday, readInstant(known.finalAt), now, zone);
    if (refusal) throw new RefusalError(refusal);
    if (isEarlierWeek(monday, now, zone)) await assertRecentProof(queries, context);
    const changed = final
      ? await store.insertFinalWeek(queries, viewer.id, String(monday), instantText(now))
      : await store.deleteFinalWeek(queries, viewer.id, String(monday));
    if (changed)
      await recordOwnChange(queries, context, {
        action: final ? 'timeWeekFinished' : 'timeWeekReopened',
        subjectType: 'person',
        subjectId: viewer.id,
        before: { monday: String(monday), final: !final },
        after: { monday: String(monday), final },
      });
    return readWeek(context, queries, monday);
  });
}

/** The totals of the latest weeks, oldest first, of the caller or someone whose tasks the caller decides. */
export async function timeWeeks(
  context: RequestContext,
  userId: string = context.viewer.id,
): Promise<store.WeekSumRow[]> {
  assertOn(context);
  const { viewer, impersonator, database, clock, config } = context;
  const owner = await ownerOf(database.drizzle, userId);
  if (!owner || !canSeeTimeOf(viewer, owner)) throw new RefusalError(refuse('NOT_FOUND'));
  const zone = config.companyTimeZone;
  const last = mondayOf(clock.now(), zone);
  const weeks = Array.from({ length: trendWeeks }, (_, index) => {
    const monday = last.subtract({ days: 7 * (trendWeeks - 1 - index) });
    const starts = dayStarts(monday, zone);
    return { monday: String(monday), start: String(starts[0]), end: String(starts[7]) };
  });
  // Others can't see whether a timer is running.
  const runningUntil = viewer.id === owner.id && !impersonator ? instantText(clock.now()) : null;
  return store.weekSums(database.drizzle, owner.id, weeks, runningUntil);
}
