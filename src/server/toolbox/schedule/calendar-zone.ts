// The VTIMEZONE of any IANA zone (RFC 5545 3.6.5): lists each clock change in the relevant time. No rules are
// derived from them, so the result matches the server's time zone data, even for Morocco and Lord Howe.
import { localTime } from './calendar-text.ts';

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
export function zoneLines(zone: string, from: Temporal.PlainDate, to: Temporal.PlainDate): string[] {
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
