// The VTIMEZONE of any IANA zone (RFC 5545 3.6.5): every change of its clocks in the time that matters, one after the other.
// No rule is guessed from them: what is written is what the server's own time zone data says, for Morocco and Lord Howe too.
import { localTime } from './calendar-text.ts';

/** "+0100"; seconds, which old local times had, are allowed as well. */
function offsetText(nanoseconds: number): string {
  const seconds = Math.round(Math.abs(nanoseconds) / 1e9);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, '0'));
  return `${nanoseconds < 0 ? '-' : '+'}${hours}${minutes}${rest === '00' ? '' : rest}`;
}

/** From when on an offset holds: told by the clock that was right until then. */
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

/** The lines of the zone between two days. After the last of them its last offset goes on. */
export function zoneLines(zone: string, from: Temporal.PlainDate, to: Temporal.PlainDate): string[] {
  const start = from.toZonedDateTime(zone);
  const end = to.toZonedDateTime(zone);
  const lines = observance(start, start.offsetNanoseconds);
  let before = start;
  for (let at = start.getTimeZoneTransition('next'); at !== null; at = at.getTimeZoneTransition('next')) {
    if (Temporal.ZonedDateTime.compare(at, end) > 0) break;
    // A new name for the same offset changes no clock.
    if (at.offsetNanoseconds !== before.offsetNanoseconds) lines.push(...observance(at, before.offsetNanoseconds));
    before = at;
  }
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...lines, 'END:VTIMEZONE'];
}
