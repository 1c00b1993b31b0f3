// Decides which sprints make a year: those whose Monday lies in it by the ISO calendar, as their names say.
// Asked by the sprint calendar.
import { type Span, sprintAfter, sprintAt, sprintName } from './sprint.ts';

export type YearWeek = Span & {
  readonly name: string;
  /** Hours that the week is longer (or shorter) than seven days of 24, because clocks change in it. */
  readonly extraHours: number;
};

const hoursOfWeek = 168;

/** The week with the 4th of January is the first of a year. */
const firstWeekDay = { month: 1, day: 4 } as const;

export function sprintsOfYear(year: number, zone: string): YearWeek[] {
  const inFirst = Temporal.PlainDate.from({ year, ...firstWeekDay });
  // Noon of that day's Thursday: well inside the week, whatever the boundary.
  const thursday = inFirst.add({ days: 4 - inFirst.dayOfWeek });
  const weeks: YearWeek[] = [];
  for (
    let span = sprintAt(thursday.toZonedDateTime({ timeZone: zone, plainTime: '12:00' }).toInstant(), zone);
    yearOf(span, zone) === year;
    span = sprintAfter(span, zone)
  ) {
    const hours = span.start.until(span.end).total('hours');
    weeks.push({ ...span, name: sprintName(span, zone), extraHours: hours - hoursOfWeek });
  }
  return weeks;
}

/** The year that a sprint belongs to. */
export function yearOf(span: Pick<Span, 'start'>, zone: string): number {
  return span.start.toZonedDateTimeISO(zone).toPlainDate().yearOfWeek ?? 0;
}
