// Turns the server's answer into a chart's data: one point per bucket, with its exact number as text.

import { dayWithYear } from '#core/base/day-words.ts';
import { type DayRange, lacksMuch } from '#core/numbers/comparison.ts';
import type { Metric } from '#core/numbers/metrics.ts';
import type { Granularity } from '#core/numbers/periods.ts';
import { comparedWith, endWords, type View } from '#web/api/number-view.ts';
import type { NumberGroup, Numbers } from '#web/api/numbers.ts';
import type { ChartTable } from '#web/charts/chart-table.tsx';
import { numberWords, titleWithUnit, toNumber } from '#web/charts/number-format.ts';
import { type Look, markedSoFar, type Series } from '#web/charts/series.ts';
import { bucketLabel, bucketsOf, bucketTitle, isWithoutCounterpart, previousDays } from '../shared/period-words.ts';

/** An empty bucket: zero for a count, but no value for a rate, a median or what is unknown in total. */
export function emptyValue({ formula }: Metric, total: string | null | undefined): string | null {
  return formula.kind === 'quotient' || formula.kind === 'percentile' || total === null ? null : '0';
}

export type Buckets = {
  readonly keys: readonly string[];
  readonly labels: readonly string[];
  readonly titles: readonly string[];
  /** The last one isn't complete yet. */
  readonly unfinished: boolean;
  readonly granularity: Granularity;
  /** The days that a bucket is compared with. */
  readonly previousDays: (key: string) => DayRange | null;
  /** Days that the compared month doesn't have. */
  readonly withoutCounterpart: ReadonlySet<string>;
  /** The last day with data, if so many without any follow that they aren't zero. */
  readonly dataEnd: (numbers: Pick<Numbers, 'newest'>) => string | null;
};

/** The range's buckets that have started. The future isn't zero. */
export function bucketsSoFar(view: View, today: string): Buckets {
  const { days, granularity } = view;
  const keys = bucketsOf(days, granularity).filter((bucket) => bucket <= today);
  const last = keys.at(-1);
  const next = last && Temporal.PlainDate.from(last).add(lengths[granularity]).toString();
  const isRunning = next !== undefined && next > today && days.to > today;
  const unfinished = isRunning || (next !== undefined && next > days.to);
  const isFirstPartial = keys.length > 1 && keys[0]! < days.from;
  const marked = ([first = '', ...rest]: string[]) => {
    const words = keys.length === 0 ? [] : [isFirstPartial ? `${first}, partial` : first, ...rest];
    return unfinished ? markedSoFar(words, isRunning ? 'so far' : 'partial') : words;
  };
  // Once for all buckets, and only if the data begins inside.
  let other: ReturnType<typeof comparedWith> | undefined;
  return {
    keys,
    labels: marked(keys.map((key) => bucketLabel(key, granularity, days))),
    titles: marked(keys.map((key) => bucketTitle(key, granularity))),
    unfinished,
    granularity,
    previousDays: (key) => {
      other ??= comparedWith(view);
      return other && previousDays(view, other, key);
    },
    dataEnd: ({ newest }) => (endWords(view, { newest }) === null ? null : newest),
    withoutCounterpart: new Set(keys.filter((key) => isWithoutCounterpart(view, key))),
  };
}

const lengths: Readonly<Record<Granularity, Temporal.DurationLike>> = {
  day: { days: 1 },
  week: { days: 7 },
  month: { months: 1 },
};

type Asked = {
  readonly numbers: Numbers;
  readonly metric: Metric;
  /** The position among the requested metrics. */
  readonly index: number;
  readonly buckets: Buckets;
};

type Reading = (row: NumberGroup, index: number) => string | null;

const now: Reading = (row, index) => row.values[index] ?? null;
const before: Reading = (row, index) => row.previousValues?.[index] ?? null;

/** How much of the comparison period of a bucket is before the first row. */
export function comparisonGap(
  { dataFrom }: Pick<Numbers, 'dataFrom'>,
  buckets: Buckets,
  key: string,
): 'none' | 'little' | 'much' | 'all' {
  const other = dataFrom ? buckets.previousDays(key) : null;
  if (!dataFrom || other === null || dataFrom <= other.from.toString()) return 'none';
  if (dataFrom >= other.to.toString()) return 'all';
  return lacksMuch(other, Temporal.PlainDate.from(dataFrom)) ? 'much' : 'little';
}

/** A metric's numbers in the buckets' order, as exact texts. Outside the data, nothing isn't zero. */
function textsOf({ numbers, metric, index, buckets }: Asked, read: Reading): (string | null)[] {
  const rows = new Map(numbers.rows.map((row) => [row.keys[0], row]));
  const first = read === now ? numbers.dataFrom : null;
  const last = read === now ? buckets.dataEnd(numbers) : null;
  const isOutside = (key: string, next: string | undefined): boolean =>
    (first !== null && next !== undefined && next <= first) || (last !== null && key > last);
  return buckets.keys.map((key, at) => {
    if (isOutside(key, buckets.keys[at + 1]) && Number(rows.get(key)?.values[index] ?? 0) === 0) return null;
    if (read === before && (buckets.withoutCounterpart.has(key) || comparisonGap(numbers, buckets, key) === 'all'))
      return null;
    const row = rows.get(key);
    return row ? read(row, index) : emptyValue(metric, numbers.totals[index]);
  });
}

function series(asked: Asked, title: string, look: Look, read: Reading): Series {
  const { metric, numbers, buckets } = asked;
  const texts = textsOf(asked, read);
  return {
    key: `${look}:${title}`,
    title,
    look,
    values: texts.map(toNumber),
    shown: texts.map((text, index) => {
      const words = numberWords(text, metric.unit, numbers.currency);
      const isPart =
        read === before && text !== null && comparisonGap(numbers, buckets, buckets.keys[index]!) !== 'none';
      return isPart ? `${words}, from ${dayWithYear(numbers.dataFrom!)}` : words;
    }),
  };
}

export const seriesNow = (asked: Asked, title: string, look: Look): Series => series(asked, title, look, now);

/** The line's comparison; null without one. */
export function seriesBefore(asked: Asked): Series | null {
  return asked.numbers.previousTotals === null ? null : series(asked, 'Previous', 'previous', before);
}

export function textsNow(asked: Asked): (string | null)[] {
  return textsOf(asked, now);
}

export function textsBefore(asked: Asked): (string | null)[] {
  return textsOf(asked, before);
}

/**
 * One row per bucket. The CSV dates each by its first day, such as `2026-11-16`, also in a comparison. The
 * column of a single line is named after its metric.
 */
export function chartTableOf(
  caption: string,
  { keys, titles, previousDays: previousOf }: Buckets,
  all: readonly Series[],
  csv: { readonly metrics: readonly Metric[]; readonly currency: string | null },
): ChartTable {
  const isPrevious = ({ look }: Series) => look === 'previous';
  const metricAt = (index: number) => csv.metrics[Math.min(index, csv.metrics.length - 1)]!;
  const titleAt = (one: Series, index: number) => {
    const metric = metricAt(index);
    const title = isPrevious(one) ? `${metric.title}, previous` : metric.title;
    return titleWithUnit({ title, unit: metric.unit }, csv.currency);
  };
  return {
    caption,
    head: ['Date', ...all.map(({ title }) => title)],
    csvHead: [
      'Date',
      ...all.flatMap((one, index) => [...(isPrevious(one) ? ['Previous date'] : []), titleAt(one, index)]),
    ],
    rows: keys.map((rawLabel, index) => ({
      label: titles[index]!,
      rawLabel,
      shown: all.map(({ shown }) => shown[index] ?? ''),
      raw: all.flatMap((one) => [
        ...(isPrevious(one) ? [previousOf(rawLabel)?.from.toString() ?? null] : []),
        one.values[index] ?? null,
      ]),
    })),
  };
}
