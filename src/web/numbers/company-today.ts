import { config } from '#web/api/config.ts';

/** The day on the company's clock, wherever the reader is. */
export function companyToday(now: number): string {
  return Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(config().companyTimeZone)
    .toPlainDate()
    .toString();
}
