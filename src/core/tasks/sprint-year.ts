// Decides which sprints belong to a year: by ISO week, like their names. Used by the sprint calendar.
import type { WorkCalendar } from '../base/working-hours.ts';
import { boundaryFor, type Span, sprintAfter, sprintAt, sprintName } from './sprint.ts';

export type YearWeek = Span & {
  readonly name: string;
  /** How many hours the week is longer or shorter than 7 × 24, because of clock changes. */
  readonly extraHours: number;
};

const hoursOfWeek = 168;

/** ISO: the week with January 4 is a year's first. */
const firstWeekDay = { month: 1, day: 4 } as const;

/** In order. They start and end as the calendar's holidays move them. */
export function sprintsOfYear(year: number, calendar: WorkCalendar): YearWeek[] {
  const { zone } = calendar;
  const inFirst = Temporal.PlainDate.from({ year, ...firstWeekDay });
  // Thursday noon is well inside the week, wherever the boundary is.
  const thursday = inFirst.add({ days: 4 - inFirst.dayOfWeek });
  const weeks: YearWeek[] = [];
  for (
    let span = sprintAt(thursday.toZonedDateTime({ timeZone: zone, plainTime: '12:00' }).toInstant(), zone);
    yearOf(span, zone) === year;
    span = sprintAfter(span, zone)
  ) {
    const hours = span.start.until(span.end).total('hours');
    const [start, end] = [boundaryFor(span.start, calendar), boundaryFor(span.end, calendar)];
    weeks.push({ start, end, name: sprintName(span, zone), extraHours: hours - hoursOfWeek });
  }
  return weeks;
}

/** The year that a sprint belongs to. */
export function yearOf(span: Pick<Span, 'start'>, zone: string): number {
  return span.start.toZonedDateTimeISO(zone).toPlainDate().yearOfWeek ?? 0;
}
