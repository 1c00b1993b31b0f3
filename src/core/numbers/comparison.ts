// Decides which earlier range numbers are compared with. Used by the query builder for the numbers and by the
// pages for their labels.

export const comparisons = ['none', 'previous', 'elapsed', 'year'] as const;
export type Comparison = (typeof comparisons)[number];

/** Days of the company's zone; `to` is the first day after. */
export type DayRange = { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate };

export type ComparedRange = DayRange & {
  /** The distance of a day to the one it is compared with. */
  readonly shift: { readonly months: number } | { readonly days: number };
  /** Rows of the last day count up to this time; null for whole days. */
  readonly until: Temporal.ZonedDateTime | null;
};

export const longestRangeYears = 10;

const startsMonth = (day: Temporal.PlainDate): boolean => day.day === 1;

function shiftOf({ from, to }: DayRange, comparison: Comparison): ComparedRange['shift'] {
  if (comparison === 'year') return { months: 12 };
  if (startsMonth(from) && startsMonth(to)) return { months: from.until(to, { largestUnit: 'months' }).months };
  return { days: from.until(to, { largestUnit: 'days' }).days };
}

const isBefore = (one: Temporal.PlainDate, other: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(one, other) < 0;

/** Whether the data of a range that has some ends more than a day before the range, or before today. */
export function endsEarly({ from, to }: DayRange, newest: Temporal.PlainDate, today: Temporal.PlainDate): boolean {
  const end = isBefore(today, to) ? today : to.subtract({ days: 1 });
  return !isBefore(newest, from) && isBefore(newest, end.subtract({ days: 1 }));
}

/** This many finished days without data, or this share of them, may be a quiet spell. */
const quiet = { days: 2, share: 0.1 } as const;

export type DaysWithData = { readonly last: number; readonly of: number };

/**
 * Which of a range's finished days is the newest with data, if so many follow it that comparing the range
 * misleads. Otherwise null.
 */
export function daysWithData(
  { from, to }: DayRange,
  newest: Temporal.PlainDate,
  today: Temporal.PlainDate,
): DaysWithData | null {
  const last = from.until(newest).days + 1;
  const of = from.until(isBefore(today, to) ? today : to).days;
  const without = of - last;
  return last < 1 || without <= quiet.days || without <= of * quiet.share ? null : { last, of };
}

/** Up to this share of a comparison may lie before the data. */
const littleShare = 0.05;

/** Whether too much of a comparison lies before the first day with data. */
export function lacksMuch({ from, to }: DayRange, first: Temporal.PlainDate): boolean {
  return from.until(first).days > from.until(to).days * littleShare;
}

/**
 * The range to compare with, or null for `none`. Whole months are compared with as many whole months,
 * anything else with as many days. In an unfinished range, `elapsed` and `year` end at the same point as now;
 * `hasHours` says whether rows are dated to the moment or to the day.
 */
export function comparedRange(
  range: DayRange,
  comparison: Comparison,
  now: Temporal.ZonedDateTime,
  hasHours: boolean,
): ComparedRange | null {
  if (comparison === 'none') return null;
  const shift = shiftOf(range, comparison);
  const from = range.from.subtract(shift);
  const to = range.to.subtract(shift);
  const today = now.toPlainDate();
  const isUnderWay = !isBefore(today, range.from) && isBefore(today, range.to);
  if (comparison === 'previous' || !isUnderWay) return { from, to, shift, until: null };
  const until = now.subtract(shift);
  return { from, to: until.toPlainDate().add({ days: 1 }), shift, until: hasHours ? until : null };
}
