// Reads the view of a page of numbers from its address. Also used by pinned numbers.
import { countryName, isCountryCode } from '#core/base/countries.ts';
import { dayWithYear } from '#core/base/day-words.ts';
import {
  type ComparedRange,
  type Comparison,
  comparedRange,
  daysWithData,
  lacksMuch,
} from '#core/numbers/comparison.ts';
import {
  type DatasetKey,
  datasetOf,
  dimensionsOf,
  hasHours,
  originTitles,
  valueTitle,
} from '#core/numbers/datasets.ts';
import type { Metric } from '#core/numbers/metrics.ts';
import type { NumbersSearch } from '#core/numbers/numbers-search.ts';
import {
  type Days,
  daysOf,
  defaultComparison,
  defaultPeriod,
  fittingGranularity,
  type Granularity,
  longestPart,
  type Period,
} from '#core/numbers/periods.ts';
import { config } from './config.ts';
import type { Question, RowsMeant } from './numbers.ts';

export type Filter = { readonly dimension: string; readonly values: readonly string[] };

export type View = {
  readonly dataset: DatasetKey;
  /** The product or cause, if the page has one. */
  readonly scope: string | null;
  readonly period: Period | 'custom';
  readonly days: Days;
  /** The chosen days, if they are too many: `days` is their last part. */
  readonly cutFrom: Days | null;
  readonly compare: Comparison;
  readonly granularity: Granularity;
  readonly filters: readonly Filter[];
  /** Null: the one with the most rows. */
  readonly currency: string | null;
  readonly hours: 'working' | null;
};

/** The server refuses longer ranges. */
export const isTooLong = (days: Days): boolean => longestPart(days).from !== days.from;

export const filterPrefix = 'where.';

/** Values are encoded separately, so a comma inside one is no separator. */
const readValues = (text: string): string[] => text.split(',').map(decodeURIComponent);
export const writeValues = (values: readonly string[]): string => values.map(encodeURIComponent).join(',');

/** Unknown values in the address are ignored. */
export function readView(dataset: DatasetKey, search: NumbersSearch, now = Date.now()): View {
  const days = shownDays(search, now);
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

type ShownDays = Pick<View, 'period' | 'days' | 'cutFrom'>;

function shownDays({ from, to, period = defaultPeriod }: NumbersSearch, now: number): ShownDays {
  if (from && to && from <= to) {
    // The address has the last day, as people say it; the server needs the day after.
    const days = { from, to: Temporal.PlainDate.from(to).add({ days: 1 }).toString() };
    return { period: 'custom', days: longestPart(days), cutFrom: isTooLong(days) ? days : null };
  }
  const instant = Temporal.Instant.fromEpochMilliseconds(now);
  return { period, cutFrom: null, days: daysOf(period, instant, config().companyTimeZone) };
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

export const filterDimensions = (dataset: DatasetKey): string[] => dimensionsOf(datasetOf(dataset));

export type Asked = {
  readonly metrics: readonly string[];
  readonly by?: readonly string[];
  /** No comparison: the tile has no room for it. */
  readonly alone?: boolean;
  readonly top?: number;
  readonly search?: string;
  /** Days that differ from the page's. */
  readonly days?: View['days'];
};

type Narrowed = Pick<View, 'dataset' | 'scope' | 'currency' | 'days' | 'filters' | 'hours'>;

/** What the address can't express: a blank field is null. */
export const rowsOf = ({ dataset, scope, currency, days, filters, hours }: Narrowed): RowsMeant => ({
  dataset,
  scope,
  currency,
  ...days,
  filters: filters.map(({ dimension, values }) => ({
    field: dimension,
    values: values.map((value) => (value === '' ? null : value)),
  })),
  hours,
});

export function questionOf(view: View, { metrics, by = [], alone, top, search, days = view.days }: Asked): Question {
  return {
    ...rowsOf({ ...view, days }),
    metrics: [...metrics],
    by: [...by],
    compare: alone ? 'none' : view.compare,
    top: top ?? null,
    ...(search !== undefined && { search }),
  };
}

/** The name of a dimension's value; missing values have a name too. */
export function valueWords(dataset: DatasetKey, dimension: string, value: string | null): string {
  if (value === null || value === '') return 'Unknown';
  if (dimension === 'country' && isCountryCode(value)) return countryName(value) ?? value;
  const type = datasetOf(dataset).fields[dimension]?.type;
  if (type === 'flag') return value === 'true' ? 'Yes' : 'No';
  if (typeof type !== 'object') return value;
  return valueTitle(value);
}

export function dimensionTitle(dataset: DatasetKey, dimension: string): string {
  const { fields, buckets } = datasetOf(dataset);
  return fields[dimension]?.title ?? buckets?.[dimension]?.title ?? originTitles[dimension] ?? dimension;
}

/** All filters as text. */
export function filterWords(dataset: DatasetKey, filters: readonly Filter[]): string {
  return filters
    .map(({ dimension, values }) => {
      const names = values.map((value) => valueWords(dataset, dimension, value));
      return `${dimensionTitle(dataset, dimension)} ${names.join(' or ')}`;
    })
    .join(', ');
}

/** What decides a view's comparison. */
export type Compared = { readonly compare: Comparison; readonly days: Days; readonly dataset: DatasetKey };

export function comparedWith({ compare, days, dataset }: Compared): ComparedRange | null {
  const range = { from: Temporal.PlainDate.from(days.from), to: Temporal.PlainDate.from(days.to) };
  const now = Temporal.Now.zonedDateTimeISO(config().companyTimeZone);
  return comparedRange(range, compare, now, hasHours(datasetOf(dataset)));
}

/** Whether so much of the comparison lies before the data that the two aren't alike. */
export function isUnlike(view: Compared, { dataFrom }: { readonly dataFrom: string | null }): boolean {
  const other = dataFrom ? comparedWith(view) : null;
  return other !== null && lacksMuch(other, Temporal.PlainDate.from(dataFrom!));
}

type Newest = { readonly newest: string | null };

/** "data ends 16 Aug 2021, day 16 of 31", if too much of the range so far has none to be compared. */
export function endWords({ days }: Pick<Compared, 'days'>, { newest }: Newest): string | null {
  if (!newest) return null;
  const range = { from: Temporal.PlainDate.from(days.from), to: Temporal.PlainDate.from(days.to) };
  const today = Temporal.Now.zonedDateTimeISO(config().companyTimeZone).toPlainDate();
  const found = daysWithData(range, Temporal.PlainDate.from(newest), today);
  return found && `data ends ${dayWithYear(newest)}, day ${found.last} of ${found.of}`;
}

/** A change is neither good nor bad if the data ends early. */
export const goodOf = ({ good }: Metric, view: Pick<Compared, 'days'>, numbers: Newest): Metric['good'] =>
  endWords(view, numbers) === null ? good : 'none';
