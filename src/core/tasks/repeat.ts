// Decides how a task repeats and in which sprint it is due again. Used by the server when a sprint begins, and
// by every page that shows or changes it.
import { isWorkingDay, type WorkCalendar } from '../base/working-hours.ts';
import { halfWeek, type Span } from './sprint.ts';

/** A sprint belongs to the month it starts in. */
export const repeats = {
  weekly: { words: 'every week', weeks: 1 },
  twoWeekly: { words: 'every 2 weeks', weeks: 2 },
  threeWeekly: { words: 'every 3 weeks', weeks: 3 },
  fourWeekly: { words: 'every 4 weeks', weeks: 4 },
  monthFirst: { words: 'in the first sprint of each month', weeks: null },
  monthLast: { words: 'in the last sprint of each month', weeks: null },
} as const;
export type Repeat = keyof typeof repeats;
export const repeatKeys = Object.keys(repeats) as [Repeat, ...Repeat[]];

/** "Repeats every 2 weeks" */
export const repeatSentence = (repeat: Repeat): string => `Repeats ${repeats[repeat].words}`;

/** Not yet changed by anyone since a sprint began with it. Any other repeating task was changed to repeat. */
export const isAddedByRepeat = (task: { readonly repeats: Repeat | null; readonly version: number }): boolean =>
  task.repeats !== null && task.version === 1;

const weekDays = 7;

/** A sprint's Monday, also where a change of the zone moved its boundary. */
export function mondayOf({ start }: Pick<Span, 'start'>, zone: string): Temporal.PlainDate {
  const middle = start.add(halfWeek).toZonedDateTimeISO(zone).toPlainDate();
  return middle.subtract({ days: middle.dayOfWeek - 1 });
}

/**
 * Whether a task of the sprint `from` is due in `to`. Weeks count from the task's sprint, also over sprints
 * in which it wasn't added.
 */
export function isRepeatDue(repeat: Repeat, from: Pick<Span, 'start'>, to: Pick<Span, 'start'>, zone: string): boolean {
  const monday = mondayOf(to, zone);
  const weeks = mondayOf(from, zone).until(monday).days / weekDays;
  if (weeks < 1) return false;
  if (repeat === 'monthFirst') return monday.day <= weekDays;
  if (repeat === 'monthLast') return monday.add({ days: weekDays }).month !== monday.month;
  return weeks % repeats[repeat].weeks === 0;
}

/** A sprint's week, first and last day. */
export function weekOf(
  sprint: Pick<Span, 'start'>,
  zone: string,
): { readonly firstDay: string; readonly lastDay: string } {
  const monday = mondayOf(sprint, zone);
  return { firstDay: monday.toString(), lastDay: monday.add({ days: weekDays - 1 }).toString() };
}

/** Who is away on all of these days is away for the whole sprint: time away often ends on its Friday. */
export function workdaysOf(sprint: Pick<Span, 'start'>, { zone, holidays }: WorkCalendar): string[] {
  const monday = mondayOf(sprint, zone);
  const days = Array.from({ length: weekDays }, (_, index) => monday.add({ days: index }));
  return days.filter((day) => isWorkingDay(day, holidays)).map(String);
}
