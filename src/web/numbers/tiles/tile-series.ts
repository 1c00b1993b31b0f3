// Makes what a chart draws of what the server answers: one point a bucket, with its exact number in words.
import type { Metric } from '#core/numbers/metrics.ts';
import type { Granularity } from '#core/numbers/periods.ts';
import type { NumberGroup, Numbers } from '#web/api/numbers.ts';
import { drawn, numberWords } from '#web/charts/number-format.ts';
import type { Look, Series } from '#web/charts/series.ts';
import type { Twin } from '#web/charts/table-twin.tsx';
import { bucketLabel, bucketsOf, bucketTitle } from '../shared/period-words.ts';
import type { View } from '../shared/view.ts';

/** Nothing happened: none is a number of things, but no rate and no median. */
export function emptyValue({ formula }: Metric): string | null {
  return formula.kind === 'quotient' || formula.kind === 'percentile' ? null : '0';
}

export type Buckets = {
  readonly keys: readonly string[];
  readonly labels: readonly string[];
  readonly titles: readonly string[];
  /** The last one is not over yet. */
  readonly unfinished: boolean;
  readonly granularity: Granularity;
};

/** The buckets of the range that have begun. What lies ahead is no zero. */
export function bucketsSoFar({ days, granularity }: View, today: string): Buckets {
  const keys = bucketsOf(days, granularity).filter((bucket) => bucket <= today);
  const last = keys.at(-1);
  const next = last && Temporal.PlainDate.from(last).add(lengths[granularity]).toString();
  return {
    keys,
    labels: keys.map((key) => bucketLabel(key, granularity)),
    titles: keys.map((key) => bucketTitle(key, granularity)),
    unfinished: next !== undefined && next > today && days.to > today,
    granularity,
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
  /** Which of the metrics that were asked for. */
  readonly index: number;
  readonly buckets: Buckets;
};

type Reading = (row: NumberGroup, index: number) => string | null;

const now: Reading = (row, index) => row.values[index] ?? null;
const before: Reading = (row, index) => row.previousValues?.[index] ?? null;

/** The numbers of a metric in the order of the buckets, as exact texts. */
function textsOf({ numbers, metric, index, buckets }: Asked, read: Reading): (string | null)[] {
  const rows = new Map(numbers.rows.map((row) => [row.keys[0], row]));
  return buckets.keys.map((key) => {
    const row = rows.get(key);
    return row ? read(row, index) : emptyValue(metric);
  });
}

function series(asked: Asked, title: string, look: Look, read: Reading): Series {
  const { metric, numbers } = asked;
  const texts = textsOf(asked, read);
  return {
    key: `${look}:${title}`,
    title,
    look,
    values: texts.map(drawn),
    shown: texts.map((text) => numberWords(text, metric.unit, numbers.currency)),
  };
}

export const seriesNow = (asked: Asked, title: string, look: Look): Series => series(asked, title, look, now);

/** What the line is compared with; null where nothing is. */
export function seriesBefore(asked: Asked): Series | null {
  return asked.numbers.previousTotals === null ? null : series(asked, 'Previous', 'previous', before);
}

export function textsNow(asked: Asked): (string | null)[] {
  return textsOf(asked, now);
}

export function textsBefore(asked: Asked): (string | null)[] {
  return textsOf(asked, before);
}

export function twinOf(caption: string, first: string, titles: readonly string[], all: readonly Series[]): Twin {
  return {
    caption,
    head: [first, ...all.map(({ title }) => title)],
    rows: titles.map((label, index) => ({
      label,
      shown: all.map(({ shown }) => shown[index] ?? ''),
      raw: all.map(({ values }) => values[index] ?? null),
    })),
  };
}
