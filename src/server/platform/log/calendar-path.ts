// Where a calendar feed lives. A calendar sends no header of ours, so its secret stands in the path, and is kept out of the log.

export const calendarPrefix = '/api/calendar/';

export const calendarPath = (token: string): string => `${calendarPrefix}${token}.ics`;

/** The path as it may be written down. */
export function withoutCalendarSecret(path: string): string {
  return path.startsWith(calendarPrefix) ? calendarPath('[hidden]') : path;
}
