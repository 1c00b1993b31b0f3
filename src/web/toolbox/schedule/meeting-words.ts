// The times of meetings in words: on the company's clock, and on the viewer's where that shows something else.

import { clockInZone, formatInstant } from '#core/base/day-words.ts';
import type { Occurrence } from '#core/toolbox/meeting-times.ts';

/** The zone of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "10:30–11:00" */
export function spanWords({ start, end }: Pick<Occurrence, 'start' | 'end'>, zone: string): string {
  return `${clockInZone(start, zone)}–${clockInZone(end, zone)}`;
}

/** "for you 11:30", with the day where it is another one; null where the clocks show the same. */
export function ownTimeWords(start: Temporal.Instant, zone: string, own = ownZone()): string | null {
  const [there, here] = [start.toZonedDateTimeISO(zone), start.toZonedDateTimeISO(own)];
  if (there.toPlainDateTime().equals(here.toPlainDateTime())) return null;
  const isSameDay = there.toPlainDate().equals(here.toPlainDate());
  return `for you ${isSameDay ? clockInZone(start, own) : formatInstant(start, own)}`;
}

/** "Mon 23 Nov 10:30–11:00" */
export function whenWords({ start, end }: Pick<Occurrence, 'start' | 'end'>, zone: string): string {
  return `${formatInstant(start, zone)}–${clockInZone(end, zone)}`;
}

/** "30 minutes", "1 hour", "1 hour 30 minutes" */
export function lengthWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
  return [hours > 0 && counted(hours, 'hour'), (rest > 0 || hours === 0) && counted(rest, 'minute')]
    .filter(Boolean)
    .join(' ');
}
