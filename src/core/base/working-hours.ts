// The working days and hours of a company, and how to count in them. Used for hand-overs, for the bonus, for
// repeating tasks and for durations in numbers.
import { type Holidays, holidaysWithin } from './holidays.ts';

/** Monday to Friday, 9:00 to 17:00 in the company's zone, but not on its holidays. */
export const workingHours = { from: 9, to: 17, days: 5 } as const;

const hourMs = 3_600_000;

/** The last working day that is wholly before the day of an instant. */
export function workingDayBefore(at: Temporal.Instant, { zone, holidays }: WorkCalendar): Temporal.PlainDate {
  let day = dayOf(at, zone).subtract({ days: 1 });
  while (!isWorkingDay(day, holidays)) day = day.subtract({ days: 1 });
  return day;
}

/** In milliseconds since the epoch. */
export type Span = { readonly from: number; readonly to: number };

/** Whether the company works on this day. */
export function isWorkingDay(day: Temporal.PlainDate, holidays: Holidays): boolean {
  const text = day.toString();
  return day.dayOfWeek <= workingHours.days && holidaysWithin(holidays, text, text).length === 0;
}

/** Every weekday that is a holiday, in order. */
export function weekdaysOff(holidays: Holidays): string[] {
  const days = new Set<string>();
  for (const { firstDay, lastDay } of holidays)
    for (
      let day = Temporal.PlainDate.from(firstDay);
      Temporal.PlainDate.compare(day, lastDay) <= 0;
      day = day.add({ days: 1 })
    )
      if (day.dayOfWeek <= workingHours.days) days.add(day.toString());
  return [...days].toSorted();
}

/** The company's calendar: its zone and its holidays. */
export type WorkCalendar = { readonly zone: string; readonly holidays: Holidays };

/** A day's working hours; null on weekends and holidays. */
function workingDay(day: Temporal.PlainDate, { zone, holidays }: WorkCalendar): Span | null {
  if (!isWorkingDay(day, holidays)) return null;
  const at = (hour: number) =>
    day.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from({ hour }) }).epochMilliseconds;
  return { from: at(workingHours.from), to: at(workingHours.to) };
}

const dayOf = (at: Temporal.Instant, zone: string) => at.toZonedDateTimeISO(zone).toPlainDate();

/** The latest instant since which as many working hours have passed; `hours` is above 0. */
export function subtractWorkingHours(now: Temporal.Instant, hours: number, calendar: WorkCalendar): Temporal.Instant {
  let left = hours * hourMs;
  for (let day = dayOf(now, calendar.zone); ; day = day.subtract({ days: 1 })) {
    const span = workingDay(day, calendar);
    if (span === null) continue;
    const end = Math.min(span.to, now.epochMilliseconds);
    const worked = Math.max(0, end - span.from);
    if (worked >= left) return Temporal.Instant.fromEpochMilliseconds(end - left);
    left -= worked;
  }
}

/** The working hours between two instants: listed once, to measure many spans by `secondsWithin`. */
export function workingSpans(from: Temporal.Instant, to: Temporal.Instant, calendar: WorkCalendar): Span[] {
  const spans: Span[] = [];
  const last = dayOf(to, calendar.zone);
  for (let day = dayOf(from, calendar.zone); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    const span = workingDay(day, calendar);
    if (span)
      spans.push({ from: Math.max(span.from, from.epochMilliseconds), to: Math.min(span.to, to.epochMilliseconds) });
  }
  return spans;
}

/** The seconds of a span within these spans. */
export function secondsWithin(spans: readonly Span[], { from, to }: Span): number {
  const ms = spans.reduce((sum, span) => sum + Math.max(0, Math.min(span.to, to) - Math.max(span.from, from)), 0);
  return Math.round(ms / 1000);
}
