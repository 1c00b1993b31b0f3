// The path of calendar feeds. Calendars send no custom header, so the secret is in the path and must stay out
// of the log.

export const calendarPrefix = '/api/calendar/';

export const calendarPath = (token: string): string => `${calendarPrefix}${token}.ics`;

/** The path as it can be logged. */
export function withoutCalendarSecret(path: string): string {
  return path.startsWith(calendarPrefix) ? calendarPath('[hidden]') : path;
}
