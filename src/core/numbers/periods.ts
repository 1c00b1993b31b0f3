// Decides a period's days and the chart's granularity; comparison.ts decides what it is compared with. Used
// by the pages of numbers and My week.

import { sprintAt } from '../tasks/sprint.ts';
import { type Comparison, longestRangeYears } from './comparison.ts';

/** Days of the company's zone, `YYYY-MM-DD`; `to` is the day after the last. */
export type Days = { readonly from: string; readonly to: string };

export const periods = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  week: 'Week to date',
  month: 'Month to date',
  quarter: 'Quarter to date',
  year: 'Year to date',
  'last-week': 'Last week',
  'last-month': 'Last month',
  'last-quarter': 'Last quarter',
  'last-year': 'Last year',
  '10y': 'Last 10 years',
  sprint: 'This sprint',
} as const;

export type Period = keyof typeof periods;
export const periodKeys = Object.keys(periods) as Period[];
export const defaultPeriod: Period = '30d';

type Reach = (today: Temporal.PlainDate) => { readonly first: Temporal.PlainDate; readonly next: Temporal.PlainDate };

const lastDays =
  (count: number): Reach =>
  (today) => ({ first: today.subtract({ days: count - 1 }), next: today.add({ days: 1 }) });

const weekStart = (day: Temporal.PlainDate) => day.subtract({ days: day.dayOfWeek - 1 });
const monthStart = (day: Temporal.PlainDate) => day.with({ day: 1 });
const quarterStart = (day: Temporal.PlainDate) => day.with({ day: 1, month: day.month - ((day.month - 1) % 3) });

const whole = (first: Temporal.PlainDate, length: Temporal.DurationLike) => ({ first, next: first.add(length) });

/** The earliest day from which a range up to this one isn't too long. */
function longestBefore(to: Temporal.PlainDate): Temporal.PlainDate {
  const first = to.subtract({ years: longestRangeYears });
  // From 29 February on, where that year has none.
  return Temporal.PlainDate.compare(first.add({ years: longestRangeYears }), to) < 0 ? first.add({ days: 1 }) : first;
}

/** The range, or its last part that the server accepts. */
export function longestPart({ from, to }: Days): Days {
  const first = longestBefore(Temporal.PlainDate.from(to)).toString();
  return { from: from < first ? first : from, to };
}

/**
 * "To date" periods extend to the end of their week, month, quarter or year; the comparison limits them to
 * what has elapsed.
 */
const reaches: Readonly<Record<Exclude<Period, 'sprint'>, Reach>> = {
  today: lastDays(1),
  yesterday: (today) => whole(today.subtract({ days: 1 }), { days: 1 }),
  '7d': lastDays(7),
  '30d': lastDays(30),
  '90d': lastDays(90),
  week: (today) => whole(weekStart(today), { days: 7 }),
  month: (today) => whole(monthStart(today), { months: 1 }),
  quarter: (today) => whole(quarterStart(today), { months: 3 }),
  year: (today) => whole(today.with({ day: 1, month: 1 }), { years: 1 }),
  'last-week': (today) => whole(weekStart(today).subtract({ days: 7 }), { days: 7 }),
  'last-month': (today) => whole(monthStart(today).subtract({ months: 1 }), { months: 1 }),
  'last-quarter': (today) => whole(quarterStart(today).subtract({ months: 3 }), { months: 3 }),
  'last-year': (today) => whole(today.with({ day: 1, month: 1 }).subtract({ years: 1 }), { years: 1 }),
  '10y': (today) => {
    const next = today.add({ days: 1 });
    return { first: longestBefore(next), next };
  },
};

/** The days of a period. A sprint extends from its Monday to Sunday, also where a holiday moves its end. */
export function daysOf(period: Period, now: Temporal.Instant, zone: string): Days {
  const dayOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(zone).toPlainDate();
  if (period === 'sprint') {
    const { start, end } = sprintAt(now, zone);
    return { from: dayOf(start).toString(), to: dayOf(end).toString() };
  }
  const { first, next } = reaches[period](dayOf(now));
  return { from: first.toString(), to: next.toString() };
}

/** In the order of the keyboard shortcut. */
export const comparisonTitles = {
  elapsed: 'Previous period to date',
  previous: 'Previous period',
  year: 'Same period last year',
  none: 'No comparison',
} as const satisfies Record<Comparison, string>;

/** A day that has just begun isn't compared with a whole one. */
export const defaultComparison: Comparison = 'elapsed';
export const comparisonKeys = Object.keys(comparisonTitles) as Comparison[];

export const granularities = { day: 'Day', week: 'Week', month: 'Month' } as const;
export type Granularity = keyof typeof granularities;

export function isGranularity(text: string | undefined): text is Granularity {
  return text !== undefined && Object.hasOwn(granularities, text);
}

export function lengthOf({ from, to }: Days): number {
  return Temporal.PlainDate.from(from).until(to).days;
}

/** About as many points as a chart has room for. */
export function fittingGranularity(days: Days): Granularity {
  const length = lengthOf(days);
  if (length <= 92) return 'day';
  return length <= 2 * 366 ? 'week' : 'month';
}
