// Meetings as an iCalendar document (RFC 5545). A weekly series is on the wall clock of the company's zone,
// which keeps it at its time when clocks change.
import { scopes } from '#core/access/brands.ts';
import { oneLine } from '#core/base/one-line.ts';
import { longestMoveDays } from '#core/toolbox/meeting-times.ts';
import { escapedText, foldedLine, localTime, utcTime } from './calendar-text.ts';
import type { Meeting } from './meetings.service.ts';

// The VTIMEZONE of any IANA zone (RFC 5545 3.6.5): lists each clock change in the relevant time. No rules are
// derived from them, so the result matches the server's time zone data, even for Morocco and Lord Howe.

/** "+0100"; includes the seconds of historic offsets. */
function offsetText(nanoseconds: number): string {
  const seconds = Math.round(Math.abs(nanoseconds) / 1e9);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, '0'));
  return `${nanoseconds < 0 ? '-' : '+'}${hours}${minutes}${rest === '00' ? '' : rest}`;
}

/** When an offset starts, in the local time that was valid until then. */
function observance(at: Temporal.ZonedDateTime, before: number): string[] {
  const kind = at.offsetNanoseconds > before ? 'DAYLIGHT' : 'STANDARD';
  const start = at.toPlainDateTime().add({ nanoseconds: before - at.offsetNanoseconds });
  return [
    `BEGIN:${kind}`,
    `DTSTART:${localTime(start)}`,
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(at.offsetNanoseconds)}`,
    `END:${kind}`,
  ];
}

/** The zone's lines between two days; the last offset continues after them. */
function zoneLines(zone: string, from: Temporal.PlainDate, to: Temporal.PlainDate): string[] {
  const start = from.toZonedDateTime(zone);
  const end = to.toZonedDateTime(zone);
  const lines = observance(start, start.offsetNanoseconds);
  let before = start;
  for (let at = start.getTimeZoneTransition('next'); at !== null; at = at.getTimeZoneTransition('next')) {
    if (Temporal.ZonedDateTime.compare(at, end) > 0) break;
    // A renamed offset without a clock change.
    if (at.offsetNanoseconds !== before.offsetNanoseconds) lines.push(...observance(at, before.offsetNanoseconds));
    before = at;
  }
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...lines, 'END:VTIMEZONE'];
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
/** Whole years of changes of the clocks that are told ahead. Calendars fetch again long before. */
const yearsAhead = 10;
/** Characters of agendas in the moved days of one meeting. With more, only the series has the agenda. */
const mostMovedAgendas = 50_000;

export type CalendarOptions = {
  readonly name: string;
  readonly product: string;
  /** IANA name of the company's zone. */
  readonly zone: string;
  readonly now: Temporal.Instant;
};

const at = (day: string, time: string): string => localTime(Temporal.PlainDate.from(day).toPlainDateTime(time));

/** Who, where and what, as entered in the meeting. */
function contentLines({ title, place, link, chair, team }: Meeting, agenda: string): string[] {
  const about = [
    link && `Join: ${link}`,
    `Chair: ${oneLine(chair.displayName)}`,
    team && `Team: ${scopes[team].title}`,
    agenda && `\n${agenda}`,
  ].filter((line) => line);
  return [
    `SUMMARY:${escapedText(oneLine(title))}`,
    ...(place || link ? [`LOCATION:${escapedText(oneLine(place || link))}`] : []),
    ...(link ? [`URL:${link}`] : []),
    `DESCRIPTION:${escapedText(about.join('\n'))}`,
  ];
}

/** What the series and its moved weeks have in common, folded. */
function sharedLines(meeting: Meeting, agenda = meeting.agenda): string {
  const changed = utcTime(Temporal.Instant.from(meeting.changedAt));
  const lines = [
    `UID:${meeting.uid}`,
    `DTSTAMP:${changed}`,
    `CREATED:${utcTime(Temporal.Instant.from(meeting.createdAt))}`,
    `LAST-MODIFIED:${changed}`,
    `SEQUENCE:${meeting.version - 1}`,
    ...contentLines(meeting, agenda),
    // In hours and minutes: exact across clock changes (3.3.6).
    `DURATION:PT${meeting.minutes}M`,
  ];
  return folded(lines);
}

const folded = (lines: readonly string[]): string => lines.map(foldedLine).join('');

/** One VEVENT of what it shares with others and its own lines. */
const eventOf = (shared: string, own: readonly string[]): string =>
  `BEGIN:VEVENT\r\n${shared}${folded(own)}END:VEVENT\r\n`;

/** A meeting that doesn't repeat, where and when it takes place. */
function singleEvent(meeting: Meeting, zone: string): string {
  const [exception] = meeting.exceptions;
  if (exception?.to === null) return '';
  const { day, time } = exception?.to ?? { day: meeting.firstDay, time: meeting.time };
  return eventOf(sharedLines(meeting), [`DTSTART;TZID=${zone}:${at(day, time)}`]);
}

function seriesEvent(meeting: Meeting, zone: string): string {
  const cancelled = meeting.exceptions.filter(({ to }) => to === null).map(({ day }) => at(day, meeting.time));
  return eventOf(sharedLines(meeting), [
    `DTSTART;TZID=${zone}:${at(meeting.firstDay, meeting.time)}`,
    `RRULE:FREQ=WEEKLY;BYDAY=${weekdays[meeting.weekday - 1]}`,
    ...(cancelled.length > 0 ? [`EXDATE;TZID=${zone}:${cancelled.join(',')}`] : []),
  ]);
}

/** The moved weeks share their text: a chair can move every week for years. */
function movedEvents(meeting: Meeting, zone: string): string {
  const moved = meeting.exceptions.flatMap(({ day, to }) => (to === null ? [] : [{ day, to }]));
  const fits = meeting.agenda.length * moved.length <= mostMovedAgendas;
  const shared = sharedLines(meeting, fits ? meeting.agenda : '');
  const events = moved.map(({ day, to }) =>
    eventOf(shared, [
      `RECURRENCE-ID;TZID=${zone}:${at(day, meeting.time)}`,
      `DTSTART;TZID=${zone}:${at(to.day, to.time)}`,
    ]),
  );
  return events.join('');
}

/** The same meetings give the same document within a year, so calendars can be told that nothing changed. */
export function calendarOf(meetings: readonly Meeting[], { name, product, zone, now }: CalendarOptions): string {
  const thisYear = now.toZonedDateTimeISO(zone).toPlainDate().with({ month: 1, day: 1 });
  const first = meetings
    .map(({ firstDay }) => Temporal.PlainDate.from(firstDay))
    .reduce((earliest, day) => (Temporal.PlainDate.compare(day, earliest) < 0 ? day : earliest), thisYear);
  const head = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapedText(product)}//Weekly meetings//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapedText(name)}`,
    `X-WR-CALNAME:${escapedText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...zoneLines(zone, first.subtract({ days: longestMoveDays + 2 }), thisYear.add({ years: yearsAhead + 1 })),
  ];
  const events = meetings.map((meeting) =>
    meeting.onceOn ? singleEvent(meeting, zone) : seriesEvent(meeting, zone) + movedEvents(meeting, zone),
  );
  return `${folded(head)}${events.join('')}END:VCALENDAR\r\n`;
}
