// The time that people record on their tasks, by timer and manually (D33). Only they can read their entries,
// so the audit log has no times either, only the weeks of changed and removed ones.
import { isHalfUsed } from '#core/base/limits.ts';
import { type Refusal, refuse } from '#core/base/refusals.ts';
import { mondayOf } from '#core/toolbox/meeting-times.ts';
import {
  type Around,
  dayFullRefusal,
  finalRefusal,
  isEarlierWeek,
  isForgotten,
  type Monday,
  mostEntriesADay,
  oldWeekRefusal,
  sameTimeRefusal,
  startRefusal,
  stretchRefusal,
  timedTaskRefusal,
  weeksOf,
} from '#core/toolbox/time-entries.ts';
import { assertRecentProof, recordOwnChange } from '#server/access/auth/recent-proof.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { instantText } from '#server/platform/instant-text.ts';
import * as store from './time.store.ts';

export type Entry = store.EntryRow & { readonly forgotten: boolean };
const { from: readInstant } = Temporal.Instant;

export function assertOn({ settings }: RequestContext): void {
  if (!settings().timeTracker) throw new RefusalError(refuse('FORBIDDEN', 'The time tracker is off'));
}

function throwIf(refusal: Refusal | null): void {
  if (refusal) throw new RefusalError(refusal);
}

export const entryOf = ({ clock, config }: RequestContext, row: store.EntryRow): Entry => ({
  ...row,
  forgotten: row.endAt === null && isForgotten(readInstant(row.startAt), clock.now(), config.companyTimeZone),
});

/** Changes to a person's own time, one at a time. */
export function changeTime<Result>(
  context: RequestContext,
  work: (queries: Queries, now: Temporal.Instant) => Promise<Result>,
) {
  assertOn(context);
  return context.database.transaction(async (queries) => {
    await store.lockTimeOf(queries, context.viewer.id);
    return work(queries, context.clock.now());
  });
}

/** The surroundings of an entry, without the entry being changed. */
async function around(
  { viewer, config }: RequestContext,
  queries: Queries,
  [start, end]: readonly [Temporal.Instant, Temporal.Instant],
  now: Temporal.Instant,
  without: string | null,
): Promise<Around> {
  const zone = config.companyTimeZone;
  // Limits the weeks that are read, whatever the input.
  const weeks =
    Temporal.Instant.compare(start, end) < 0 && end.since(start).total('hours') < 200 ? weeksOf(start, end, zone) : [];
  const rows = await store.entriesWithin(queries, viewer.id, start.toString(), end.toString());
  return {
    others: rows
      .filter(({ id }) => id !== without)
      .map(({ startAt, endAt, ...row }) => ({
        ...row,
        start: readInstant(startAt),
        end: endAt === null ? null : readInstant(endAt),
      })),
    finalWeeks: (await store.finalWeeks(queries, viewer.id, weeks.map(String))).map(({ monday }) => monday),
    now,
    zone,
  };
}

export async function myTimer(context: RequestContext): Promise<Entry | null> {
  assertOn(context);
  const row = await store.runningEntry(context.database.drizzle, context.viewer.id);
  return row && entryOf(context, row);
}

/** Otherwise the night would count as work. */
function assertRemembered(context: RequestContext, running: store.EntryRow): void {
  if (!entryOf(context, running).forgotten) return;
  const message = `The timer for “${running.title}” ran overnight. First enter when you stopped`;
  throw new RefusalError(refuse('TRANSITION_NOT_ALLOWED', message));
}

/** Starts a task's timer and stops the running one at the same instant. Idempotent. */
export function startTimer(context: RequestContext, taskId: string): Promise<Entry> {
  return changeTime(context, async (queries, now) => {
    const { viewer } = context;
    throwIf(startRefusal(viewer.id, await store.timedTask(queries, taskId)));
    const running = await store.runningEntry(queries, viewer.id);
    if (running?.taskId === taskId) return entryOf(context, running);
    if (running) assertRemembered(context, running);
    throwIf(finalRefusal(now, now, await around(context, queries, [now, now.add({ milliseconds: 1 })], now, null)));
    await assertRoom(context, queries, instantText(now), null);
    if (running) await endEntry(queries, running, now);
    const id = await store.insertEntry(queries, viewer.id, { taskId, start: instantText(now), end: null });
    return entryOf(context, (await store.entryOf(queries, viewer.id, id)) as store.EntryRow);
  });
}

/** Drops an entry that would be empty. */
async function endEntry(
  queries: Queries,
  { id, taskId, startAt }: store.EntryRow,
  end: Temporal.Instant,
): Promise<void> {
  if (Temporal.Instant.compare(readInstant(startAt), end) >= 0) await store.deleteEntry(queries, id);
  else await store.updateEntry(queries, id, { taskId, start: startAt, end: instantText(end) });
}

/** Stops the running timer now, or at an earlier instant. Null if none is running. */
export function stopTimer(context: RequestContext, at: string | undefined): Promise<Entry | null> {
  return changeTime(context, async (queries, now) => {
    const running = await store.runningEntry(queries, context.viewer.id);
    if (!running) return null;
    const start = readInstant(running.startAt);
    const end = at === undefined ? now : readInstant(at);
    if (at === undefined) assertRemembered(context, running);
    else {
      throwIf(stretchRefusal(start, end, await around(context, queries, [start, end], now, running.id)));
      // It takes away the time since.
      await recordTimeChange(context, queries, mondayOf(start, context.config.companyTimeZone), 'timeEntryChanged');
    }
    await endEntry(queries, running, end);
    const row = await store.entryOf(queries, context.viewer.id, running.id);
    return row && entryOf(context, row);
  });
}

export type Stretch = { readonly taskId: string; readonly start: string; readonly end: string };

async function checkStretch(
  context: RequestContext,
  queries: Queries,
  stretch: Stretch,
  now: Temporal.Instant,
  without: string | null,
): Promise<void> {
  const [start, end] = [readInstant(stretch.start), readInstant(stretch.end)];
  throwIf(timedTaskRefusal(context.viewer.id, await store.timedTask(queries, stretch.taskId)));
  throwIf(sameTimeRefusal(start, end, context.config.companyTimeZone));
  throwIf(stretchRefusal(start, end, await around(context, queries, [start, end], now, without)));
  await assertChangeable(context, queries, mondayOf(start, context.config.companyTimeZone), now);
  await assertRoom(context, queries, stretch.start, without);
}

/** Time before last week takes a recent proof: a stolen token must not change what its owner won't look at. */
export async function assertChangeable(
  context: RequestContext,
  queries: Queries,
  week: Monday,
  now: Temporal.Instant,
): Promise<void> {
  const zone = context.config.companyTimeZone;
  throwIf(oldWeekRefusal(week, now, zone));
  if (isEarlierWeek(week, now, zone)) await assertRecentProof(queries, context);
}

/** From half of a day's entries on, only with a recent proof: a stolen token must not fill its owner's day. */
async function assertRoom(
  context: RequestContext,
  queries: Queries,
  start: string,
  without: string | null,
): Promise<void> {
  const entries = await store.countAround(queries, context.viewer.id, start, without);
  throwIf(dayFullRefusal(entries));
  if (isHalfUsed(entries, mostEntriesADay)) await assertRecentProof(queries, context);
}

export function addTime(context: RequestContext, stretch: Stretch): Promise<Entry> {
  const call = callKey(context, 'addTime', stretch);
  return changeTime(context, async (queries, now) => {
    const made = await findReplay(queries, context, call);
    if (made !== null) return entryOf(context, await ownEntry(context, queries, made));
    await checkStretch(context, queries, stretch, now, null);
    const id = await store.insertEntry(queries, context.viewer.id, stretch);
    await recordResult(queries, context, call, id);
    return entryOf(context, (await store.entryOf(queries, context.viewer.id, id)) as store.EntryRow);
  });
}

async function ownEntry({ viewer }: RequestContext, queries: Queries, id: string): Promise<store.EntryRow> {
  const row = await store.entryOf(queries, viewer.id, id);
  if (!row) throw new RefusalError(refuse('NOT_FOUND'));
  return row;
}

/** The person's own entry, in weeks that can still change. Records the change. */
async function changeable(
  context: RequestContext,
  queries: Queries,
  id: string,
  now: Temporal.Instant,
  action: 'timeEntryChanged' | 'timeEntryRemoved',
): Promise<store.EntryRow> {
  const row = await ownEntry(context, queries, id);
  const stretch = [readInstant(row.startAt), row.endAt === null ? now : readInstant(row.endAt)] as const;
  throwIf(finalRefusal(...stretch, await around(context, queries, stretch, now, id)));
  const monday = mondayOf(stretch[0], context.config.companyTimeZone);
  await assertChangeable(context, queries, monday, now);
  await recordTimeChange(context, queries, monday, action);
  return row;
}

function recordTimeChange(
  context: RequestContext,
  queries: Queries,
  monday: Monday,
  action: 'timeEntryChanged' | 'timeEntryRemoved',
): Promise<void> {
  const subject = { subjectType: 'person', subjectId: context.viewer.id };
  return recordOwnChange(queries, context, { action, ...subject, before: { monday: String(monday) } });
}

export function editTime(context: RequestContext, id: string, stretch: Stretch): Promise<Entry> {
  return changeTime(context, async (queries, now) => {
    const row = await changeable(context, queries, id, now, 'timeEntryChanged');
    if (row.endAt === null) throw new RefusalError(refuse('TRANSITION_NOT_ALLOWED', 'Stop the timer first'));
    await checkStretch(context, queries, stretch, now, id);
    await store.updateEntry(queries, id, stretch);
    return entryOf(context, (await store.entryOf(queries, context.viewer.id, id)) as store.EntryRow);
  });
}

/** Returns the removed entry, so it can be added again. */
export function removeTime(context: RequestContext, id: string): Promise<Entry> {
  return changeTime(context, async (queries, now) => {
    const row = await changeable(context, queries, id, now, 'timeEntryRemoved');
    await store.deleteEntry(queries, id);
    return entryOf(context, row);
  });
}
