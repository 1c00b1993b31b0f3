// Decides what a company holiday is and how the list is written as text. Used by the setting, by everything
// that counts working days, and by the pages that show them.
import { dayWords, weekdayOf, weekdays } from './day-words.ts';
import { day } from './inputs.ts';
import { oneLine } from './one-line.ts';

/** A day off for everyone, first and last day included, on the company's calendar. */
export type Holiday = { readonly firstDay: string; readonly lastDay: string; readonly name: string };
export type Holidays = readonly Holiday[];

export const holidayLimits = {
  holidays: 300,
  days: 62,
  name: 80,
  /** Years of four digits that calendars have. */
  from: '2000-01-01',
  to: '2099-12-31',
} as const;

/** `holidayLimits.holidays` lines of two days, a name and what is between them. */
export const longestHolidayText = holidayLimits.holidays * (2 * 10 + 3 + holidayLimits.name);

const isDay = (value: unknown): value is string =>
  day.safeParse(value).success && (value as string) >= holidayLimits.from && (value as string) <= holidayLimits.to;

/** Line breaks and other controls. Names that earlier versions stored may have hidden characters. */
const breaksLine = /[\p{Cc}\p{Zl}\p{Zp}]/u;

const isName = (text: string): boolean =>
  text !== '' &&
  text.length <= holidayLimits.name &&
  text.isWellFormed() &&
  text.trim() === text &&
  !breaksLine.test(text);

export function isHoliday(value: unknown): value is Holiday {
  if (typeof value !== 'object' || value === null) return false;
  const { firstDay, lastDay, name, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0 || !isDay(firstDay) || !isDay(lastDay) || typeof name !== 'string') return false;
  return isName(name) && lastDay >= firstDay && lengthOf({ firstDay, lastDay }) <= holidayLimits.days;
}

const lengthOf = ({ firstDay, lastDay }: Pick<Holiday, 'firstDay' | 'lastDay'>): number =>
  Temporal.PlainDate.from(firstDay).until(lastDay, { largestUnit: 'days' }).days + 1;

const keyOf = ({ firstDay, lastDay, name }: Holiday): string => `${firstDay} ${lastDay} ${name.toLowerCase()}`;

/** In order of days, each day and name once. */
export function mergeHolidays(...lists: readonly Holidays[]): Holiday[] {
  const each = Map.groupBy(lists.flat(), keyOf);
  return [...each.keys()].toSorted().map((key) => each.get(key)![0]!);
}

/** A stored list: valid, in order, and without repeats. */
export function isHolidays(value: unknown): value is Holidays {
  if (!Array.isArray(value) || value.length > holidayLimits.holidays || !value.every(isHoliday)) return false;
  const merged = mergeHolidays(value);
  return merged.length === value.length && merged.every((one, index) => keyOf(one) === keyOf(value[index]!));
}

/** Reads "2026-12-25 Christmas Day" and "2026-12-24/2026-12-26 Year-end break", one a line. */
export function readHolidays(text: string): Holiday[] {
  const lines = text.split('\n').map((one) => one.trim());
  return mergeHolidays(
    lines
      .filter((one) => one !== '')
      .map((one) => {
        const [days = '', ...words] = one.split(' ');
        const [firstDay = '', lastDay = firstDay, ...more] = days.split('/');
        return { firstDay, lastDay: more.length > 0 ? days : lastDay, name: oneLine(words.join(' ')) };
      }),
  );
}

/** The text that `readHolidays` reads the list from. */
export const writeHolidays = (holidays: Holidays): string =>
  holidays
    .map(({ firstDay, lastDay, name }) => `${firstDay}${lastDay === firstDay ? '' : `/${lastDay}`} ${name}`)
    .join('\n');

/** "Thursday is a company holiday: Thanksgiving", "Thu 24 Dec to Fri 1 Jan are company holidays: Break" */
export function holidayWords({ firstDay, lastDay, name }: Holiday, today: string): string {
  const dated = (text: string) => `${weekdayOf(text)} ${dayWords(text)}`;
  if (firstDay !== lastDay) return `${dated(firstDay)} to ${dated(lastDay)} are company holidays: ${name}`;
  const weekday = weekdays[Temporal.PlainDate.from(firstDay).dayOfWeek - 1];
  return `${firstDay === today ? 'Today' : weekday} is a company holiday: ${name}`;
}

/** Those that include one of these days. */
export const holidaysWithin = (holidays: Holidays, firstDay: string, lastDay: string): Holiday[] =>
  holidays.filter((one) => one.firstDay <= lastDay && one.lastDay >= firstDay);
