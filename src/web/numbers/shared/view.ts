// What a page of numbers shows, kept in the address: every view can be linked, reloaded and gone back to.
import { useMemo } from 'react';
import type { Comparison } from '#core/numbers/comparison.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import {
  type Days,
  daysOf,
  defaultComparison,
  defaultPeriod,
  fittingGranularity,
  type Granularity,
  isComparison,
  isGranularity,
  isPeriod,
  type Period,
} from '#core/numbers/periods.ts';
import { config } from '#web/api/config.ts';
import { type Search, useAddress } from '#web/shell/address.ts';

export type Filter = { readonly dimension: string; readonly values: readonly string[] };

export type View = {
  readonly dataset: DatasetKey;
  /** The product or cause, where the page has one. */
  readonly scope: string | null;
  readonly period: Period | 'custom';
  readonly days: Days;
  readonly compare: Comparison;
  readonly granularity: Granularity;
  readonly filters: readonly Filter[];
  /** Null: the one with the most rows. */
  readonly currency: string | null;
  readonly hours: 'working' | null;
};

export type Change = Readonly<Record<string, string | null>>;

const filterPrefix = 'where.';
const isDay = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');

/** Values are encoded apart from each other, so that a comma inside one is no border. */
const readValues = (text: string): string[] => text.split(',').map(decodeURIComponent);
export const writeValues = (values: readonly string[]): string => values.map(encodeURIComponent).join(',');

/** Whatever the address names and nobody knows counts as not chosen. */
export function readView(dataset: DatasetKey, search: Search): View {
  const days = readDays(search);
  return {
    dataset,
    scope: datasetOf(dataset).scope === null ? null : (search.product ?? null),
    ...days,
    compare: isComparison(search.compare) ? search.compare : defaultComparison,
    granularity: isGranularity(search.by) ? search.by : fittingGranularity(days.days),
    filters: readFilters(dataset, search),
    currency: search.currency ?? null,
    hours: search.hours === 'working' ? 'working' : null,
  };
}

function readDays(search: Search): Pick<View, 'period' | 'days'> {
  if (isDay(search.from) && isDay(search.to) && search.from <= search.to) {
    try {
      // The address names the last day, as a person does; the server is asked up to the day after.
      const to = Temporal.PlainDate.from(search.to).add({ days: 1 }).toString();
      return { period: 'custom', days: { from: Temporal.PlainDate.from(search.from).toString(), to } };
    } catch {
      // No day of any calendar: as if nothing were named.
    }
  }
  const period = isPeriod(search.period) ? search.period : defaultPeriod;
  return { period, days: daysOf(period, Temporal.Now.instant(), config().companyTimeZone) };
}

function readFilters(dataset: DatasetKey, search: Search): Filter[] {
  return filterDimensions(dataset).flatMap((dimension) => {
    const text = search[filterPrefix + dimension];
    if (text === undefined) return [];
    try {
      return [{ dimension, values: readValues(text) }];
    } catch {
      return [];
    }
  });
}

/** What the numbers of a page can be narrowed down by; the scope is the page's own. */
export function filterDimensions(dataset: DatasetKey): string[] {
  const { fields, scope } = datasetOf(dataset);
  return Object.keys(fields).filter((name) => fields[name]?.dimension && name !== scope);
}

export const changes = {
  period: (period: Period): Change => ({
    period: period === defaultPeriod ? null : period,
    from: null,
    to: null,
    by: null,
  }),
  range: (from: string, last: string): Change => ({ period: null, from, to: last, by: null }),
  compare: (compare: Comparison): Change => ({ compare: compare === defaultComparison ? null : compare }),
  granularity: (by: Granularity): Change => ({ by }),
  currency: (currency: string): Change => ({ currency }),
  hours: (working: boolean): Change => ({ hours: working ? 'working' : null }),
  filter: (dimension: string, values: readonly string[]): Change => ({
    [filterPrefix + dimension]: values.length > 0 ? writeValues(values) : null,
  }),
};

/** The view of the address, and a way to change it. */
export function useView(dataset: DatasetKey): [view: View, change: (part: Change) => void] {
  const [search, change] = useAddress();
  const view = useMemo(() => readView(dataset, search), [dataset, search]);
  return [view, change];
}
