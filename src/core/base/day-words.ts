// Formats days and times in one language. Uses tables instead of `Intl`, because a slow phone takes 30 ms or
// more to create one of its formats.

type Day = Temporal.PlainDate | string;

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export const shortWeekdays = weekdays.map((name) => name.slice(0, 3));
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
const shortMonths = months.map((name) => name.slice(0, 3));

const dateOf = (day: Day): Temporal.PlainDate => Temporal.PlainDate.from(day);

/** "Mon" */
export const weekdayOf = (day: Day): string => shortWeekdays[dateOf(day).dayOfWeek - 1]!;

/** "5 Oct" */
export function dayWords(day: Day): string {
  const date = dateOf(day);
  return `${date.day} ${shortMonths[date.month - 1]}`;
}

const shortYear = (day: Day): string => `’${String(dateOf(day).year % 100).padStart(2, '0')}`;

/** "5 Oct ’26" */
export const dayWithShortYear = (day: Day): string => `${dayWords(day)} ${shortYear(day)}`;

/** "5 Oct 2026" */
export const dayWithYear = (day: Day): string => `${dayWords(day)} ${dateOf(day).year}`;

/** "October 2026" */
export function monthWithYear(day: Day): string {
  const { month, year } = dateOf(day);
  return `${months[month - 1]} ${year}`;
}

/** "Oct ’26", which isn’t read as a day. */
export function shortMonthWithYear(day: Day): string {
  return `${shortMonths[dateOf(day).month - 1]} ${shortYear(day)}`;
}

/**
 * En dash without spaces within a month, with thin spaces otherwise: "1–31 Oct 2026", "29 Sep – 4 Oct 2026",
 * "5 Oct 2026" for a single day.
 */
export function daySpanWithYear(first: Day, last: Day): string {
  const [from, to] = [dateOf(first), dateOf(last)];
  if (from.equals(to)) return dayWithYear(to);
  if (from.year !== to.year) return `${dayWithYear(from)}\u2009–\u2009${dayWithYear(to)}`;
  return from.month === to.month
    ? `${from.day}–${dayWithYear(to)}`
    : `${dayWords(from)}\u2009–\u2009${dayWithYear(to)}`;
}

/** The same without a shared year: "16–23 Nov", "29 Dec 2025 – 5 Jan 2026". */
export function daySpan(first: Day, last: Day): string {
  const words = daySpanWithYear(first, last);
  const { year } = dateOf(last);
  return dateOf(first).year === year ? words.slice(0, -` ${year}`.length) : words;
}

type Instant = Temporal.Instant | string;

const inZone = (instant: Instant, zone: string) => Temporal.Instant.from(instant).toZonedDateTimeISO(zone);

/** "2026-11-23", the day of an instant in a zone. */
export const dayInZone = (instant: Instant, zone: string): string => inZone(instant, zone).toPlainDate().toString();

/** "10:00" in a zone. */
export const clockInZone = (instant: Instant, zone: string): string =>
  inZone(instant, zone).toPlainTime().toString({ smallestUnit: 'minute' });

/** From midnight, as the zone's clocks show it. */
export function minutesOfDay(instant: Instant, zone: string): number {
  const { hour, minute } = inZone(instant, zone);
  return hour * 60 + minute;
}

/** "09:30", from minutes since midnight. */
export const clockOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** "Mon 23 Nov 10:00" in a zone. */
export function formatInstant(instant: Instant, zone: string): string {
  const day = dayInZone(instant, zone);
  return `${weekdayOf(day)} ${dayWords(day)} ${clockInZone(instant, zone)}`;
}

/** "23 Nov 2026, 10:00:05", for logs: close entries must differ. */
export const instantWithSeconds = (instant: Instant, zone: string): string =>
  `${dayWithYear(dayInZone(instant, zone))}, ${inZone(instant, zone).toPlainTime().toString({ smallestUnit: 'second' })}`;

/** "23 Nov 2026, 10:00", for what is still read a year later. */
export const instantWithYear = (instant: Instant, zone: string): string =>
  `${dayWithYear(dayInZone(instant, zone))}, ${clockInZone(instant, zone)}`;
