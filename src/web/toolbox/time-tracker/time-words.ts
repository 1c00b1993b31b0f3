// How the time tracker writes hours and days.
import { clockOf, dayInZone, daySpan, minutesOfDay, weekdayOf } from '#core/base/day-words.ts';
import { instantOfWallTime } from '#core/toolbox/meeting-times.ts';
import { niceTicks } from '#web/charts/scale.ts';

/** "1:05" hours and minutes; a dash for zero. */
export function hoursWords(seconds: number): string {
  if (seconds < 30) return '–';
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

/** Below it, the axis would repeat the same minute. */
const shortestAxisMinutes = 6;

/** The steps of an axis of hours: whole minutes below an hour, because labels show no parts of them. */
export function axisHours(hours: readonly number[]): number[] {
  const minutes = [...hours.map((each) => Math.ceil(each * 60)), shortestAxisMinutes];
  return Math.max(...minutes) < 60 ? niceTicks(minutes).map((minute) => minute / 60) : niceTicks(hours);
}

/** "1 h 5 min" or "24 h", for sentences. */
export function spokenHours(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60 === 0 && hours > 0 ? null : `${minutes % 60} min`;
  return [hours === 0 ? null : `${hours} h`, rest].filter(Boolean).join(' ');
}

/** The typed day and times as instants, or null if invalid. An end before the start is on the next day. */
export function stretchOf(day: string, from: string, to: string, zone: string): { start: string; end: string } | null {
  const times = /^([01]\d|2[0-3]):[0-5]\d$/;
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !times.test(from) || !times.test(to)) return null;
  const next = Temporal.PlainDate.from(day).add({ days: 1 }).toString();
  const start = instantOfWallTime(day, from, zone);
  return { start: start.toString(), end: instantOfWallTime(to > from ? day : next, to, zone).toString() };
}

export type Stretch = { readonly start: string; readonly end: string };
export type TypedStretch = { readonly day: string; readonly from: string; readonly to: string };

/**
 * What was typed, except that an untouched time of an entry stays to the second: the timer's entries touch
 * each other, and the fields show no seconds and no later day.
 */
export function stretchKept(
  before: Stretch | null,
  shown: TypedStretch,
  typed: TypedStretch,
  zone: string,
): Stretch | null {
  const stretch = stretchOf(typed.day, typed.from, typed.to, zone);
  if (!before || !stretch) return stretch;
  const days = Temporal.PlainDate.from(shown.day).until(typed.day);
  const moved = (at: string) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).add(days).toInstant().toString();
  const start = typed.from === shown.from ? moved(before.start) : stretch.start;
  const end = typed.to === shown.to ? moved(before.end) : stretch.end;
  // A "From" after the untouched "To" makes it the next day's.
  return Temporal.Instant.compare(start, end) < 0 ? { start, end } : stretch;
}

export const secondsOf = ({ start, end }: Stretch): number => Temporal.Instant.from(start).until(end).total('seconds');

/** How long it is, with the day on which it ends if that is another one: "23 h 30 min, until Thu 26". */
export function stretchWords(stretch: Stretch, zone: string): string {
  const [first, last] = [dayInZone(stretch.start, zone), dayInZone(stretch.end, zone)];
  return `${spokenHours(secondsOf(stretch))}${first === last ? '' : `, until ${dayTitle(last)}`}`;
}

type Known = { readonly start: string; readonly end: string | null };

/**
 * The times that a new entry of a day starts with: the hour after the day's last entry, or from 9 o'clock,
 * or the hour before `limit`: now, which the entry can't pass.
 */
export function timesToAdd(
  entries: readonly Known[],
  day: string,
  limit: Temporal.Instant,
  zone: string,
): { from: string; to: string } {
  const isOfDay = (at: string) => dayInZone(at, zone) === day;
  const ends = entries.flatMap(({ start, end }) =>
    end && isOfDay(start) && isOfDay(end) ? [minuteAfter(end, zone)] : [],
  );
  const running = entries.find(({ start, end }) => end === null && isOfDay(start));
  const latest = running?.start ?? (isOfDay(limit.toString()) ? limit : null);
  const last = latest === null ? lastMinute : minutesOfDay(latest, zone);
  const from = ends.length > 0 ? Math.max(...ends) : last > 9 * 60 ? 9 * 60 : Math.max(0, last - 60);
  const to = Math.min(from + 60, last);
  return { from: clockOf(Math.min(from, lastMinute)), to: to > from ? clockOf(to) : '' };
}

const lastMinute = 24 * 60 - 1;

/** The timer's entries end within a minute, and the next one can't start before. */
function minuteAfter(at: string, zone: string): number {
  const after = Temporal.Instant.from(at).add({ seconds: 59, milliseconds: 999 });
  return dayInZone(after.toString(), zone) === dayInZone(at, zone) ? minutesOfDay(after, zone) : lastMinute;
}

export const dayTitle = (day: Temporal.PlainDate | string): string =>
  `${weekdayOf(day)} ${Temporal.PlainDate.from(day).day}`;

export const weekTitle = (monday: string): string => daySpan(monday, Temporal.PlainDate.from(monday).add({ days: 6 }));

type Read = { readonly data?: unknown; readonly isError: boolean; readonly isPending: boolean };

/** What a list of tasks says when it shows none. */
export const noTaskWords = ({ data, isError, isPending }: Read): string =>
  isError && data === undefined ? 'Couldn’t load the tasks' : isPending ? 'Loading tasks' : 'No matching tasks';
