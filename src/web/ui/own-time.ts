// A time in the viewer's zone, beside the company's.
import { clockInZone, formatInstant } from '#core/base/day-words.ts';

/** This browser's zone. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "11:30 your time", with the day if it differs; null if the times are equal. */
export function ownTimeWords(start: Temporal.Instant, zone: string, own = ownZone()): string | null {
  const [there, here] = [start.toZonedDateTimeISO(zone), start.toZonedDateTimeISO(own)];
  if (there.toPlainDateTime().equals(here.toPlainDateTime())) return null;
  const isSameDay = there.toPlainDate().equals(here.toPlainDate());
  return `${isSameDay ? clockInZone(start, own) : formatInstant(start, own)} your time`;
}
