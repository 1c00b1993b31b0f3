// A number's rows: the metric, and what the page is narrowed to. Kept in the address.

import { shortWeekdays } from '#core/base/day-words.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { type Metric, metricOf } from '#core/numbers/metrics.ts';
import type { NumbersSearch } from '#core/numbers/numbers-search.ts';
import { type Days, isGranularity } from '#core/numbers/periods.ts';
import { comparedWith, dimensionTitle, type Filter, type View, valueWords } from '#web/api/number-view.ts';
import { bucketTitle, daysOfBucket } from './period-words.ts';
import type { Change } from './view.ts';

/**
 * A bucket of the range, a weekday, an hour or a dimension with its value; `on` for a day or month outside
 * the range, `goal` for a month without the page's filters, `compared` for the days of the comparison.
 */
export type Place = readonly [grouping: string, value: string];

export type DrillDown = {
  readonly name: string;
  readonly metric: Metric;
  readonly at: readonly Place[];
  readonly days: Days;
  readonly filters: readonly Filter[];
  /** What it is narrowed to, as text. */
  readonly words: readonly string[];
};

export const openDrillDown = (metric: string, at: readonly Place[] = []): Change => ({
  behind: metric,
  at: at.length > 0 ? at.map(([grouping, value]) => `${grouping}:${encodeURIComponent(value)}`).join(',') : null,
});

export const closeDrillDown: Change = { behind: null, at: null };

/** The address's selection, or null. */
export function readDrillDown(view: View, search: NumbersSearch): DrillDown | null {
  const { dataset } = view;
  const metric = search.behind === undefined ? null : metricOf(dataset, search.behind);
  if (metric === null) return null;
  let { days, filters } = view;
  const words: string[] = [];
  const at = readPlaces(search.at);
  for (const [grouping, value] of at) {
    if (grouping === 'on' || grouping === 'goal') {
      if (!isDay(value)) continue;
      if (grouping === 'goal') filters = [];
      days = daysOn(value);
      words.push(value.length > monthLength ? bucketTitle(value, 'day') : bucketTitle(`${value}-01`, 'month'));
    } else if (grouping === 'compared') {
      const compared = comparedWith(view);
      if (!compared) continue;
      days = { from: compared.from.toString(), to: compared.to.toString() };
      words.push('Comparison period');
    } else if (isGranularity(grouping)) {
      if (!isDay(value)) continue;
      days = daysOfBucket(value, grouping, view.days);
      words.push(bucketTitle(value, grouping));
    } else {
      // Its rows already match the page's filter of the same dimension, which can't be asked twice.
      filters = [
        ...filters.filter(({ dimension }) => dimension !== grouping),
        { dimension: grouping, values: [value] },
      ];
      words.push(placeWords(dataset, grouping, value));
    }
  }
  return { name: search.behind!, metric, at, days, filters, words };
}

const monthLength = '2026-01'.length;

/** A day, or a month without its day. */
const isDay = (text: string): boolean => /^\d{4}-\d{2}(-\d{2})?$/.test(text) && !Number.isNaN(Date.parse(text));

/** The days of a day or month that can be outside the page's range: a goal, or what is due later. */
const daysOn = (value: string): Days =>
  value.length > monthLength
    ? { from: value, to: Temporal.PlainDate.from(value).add({ days: 1 }).toString() }
    : { from: `${value}-01`, to: Temporal.PlainDate.from(`${value}-01`).add({ months: 1 }).toString() };

function readPlaces(text: string | undefined): Place[] {
  try {
    return (text ?? '')
      .split(',')
      .filter(Boolean)
      .map((part): Place => {
        const mark = part.indexOf(':');
        return [part.slice(0, mark), decodeURIComponent(part.slice(mark + 1))];
      });
  } catch {
    return [];
  }
}

export function placeWords(dataset: DatasetKey, grouping: string, value: string): string {
  if (grouping === 'weekday') return shortWeekdays[Number(value) - 1] ?? value;
  if (grouping === 'hour') return `${value.padStart(2, '0')}:00 to ${value.padStart(2, '0')}:59`;
  return `${dimensionTitle(dataset, grouping)}: ${valueWords(dataset, grouping, value)}`;
}
