import { mondayOf } from '#core/toolbox/meeting-times.ts';

/** The Monday of the address, or of this week. */
export function shownMonday(text: string | undefined, now: Temporal.Instant, zone: string): Temporal.PlainDate {
  const thisWeek = mondayOf(now, zone);
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return thisWeek;
  try {
    const day = Temporal.PlainDate.from(text, { overflow: 'reject' });
    return day.subtract({ days: day.dayOfWeek - 1 });
  } catch {
    return thisWeek;
  }
}
