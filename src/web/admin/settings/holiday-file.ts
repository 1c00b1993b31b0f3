// Reads the days off of a calendar file (iCal). The browser does: the server never parses one.
import ICAL from 'ical.js';
import { type Holiday, holidayLimits, isHoliday, mergeHolidays } from '#core/base/holidays.ts';
import { oneLine } from '#core/base/one-line.ts';

export const calendarFileLimits = { bytes: 1_000_000, events: 2_000, yearsBefore: 1, yearsAhead: 5 } as const;

/** Why events are left out: “2 events left out: only whole days are read”. */
const reasons = {
  timed: 'only whole days are read',
  repeats: 'only yearly repeats are read',
  long: `a holiday can have up to ${holidayLimits.days} days`,
  far: `only days from last year to ${calendarFileLimits.yearsAhead} years from now are read`,
  unreadable: 'the name or the days are missing',
} as const;
type Reason = keyof typeof reasons;

export type CalendarFile = {
  readonly holidays: readonly Holiday[];
  readonly leftOut: readonly { readonly count: number; readonly why: string }[];
};

/** Parts of a yearly rule that end after few steps, also if no day fits. */
const knownParts: ReadonlySet<string> = new Set(['BYMONTH', 'BYMONTHDAY', 'BYDAY']);
/** Enough for a rule since 1600. */
const mostSteps = 500;

/** The days off, or a sentence that says what is wrong with the file. */
export async function readCalendarFile(file: File, today: string): Promise<CalendarFile | string> {
  if (file.size > calendarFileLimits.bytes) return 'The file is larger than 1 MB. Export fewer years.';
  return readCalendar(await file.text(), today);
}

function readCalendar(text: string, today: string): CalendarFile | string {
  if ((text.match(/^BEGIN:VEVENT/gim)?.length ?? 0) > calendarFileLimits.events)
    return 'The file has more than 2,000 events. Export fewer years.';
  const events = eventsOf(text);
  if (events === null) return 'This isn’t a calendar file. Choose one that ends in .ics.';
  const now = Temporal.PlainDate.from(today);
  const window = {
    firstDay: now.subtract({ years: calendarFileLimits.yearsBefore }).with({ month: 1, day: 1 }).toString(),
    lastDay: now.add({ years: calendarFileLimits.yearsAhead }).with({ month: 12, day: 31 }).toString(),
  };
  const found = events.map((event) => daysOf(event, window));
  return {
    holidays: mergeHolidays(found.flatMap((one) => (typeof one === 'string' ? [] : one))),
    leftOut: (Object.keys(reasons) as Reason[])
      .map((reason) => ({ count: found.filter((one) => one === reason).length, why: reasons[reason] }))
      .filter(({ count }) => count > 0),
  };
}

/** Each event with its changed occurrences; null if this is no calendar. */
function eventsOf(text: string): ICAL.Event[] | null {
  try {
    const parsed = ICAL.parse(text.replace(/^\uFEFF/, '').trim());
    const parts: unknown[] = typeof parsed[0] === 'string' ? [parsed] : parsed;
    const calendars = parts.map((part) => new ICAL.Component(part as unknown[]));
    if (calendars.length === 0 || calendars.some(({ name }) => name !== 'vcalendar')) return null;
    const all = calendars
      .flatMap((calendar) => calendar.getAllSubcomponents('vevent'))
      .filter((event) => String(event.getFirstPropertyValue('status')).toUpperCase() !== 'CANCELLED');
    const isChange = (event: ICAL.Component) => event.hasProperty('recurrence-id');
    const changes = Map.groupBy(all.filter(isChange), uidOf);
    return all
      .filter((event) => !isChange(event))
      .map((event) => new ICAL.Event(event, { exceptions: changes.get(uidOf(event)) ?? [] }));
  } catch {
    return null;
  }
}

const uidOf = (event: ICAL.Component): string => String(event.getFirstPropertyValue('uid'));

type Window = { readonly firstDay: string; readonly lastDay: string };

function daysOf(event: ICAL.Event, window: Window): Holiday[] | Reason {
  try {
    if (!event.startDate.isDate) return 'timed';
    if (!['dtstart', 'dtend'].every((name) => isRealDay(event.component, name))) return 'unreadable';
    if (event.isRecurring() && !isYearly(event.component)) return 'repeats';
    const found = occurrencesOf(event, window.lastDay).map((one) => holidayOf(one, window));
    const holidays = found.filter((one) => typeof one !== 'string');
    return holidays.length > 0 ? holidays : ((found[0] as Reason | undefined) ?? 'far');
  } catch {
    return 'unreadable';
  }
}

/** The parser takes 31 February for a day of March. */
function isRealDay(event: ICAL.Component, name: string): boolean {
  const text = event.getFirstProperty(name)?.toJSON()[3];
  return text === undefined || String(event.getFirstPropertyValue(name)) === text;
}

type Occurrence = Pick<ICAL.Event, 'startDate' | 'endDate' | 'summary'>;

/** Until the last day, or the end of the rule. */
function occurrencesOf(event: ICAL.Event, lastDay: string): Occurrence[] {
  if (!event.isRecurring()) return [event];
  const isPlain =
    !event.component.hasProperty('rdate') &&
    rulesOf(event.component).every(({ parts }) => Object.keys(parts).length === 0);
  const found: Occurrence[] = [];
  const iterator = event.iterator();
  for (let step = 0; step < mostSteps; step++) {
    const next = iterator.next();
    if (!next || next.toString() > lastDay) break;
    // The parser moves a 29 February to March; the standard skips those years.
    if (isPlain && next.day !== event.startDate.day) continue;
    const { startDate, endDate, item } = event.getOccurrenceDetails(next);
    found.push({ startDate, endDate, summary: item.summary });
  }
  return found;
}

const rulesOf = (event: ICAL.Component): ICAL.Recur[] =>
  event.getAllProperties('rrule').map((rule) => rule.getFirstValue() as ICAL.Recur);

const isYearly = (event: ICAL.Component): boolean =>
  rulesOf(event).every(
    ({ freq, parts }) => freq === 'YEARLY' && Object.keys(parts).every((part) => knownParts.has(part)),
  );

/** A calendar's end is the day after the last. */
function holidayOf({ startDate, endDate, summary }: Occurrence, window: Window): Holiday | Reason {
  if (!startDate.isDate || !endDate.isDate) return 'timed';
  const firstDay = startDate.toString();
  if (firstDay > window.lastDay) return 'far';
  const end = Temporal.PlainDate.from(endDate.toString()).subtract({ days: 1 }).toString();
  const lastDay = end < firstDay ? firstDay : end;
  if (lastDay < window.firstDay) return 'far';
  // The cut can leave a joiner without the letter it joined.
  const name = oneLine(oneLine(summary ?? '').slice(0, holidayLimits.name)).toWellFormed();
  const holiday = { firstDay, lastDay, name };
  if (isHoliday(holiday)) return holiday;
  return name === '' ? 'unreadable' : 'long';
}
