// Days, buckets and comparisons in words.

import {
  daySpanWithYear,
  dayWithShortYear,
  dayWithYear,
  dayWords,
  monthWithYear,
  shortMonthWithYear,
  weekdayOf,
} from '#core/base/day-words.ts';
import type { ComparedRange, DayRange } from '#core/numbers/comparison.ts';
import { datasetOf, hasHours } from '#core/numbers/datasets.ts';
import { type Days, type Granularity, lengthOf } from '#core/numbers/periods.ts';
import { config } from '#web/api/config.ts';
import { type Compared, comparedWith, filterWords, type View } from '#web/api/number-view.ts';

/** "1–31 Oct 2026", "29 Sep – 4 Oct 2026" or "5 Oct 2026". */
export function daysWords({ from, to }: Days): string {
  return daySpanWithYear(from, Temporal.PlainDate.from(to).subtract({ days: 1 }));
}

/** A CSV's file name: what it is of, its days and its filters. */
export const csvName = ({ dataset, days, filters }: View, title: string): string =>
  [title, daysWords(days), filterWords(dataset, filters)].filter(Boolean).join(' ');

/** "Net sales, 1–31 Oct 2026", of the days compared with. */
export function previousTitle(view: Compared, title: string): string {
  const other = comparedWith(view);
  return other === null ? title : `${title}, ${daysWords({ from: other.from.toString(), to: other.to.toString() })}`;
}

const longWithoutYears = 300;

/** Below the axis. In a range of about a year or more, a day without its year could be one of two: "5 Oct ’26". */
export function bucketLabel(bucket: string, granularity: Granularity, range: Days): string {
  if (granularity === 'month') return shortMonthWithYear(bucket);
  return lengthOf(range) > longWithoutYears ? dayWithShortYear(bucket) : dayWords(bucket);
}

/** In tooltips and tables. */
export function bucketTitle(bucket: string, granularity: Granularity): string {
  if (granularity === 'month') return monthWithYear(bucket);
  return `${granularity === 'week' ? 'Week from ' : ''}${weekdayOf(bucket)}, ${dayWithYear(bucket)}`;
}

/** Rows dated by day end nowhere within today. */
function comparesUnfinishedDay({ compare, dataset, days }: Compared): boolean {
  const today = Temporal.Now.plainDateISO(config().companyTimeZone).toString();
  return compare !== 'previous' && !hasHours(datasetOf(dataset)) && days.from <= today && today < days.to;
}

/** The comparison: "compared with 1–20 Oct 2026 up to 14:02". */
export function comparedWords(view: Compared): string {
  const other = comparedWith(view);
  if (other === null) return 'not compared';
  const words = daysWords({ from: other.from.toString(), to: other.to.toString() });
  if (other.until !== null) return `compared with ${words} up to ${other.until.toPlainTime().toString().slice(0, 5)}`;
  return `compared with ${words}${comparesUnfinishedDay(view) ? ', though today isn’t over' : ''}`;
}

/** The days of the comparison that a bucket's days in the range are compared with. */
export function previousDays(view: Compared & Bucketed, other: ComparedRange, bucket: string): DayRange {
  const days = daysOfBucket(bucket, view.granularity, view.days);
  const next = Temporal.PlainDate.from(days.to);
  // The day before 29 March has 28 February, as 29 March itself. February's month has all of January, but its
  // last day only the 28th.
  const ends = [next.subtract({ days: 1 }).subtract(other.shift).add({ days: 1 })];
  if (view.granularity === 'month') ends.push(next.subtract(other.shift));
  const to = ends.toSorted(Temporal.PlainDate.compare).at(-1)!;
  return {
    from: Temporal.PlainDate.from(days.from).subtract(other.shift),
    to: Temporal.PlainDate.compare(to, other.to) < 0 ? to : other.to,
  };
}

type Bucketed = { readonly granularity: Granularity };

/** The comparison's bucket for one of this range. */
export function previousWords(view: Compared & Bucketed, bucket: string): string {
  const other = comparedWith(view);
  if (other === null) return '';
  const before = Temporal.PlainDate.from(bucket).subtract(other.shift).toString();
  return `Compared with ${bucketTitle(before, view.granularity).replace(/^Week/, 'week')}`;
}

/** Whether a day has none to be compared with: 30 March has no such day in February. */
export function isWithoutCounterpart(view: Compared & Bucketed, bucket: string): boolean {
  const other = view.granularity === 'day' ? comparedWith(view) : null;
  if (other === null || !('months' in other.shift)) return false;
  const day = Temporal.PlainDate.from(bucket);
  return day.subtract(other.shift).day !== day.day;
}

/** The bucket's days within the range. */
export function daysOfBucket(bucket: string, granularity: Granularity, range: Days): Days {
  const first = Temporal.PlainDate.from(bucket);
  const next = first.add(granularity === 'month' ? { months: 1 } : { days: granularity === 'week' ? 7 : 1 }).toString();
  return { from: bucket < range.from ? range.from : bucket, to: next > range.to ? range.to : next };
}

/** Every bucket that the range touches, named by its first day: weeks by Monday, months by the first. */
export function bucketsOf({ from, to }: Days, granularity: Granularity): string[] {
  const start = Temporal.PlainDate.from(from);
  const back = granularity === 'month' ? start.day - 1 : granularity === 'week' ? start.dayOfWeek - 1 : 0;
  const step = granularity === 'month' ? { months: 1 } : { days: granularity === 'week' ? 7 : 1 };
  const buckets: string[] = [];
  for (let each = start.subtract({ days: back }); each.toString() < to; each = each.add(step))
    buckets.push(each.toString());
  return buckets;
}
