// Decides when a person's mails wait. Used by the server when it sends mails, and by the web for the settings.
//
// Mails about one's account, access and time away never wait: a thief would act at night. A reminder that is
// too late after the quiet hours isn't mailed at all (`boundaryMailBefore`); the inbox has it.
import { isWorkingDay, type WorkCalendar } from '../base/working-hours.ts';

/** A person's setting, in company time. */
export type QuietHours = {
  readonly on: boolean;
  /** "19:00" */
  readonly from: string;
  /** Not after `from`: on the next day. */
  readonly to: string;
  /** Also whole weekends and company holidays. */
  readonly daysOff: boolean;
};

export const defaultQuietHours: QuietHours = { on: false, from: '19:00', to: '08:00', daysOff: false };

/** The same two times would be no time or the whole day. */
export const isSpan = ({ from, to }: Pick<QuietHours, 'from' | 'to'>): boolean => from !== to;

/**
 * Whether mails wait now. A time that the clocks skip counts from before the change, and a repeated one is
 * the first, as for meetings.
 */
export function isQuiet(hours: QuietHours, now: Temporal.Instant, { zone, holidays }: WorkCalendar): boolean {
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  if (!hours.on) return false;
  if (hours.daysOff && !isWorkingDay(today, holidays)) return true;
  // Those that began yesterday may last until this morning.
  return [today.subtract({ days: 1 }), today].some((day) => isWithin(hours, now, day, zone));
}

/** Whether the instant is in the quiet hours that begin on this day. */
function isWithin({ from, to }: QuietHours, now: Temporal.Instant, day: Temporal.PlainDate, zone: string): boolean {
  if (!isSpan({ from, to })) return false;
  const at = (on: Temporal.PlainDate, plainTime: string) =>
    on.toZonedDateTime({ timeZone: zone, plainTime }).toInstant();
  const { compare } = Temporal.Instant;
  const end = at(from < to ? day : day.add({ days: 1 }), to);
  return compare(now, at(day, from)) >= 0 && compare(now, end) < 0;
}
