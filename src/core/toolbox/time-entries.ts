// Decides what can be done with time on tasks: starting, stopping, manual entries, and final weeks (D33).
// Used by the server before every change, and by the page.
import * as z from 'zod/mini';
import { inArea, type Viewer } from '../access/access.ts';
import { clockInZone } from '../base/day-words.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { isDecider, type TaskOwner } from '../tasks/task.ts';
import { taskIdInput } from '../tasks/task-inputs.ts';
import { mondayOf } from './meeting-times.ts';

/** A time entry; without an end it is running. Start and end are instants, so durations are exact. */
export type TimeEntry = {
  readonly id: string;
  readonly taskId: string;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant | null;
};

/** The Monday of a calendar week in the company's zone. */
export type Monday = Temporal.PlainDate;

const { taskId: id } = taskIdInput.shape;
const instant = z.string().check(
  z.refine<string>((text) => {
    try {
      return /^20\d\d-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,3})?Z$/.test(text) && Temporal.Instant.from(text) !== null;
    } catch {
      return false;
    }
  }, 'is not an instant like 2026-11-18T09:00:00Z'),
);
const day = z
  .string()
  .check(z.regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'must be a date like 2026-11-16'));

export const startTimerInput = z.strictObject({ taskId: id });
export const stopTimerInput = z.strictObject({ at: z.optional(instant) });
export const addTimeInput = z.strictObject({ taskId: id, start: instant, end: instant });
export const editTimeInput = z.strictObject({ id, taskId: id, start: instant, end: instant });
export const timeEntryIdInput = z.strictObject({ id });
export const timeWeekInput = z.strictObject({ monday: day });
export const timeWeeksInput = z.strictObject({ userId: z.optional(id) });

/** How many weeks a trend shows, ending with the current one. */
export const trendWeeks = 13;

const { compare } = Temporal.Instant;

/** The requested Monday, or a refusal: no other day names a week. */
export function readMonday(text: string): Monday | Refusal {
  try {
    const date = Temporal.PlainDate.from(text, { overflow: 'reject' });
    if (date.dayOfWeek === 1) return date;
  } catch {
    // A nonexistent day, such as February 31.
  }
  return refuse('BAD_INPUT', 'monday is not a Monday', { field: 'monday' });
}

/**
 * The first instant of each of the seven days and of the day after. A day has 23 to 25 hours when clocks
 * change.
 */
export function dayStarts(monday: Monday, zone: string): Temporal.Instant[] {
  return Array.from({ length: 8 }, (_, index) => monday.add({ days: index }).toZonedDateTime(zone).toInstant());
}

const latest = (a: Temporal.Instant, b: Temporal.Instant) => (compare(a, b) >= 0 ? a : b);
const earliest = (a: Temporal.Instant, b: Temporal.Instant) => (compare(a, b) <= 0 ? a : b);

export const mostEntriesADay = 200;

/** Why the person can't start another entry, with this many within 12 hours, or null. */
export function dayFullRefusal(entries: number): Refusal | null {
  return entries >= mostEntriesADay
    ? refuse('BAD_INPUT', `A day can have up to ${mostEntriesADay} entries. Combine several short ones`, {
        field: 'start',
      })
    : null;
}

/** An entry's seconds between two instants; a running one counts up to now. */
export function secondsBetween(
  entry: Pick<TimeEntry, 'start' | 'end'>,
  from: Temporal.Instant,
  to: Temporal.Instant,
  now: Temporal.Instant,
): number {
  const [start, end] = [latest(entry.start, from), earliest(entry.end ?? now, to)];
  return Math.max(0, Math.floor((end.epochMilliseconds - start.epochMilliseconds) / 1000));
}

/** Seconds by task and day, for the week's grid. */
export function weekGrid(
  entries: readonly TimeEntry[],
  monday: Monday,
  zone: string,
  now: Temporal.Instant,
): ReadonlyMap<string, readonly number[]> {
  const starts = dayStarts(monday, zone);
  const grid = new Map<string, number[]>();
  for (const entry of entries) {
    const row = grid.get(entry.taskId) ?? Array(7).fill(0);
    grid.set(
      entry.taskId,
      row.map((seconds, day) => seconds + secondsBetween(entry, starts[day]!, starts[day + 1]!, now)),
    );
  }
  return grid;
}

/** The running timer was started on an earlier day, so the page asks when the work really ended. */
export function isForgotten(start: Temporal.Instant, now: Temporal.Instant, zone: string): boolean {
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(zone).toPlainDate();
  return Temporal.PlainDate.compare(dayOf(start), dayOf(now)) < 0;
}

/** Who sees a person's weekly totals: the person and their deciders. The entries are the person's alone. */
export function canSeeTimeOf(viewer: Viewer, owner: TaskOwner): boolean {
  return viewer.id === owner.id || isDecider(inArea(viewer, 'time'), owner);
}

/** The task as a timer needs it. */
export type TimedTask = { readonly ownerId: string; readonly withdrawn: boolean };

/** Only the owner of a task records time on it; to others it looks as if it didn't exist. */
export function timedTaskRefusal(personId: string, task: TimedTask | null): Refusal | null {
  return task?.ownerId === personId ? null : refuse('NOT_FOUND');
}

/** No timer starts on a withdrawn task. Time that was spent on it can still be entered and corrected. */
export function startRefusal(personId: string, task: TimedTask | null): Refusal | null {
  const refusal = timedTaskRefusal(personId, task);
  if (refusal) return refusal;
  return task?.withdrawn ? refuse('TRANSITION_NOT_ALLOWED', 'This task was withdrawn') : null;
}

/** The weeks that an entry touches. One that ends at midnight on Sunday isn't in the next week. */
export function weeksOf(start: Temporal.Instant, end: Temporal.Instant, zone: string): Monday[] {
  const weeks: Monday[] = [];
  const last = mondayOf(latest(start, end.subtract({ nanoseconds: 1 })), zone);
  for (let week = mondayOf(start, zone); Temporal.PlainDate.compare(week, last) <= 0; week = week.add({ days: 7 }))
    weeks.push(week);
  return weeks;
}

/** What a change can conflict with: the person's other entries, and final weeks. */
export type Around = {
  readonly others: readonly (TimeEntry & { readonly title: string })[];
  readonly finalWeeks: readonly string[];
  readonly now: Temporal.Instant;
  readonly zone: string;
};

const longestDays = 7;

/** Why an entry isn't possible, or null. Nothing is trimmed: the refusal names the conflict. */
export function stretchRefusal(start: Temporal.Instant, end: Temporal.Instant, around: Around): Refusal | null {
  const { others, now, zone } = around;
  if (compare(start, end) >= 0) return refuse('BAD_INPUT', 'The end must be after the start', { field: 'end' });
  if (compare(end, now) > 0) return refuse('BAD_INPUT', 'You can’t enter time in the future', { field: 'end' });
  if (end.epochMilliseconds - start.epochMilliseconds > longestDays * 86_400_000)
    return refuse('BAD_INPUT', `An entry can’t be longer than ${longestDays} days`, { field: 'end' });
  const final = finalRefusal(start, end, around);
  if (final) return final;
  const met = others.find((other) => compare(other.start, end) < 0 && compare(start, other.end ?? now) < 0);
  if (!met) return null;
  const until = met.end === null ? 'now (still running)' : clockInZone(met.end, zone);
  return refuse('BAD_INPUT', `This overlaps “${met.title}” from ${clockInZone(met.start, zone)} to ${until}`, {
    field: 'start',
  });
}

const mostTypedHours = 12;

/**
 * Whether typed times are a slip: 16:00 to 15:30 is not 23.5 hours of work. `before`: the entry's seconds. A
 * timer's entry can be longer, and Undo adds it again, so only the form asks.
 */
export const isTypedTooLong = (seconds: number, before: number): boolean =>
  seconds > Math.max(mostTypedHours * 3_600, before);

/** The same time on two days is a slip of the keyboard, not 24 hours of work. */
export function sameTimeRefusal(start: Temporal.Instant, end: Temporal.Instant, zone: string): Refusal | null {
  const nextDay = start.toZonedDateTimeISO(zone).toPlainDate().add({ days: 1 });
  const isNextDay = end.toZonedDateTimeISO(zone).toPlainDate().equals(nextDay);
  return isNextDay && clockInZone(start, zone) === clockInZone(end, zone)
    ? refuse('BAD_INPUT', '“From” and “To” are the same time', { field: 'end' })
    : null;
}

/** A final week must be reopened before it can change. */
export function finalRefusal(
  start: Temporal.Instant,
  end: Temporal.Instant,
  { finalWeeks, zone }: Pick<Around, 'finalWeeks' | 'zone'>,
): Refusal | null {
  const final = weeksOf(start, end, zone).find((week) => finalWeeks.includes(week.toString()));
  return final ? refuse('TRANSITION_NOT_ALLOWED', 'This week is final. Reopen it to change its time') : null;
}

const changeableWeeks = 53;

/** Time changes for a year: nobody records older work, and what is recorded stays. */
export function oldWeekRefusal(week: Monday, now: Temporal.Instant, zone: string): Refusal | null {
  const first = mondayOf(now, zone).subtract({ weeks: changeableWeeks });
  return Temporal.PlainDate.compare(week, first) < 0
    ? refuse('TOO_LATE', 'Time from more than a year ago can’t be changed')
    : null;
}

/** Whether a week is before the last one. People rarely look there, so a stolen token changes nothing in it. */
export const isEarlierWeek = (week: Monday, now: Temporal.Instant, zone: string): boolean =>
  Temporal.PlainDate.compare(week, mondayOf(now, zone).subtract({ weeks: 1 })) < 0;

/** A person marks a week final: the current one or an earlier one, while no timer runs in it. */
export function finishRefusal(
  monday: Monday,
  runningSince: Temporal.Instant | null,
  now: Temporal.Instant,
  zone: string,
): Refusal | null {
  if (Temporal.PlainDate.compare(monday, mondayOf(now, zone)) > 0)
    return refuse('TRANSITION_NOT_ALLOWED', 'You can’t mark a future week as final');
  const running = runningSince !== null && weeksOf(runningSince, now, zone).some((week) => week.equals(monday));
  return running ? refuse('TRANSITION_NOT_ALLOWED', 'Stop the timer first') : oldWeekRefusal(monday, now, zone);
}

const reopenDays = 14;

/** Counted from the marking, so whatever week is marked by mistake can be reopened. Then it stays final. */
export function reopenRefusal(
  week: Monday,
  finalAt: Temporal.Instant,
  now: Temporal.Instant,
  zone: string,
): Refusal | null {
  // One that can't change anymore couldn't be marked again either.
  const old = oldWeekRefusal(week, now, zone);
  if (old) return old;
  return compare(now, finalAt.add({ hours: 24 * reopenDays })) < 0
    ? null
    : refuse('TOO_LATE', `It’s too late to reopen this week. A final week can be reopened for ${reopenDays} days`);
}
