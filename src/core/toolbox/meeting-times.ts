// Decides when a weekly meeting takes place, which one is next, and conflicts. Used by the week grid, the
// next meeting, the calendar feeds and the meeting form.
import { minutesOfDay } from '../base/day-words.ts';

/** A week in which a meeting is moved, or canceled if `to` is null. `day` is the original day. */
export type MeetingException = {
  readonly day: string;
  readonly to: { readonly day: string; readonly time: string } | null;
};

/** When a meeting is. Day and time are in company time. */
export type WeeklySeries = {
  /** 1 is Monday. */
  readonly weekday: number;
  /** "09:30" */
  readonly time: string;
  readonly minutes: number;
  /** The day of the first one. */
  readonly firstDay: string;
  /** The only day of a meeting that doesn't repeat. */
  readonly onceOn?: string | null | undefined;
  readonly exceptions: readonly MeetingException[];
};

/** One meeting of a series, always named by its original `day`, even if it was moved. */
export type Occurrence = {
  readonly day: string;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly moved: boolean;
  /** Still in the week, where people see it and restore it. */
  readonly canceled: boolean;
};

/**
 * The instant of a local time. As in RFC 5545, a skipped time counts from before the change, and a repeated
 * one is the first.
 */
export function instantOfWallTime(day: string, time: string, zone: string): Temporal.Instant {
  return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant();
}

const dayOf = (instant: Temporal.Instant, zone: string) => instant.toZonedDateTimeISO(zone).toPlainDate();

/** The first day of that weekday, from this day on. */
export function weekdayFrom(day: Temporal.PlainDate, weekday: number): Temporal.PlainDate {
  return day.add({ days: (weekday - day.dayOfWeek + 7) % 7 });
}

/** The Monday of the instant's week in the zone. */
export function mondayOf(instant: Temporal.Instant, zone: string): Temporal.PlainDate {
  const day = dayOf(instant, zone);
  return day.subtract({ days: day.dayOfWeek - 1 });
}

/** Whether the series has a meeting on this day, canceled or not. */
export function isDayOfSeries({ weekday, firstDay, onceOn }: WeeklySeries, day: string): boolean {
  if (onceOn) return day === onceOn;
  const date = Temporal.PlainDate.from(day);
  return date.dayOfWeek === weekday && Temporal.PlainDate.compare(date, firstDay) >= 0;
}

/** When and how often a meeting takes place. */
type Timing = Pick<WeeklySeries, 'weekday' | 'time' | 'onceOn'>;

/**
 * A series after a change. A new time or weekday starts today. Canceled and moved days that the series still
 * has are kept: they name days, not times.
 */
export function changedSeries(
  known: WeeklySeries,
  planned: Timing,
  today: Temporal.PlainDate,
): Pick<WeeklySeries, 'firstDay' | 'exceptions'> {
  const [onceBefore, once] = [known.onceOn || null, planned.onceOn || null];
  const { firstDay, exceptions } = known;
  if (once === onceBefore && planned.weekday === known.weekday && planned.time === known.time)
    return { firstDay, exceptions };
  // A past day that was moved to a coming one is still part of the series.
  const moved = planned.weekday === known.weekday ? comingExceptions(known, today).map(({ day }) => day) : [];
  const [begins = today.toString()] = [today.toString(), ...moved].sort();
  const from = Temporal.PlainDate.from(begins > firstDay ? begins : firstDay);
  const next = { ...known, ...planned, firstDay: once ?? weekdayFrom(from, planned.weekday).toString() };
  const kept = once === onceBefore ? exceptions.filter(({ day }) => isDayOfSeries(next, day)) : [];
  return { firstDay: next.firstDay, exceptions: kept };
}

/** The changed days that are, or would be, from this day on. */
export function comingExceptions({ exceptions }: WeeklySeries, today: Temporal.PlainDate): MeetingException[] {
  const isComing = (day: string) => Temporal.PlainDate.compare(day, today) >= 0;
  return exceptions.filter(({ day, to }) => isComing(day) || (to !== null && isComing(to.day)));
}

/** Whether the meeting named by this day took place on an earlier day. A canceled one never did. */
export function isDateOver({ exceptions }: Pick<WeeklySeries, 'exceptions'>, day: string, today: Temporal.PlainDate) {
  const exception = exceptions.find((each) => each.day === day);
  if (exception?.to === null) return false;
  return Temporal.PlainDate.compare(exception?.to.day ?? day, today) < 0;
}

/** Whether restoring the day would not put the meeting into the past. */
export const isRestorable = ({ day, to }: MeetingException, today: Temporal.PlainDate): boolean =>
  to === null || Temporal.PlainDate.compare(day, today) >= 0;

/** How far a single meeting can be moved, in days, which limits the search between two instants. */
export const longestMoveDays = 28;

/** A series' meetings that start from `from` and before `to`, in order of time, with canceled ones. */
export function occurrencesBetween(
  series: WeeklySeries,
  from: Temporal.Instant,
  to: Temporal.Instant,
  zone: string,
): Occurrence[] {
  const exceptionOf = new Map(series.exceptions.map((exception) => [exception.day, exception.to]));
  const reach = { days: longestMoveDays + 1 };
  const earliest = dayOf(from, zone).subtract(reach);
  const first = Temporal.PlainDate.from(series.firstDay);
  const end = dayOf(to, zone).add(reach);
  const last = series.onceOn && Temporal.PlainDate.compare(first, end) < 0 ? first : end;
  const found: Occurrence[] = [];
  let day = weekdayFrom(Temporal.PlainDate.compare(first, earliest) > 0 ? first : earliest, series.weekday);
  for (; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 7 })) {
    const name = day.toString();
    const to = exceptionOf.get(name);
    const start = instantOfWallTime(to?.day ?? name, to?.time ?? series.time, zone);
    const end = start.add({ minutes: series.minutes });
    found.push({ day: name, start, end, moved: Boolean(to), canceled: to === null });
  }
  const { compare } = Temporal.Instant;
  return found
    .filter(({ start }) => compare(start, from) >= 0 && compare(start, to) < 0)
    .sort((a, b) => compare(a.start, b.start));
}

/** The seven days from this Monday as an interval. */
export function weekFrom(monday: Temporal.PlainDate, zone: string): { from: Temporal.Instant; to: Temporal.Instant } {
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).toInstant();
  return { from: startOf(monday), to: startOf(monday.add({ days: 7 })) };
}

/** The meetings of several series, each with its series. */
export function occurrencesOfAll<Series extends WeeklySeries>(
  all: readonly Series[],
  from: Temporal.Instant,
  to: Temporal.Instant,
  zone: string,
): { readonly series: Series; readonly occurrence: Occurrence }[] {
  return all
    .flatMap((series) => occurrencesBetween(series, from, to, zone).map((occurrence) => ({ series, occurrence })))
    .sort((a, b) => Temporal.Instant.compare(a.occurrence.start, b.occurrence.start));
}

/** The current or next meeting: it counts until it ends. */
export function nextOf<Series extends WeeklySeries>(
  all: readonly Series[],
  now: Temporal.Instant,
  zone: string,
): { readonly series: Series; readonly occurrence: Occurrence } | null {
  const { compare } = Temporal.Instant;
  const from = now.subtract({ hours: 24 });
  const found = all.flatMap((series) => {
    const first = instantOfWallTime(series.firstDay, '00:00', zone);
    // Some weeks may be canceled; after a canceled quarter a series has no next meeting.
    const to = (compare(first, now) > 0 ? first : now).add({ hours: 24 * 7 * 13 });
    const occurrence = occurrencesBetween(series, from, to, zone).find(
      ({ end, canceled }) => !canceled && compare(end, now) > 0,
    );
    return occurrence ? [{ series, occurrence }] : [];
  });
  return found.sort((a, b) => compare(a.occurrence.start, b.occurrence.start))[0] ?? null;
}

/** A meeting's people: the chair and the attendees. With `everyone`, the attendees can be only the first ones. */
export type Seats = {
  readonly chairId: string;
  readonly attendeeIds: readonly string[];
  readonly everyone?: boolean | undefined;
};

export function isIn({ chairId, attendeeIds, everyone }: Seats, personId: string): boolean {
  return everyone || chairId === personId || attendeeIds.includes(personId);
}

/** With `everyone`, both meetings are for everyone, and `people` can be only the first ones. */
export type Clash<Series> = { readonly with: Series; readonly people: readonly string[]; readonly everyone: boolean };

/**
 * For each meeting, the others at the same time with the same people. One that starts when another ends
 * doesn't conflict, and a canceled one never does.
 */
export function clashesOf<Series extends WeeklySeries & Seats>(
  taking: readonly { readonly series: Series; readonly occurrence: Occurrence }[],
): Clash<Series>[][] {
  const { compare } = Temporal.Instant;
  return taking.map(({ series, occurrence }, index) =>
    taking.flatMap((other, place) => {
      const apart =
        place === index ||
        occurrence.canceled ||
        other.occurrence.canceled ||
        compare(other.occurrence.start, occurrence.end) >= 0 ||
        compare(other.occurrence.end, occurrence.start) <= 0;
      if (apart) return [];
      const [named, rest] = series.everyone ? [other.series, series] : [series, other.series];
      const people = [...new Set([named.chairId, ...named.attendeeIds])].filter((id) => isIn(rest, id));
      const everyone = Boolean(named.everyone && rest.everyone);
      return people.length > 0 ? [{ with: other.series, people, everyone }] : [];
    }),
  );
}

/**
 * Where a day's column shows a meeting, in minutes from midnight. Meetings that overlap, also by way of
 * others, share its width in lanes. `span`: how many lanes it takes, as far as later meetings leave its title.
 */
export type Place = LanePlace & { readonly lanes: number; readonly span: number };
type LanePlace = { readonly from: number; readonly to: number; readonly lane: number };

/** The length that a meeting's title needs, in minutes: shorter ones are drawn this long. */
const shortestDrawn = 30;

/** The places of one day's meetings, which come in order of time. What lasts until the next day ends at 24:00. */
export function placesOfDay(occurrences: readonly Occurrence[], zone: string): Place[] {
  const groups: LanePlace[][] = [];
  for (const { start, end } of occurrences) {
    const from = minutesOfDay(start, zone);
    const until = dayOf(start, zone).equals(dayOf(end, zone)) ? minutesOfDay(end, zone) : 24 * 60;
    const taken = new Set(groups.at(-1)?.flatMap(({ to, lane }) => (to > from ? [lane] : [])));
    if (taken.size === 0) groups.push([]);
    let lane = 0;
    while (taken.has(lane)) lane++;
    groups.at(-1)!.push({ from, to: Math.max(until, from + shortestDrawn), lane });
  }
  return groups.flatMap((group) => {
    const lanes = 1 + Math.max(...group.map(({ lane }) => lane));
    return group.map((place) => ({ ...place, lanes, span: nextLane(group, place, lanes) - place.lane }));
  });
}

/** The first lane to the right whose meeting would cover the title of this one. */
function nextLane(group: readonly LanePlace[], { from, to, lane }: LanePlace, lanes: number): number {
  const beside = group.filter(
    (other) => other.lane > lane && other.from < Math.min(to, from + shortestDrawn) && other.to > from,
  );
  return Math.min(lanes, ...beside.map((other) => other.lane));
}
