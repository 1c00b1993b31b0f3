// What a page of numbers shows, kept in the address: every view can be linked, reloaded and gone back to.
import { useMemo } from 'react';
import type { Comparison } from '#core/numbers/comparison.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { NumbersSearch } from '#core/numbers/numbers-search.ts';
import {
  type Days,
  daysOf,
  defaultComparison,
  defaultPeriod,
  fittingGranularity,
  type Granularity,
  type Period,
} from '#core/numbers/periods.ts';
import { config } from '#web/api/config.ts';
import { type SearchChange, useAddress } from '#web/shell/address.ts';

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

/** The six pages say the same in their addresses. */
export type Change = SearchChange<'/sales'>;

const filterPrefix = 'where.';

/** Values are encoded apart from each other, so that a comma inside one is no border. */
const readValues = (text: string): string[] => text.split(',').map(decodeURIComponent);
export const writeValues = (values: readonly string[]): string => values.map(encodeURIComponent).join(',');

/** Whatever the address names and nobody knows counts as not chosen. */
export function readView(dataset: DatasetKey, search: NumbersSearch): View {
  const days = shownDays(search);
  return {
    dataset,
    scope: datasetOf(dataset).scope === null ? null : (search.product ?? null),
    ...days,
    compare: search.compare ?? defaultComparison,
    granularity: search.by ?? fittingGranularity(days.days),
    filters: readFilters(dataset, search),
    currency: search.currency ?? null,
    hours: search.hours ?? null,
  };
}

function shownDays({ from, to, period = defaultPeriod }: NumbersSearch): Pick<View, 'period' | 'days'> {
  if (from && to && from <= to) {
    // The address names the last day, as a person does; the server is asked up to the day after.
    return { period: 'custom', days: { from, to: Temporal.PlainDate.from(to).add({ days: 1 }).toString() } };
  }
  return { period, days: daysOf(period, Temporal.Now.instant(), config().companyTimeZone) };
}

function readFilters(dataset: DatasetKey, search: NumbersSearch): Filter[] {
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

/** What the address says, the view that it means, and a way to change it. */
export function useView(dataset: DatasetKey) {
  const [search, change] = useAddress(datasetOf(dataset).page);
  const view = useMemo(() => readView(dataset, search), [dataset, search]);
  return { search, view, change };
}
