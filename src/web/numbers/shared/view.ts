// The view of a page of numbers, kept in the address: linkable, reloadable and part of the history.
import { useMemo } from 'react';
import { dayInZone } from '#core/base/day-words.ts';
import type { Comparison } from '#core/numbers/comparison.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { defaultComparison, defaultPeriod, type Granularity, type Period } from '#core/numbers/periods.ts';
import { config } from '#web/api/config.ts';
import { filterPrefix, readView, type View, writeValues } from '#web/api/number-view.ts';
import { type SearchChange, useAddress } from '#web/shell/address.ts';
import { useQuarterHour } from '#web/ui/age.tsx';

/** The six pages have the same search parameters. */
export type Change = SearchChange<'/sales'>;

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
  noFilters: ({ filters }: View): Change =>
    Object.fromEntries(filters.map(({ dimension }) => [filterPrefix + dimension, null])),
};

/** The search parameters, the view they mean now, and a function to change it. */
export function useView(dataset: DatasetKey) {
  const [search, change] = useAddress(datasetOf(dataset).page);
  const now = useQuarterHour();
  const view = useMemo(() => readView(dataset, search, now), [dataset, search, now]);
  const today = dayInZone(Temporal.Instant.fromEpochMilliseconds(now), config().companyTimeZone);
  return { search, view, today, change };
}
