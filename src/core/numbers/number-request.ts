// Decides valid requests to a dataset: metrics, days, groupings, filters and scope. Used by every call of the
// numbers (values, rows, export, goals, pins), so all refuse the same.
import * as z from 'zod/mini';
import { readDecimal, tenThousandths } from '../base/decimals.ts';
import { countWords, plural } from '../base/formats.ts';
import { readInput, storable, text } from '../base/inputs.ts';
import { isRefusal, type Refusal, refuse } from '../base/refusals.ts';
import { comparisons, type DayRange, longestRangeYears } from './comparison.ts';
import {
  type Dataset,
  type DatasetKey,
  datasetKeys,
  datasetOf,
  dimensionsOf,
  hasHours,
  timeGroupings,
} from './datasets.ts';
import { leafFormulaOf, leavesOf } from './metric-value.ts';
import { metricOf } from './metrics.ts';

/** `values` are alternatives; null is a blank field. Several filters all apply. */
export type NumberFilter = { readonly field: string; readonly values: readonly (string | null)[] };

/** Rows that no roll-up counts are counted up to this many. */
export const mostRowsCounted = 10_000;

/** "3 gifts" in total, or "10,000+ gifts" where counting stopped. */
export function countedRows(counts: readonly number[], row: string): string {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.includes(mostRowsCounted) ? `${countWords(total)}+ ${row}s` : plural(total, row);
}

export const granularities = ['day', 'week', 'month'] as const;
/**
 * How durations are measured: by the clock, or in working hours of the company's zone (Monday to Friday, 9 to
 * 17, without holidays).
 */
export const hoursKinds = ['clock', 'working'] as const;

export const numberLimits = {
  metrics: 20,
  by: 3,
  filters: 20,
  values: 200,
  rows: 10_000,
  offset: 1_000_000,
  page: 500,
  name: 100,
  /** Characters of a pinned address. */
  search: 4_000,
} as const;

/** The part of a request that selects whose rows are counted. */
export type NumberScope = {
  readonly dataset: DatasetKey;
  readonly scope: string | null;
  readonly currency: string | null;
  readonly range: DayRange;
  readonly filters: readonly NumberFilter[];
  readonly hours: (typeof hoursKinds)[number];
};

export type NumberRequest = NumberScope & {
  readonly metrics: readonly string[];
  readonly by: readonly string[];
  readonly compare: (typeof comparisons)[number];
  /** The number of groups; the rest is combined. */
  readonly top: number;
  /** The number of groups to skip. */
  readonly offset: number;
  readonly order: GroupOrder | null;
  /** Only groups whose first key contains the text. */
  readonly search: string | null;
  /** Leaves out groups in which every metric is zero or blank, including in the comparison. */
  readonly onlyFilled: boolean;
};

/** By a metric, a grouping, or `change`: how much the first metric changed. Blanks come last. */
type GroupOrder = { readonly by: string; readonly descending: boolean };

const word = text(numberLimits.name);
const day = z.string().check(z.refine<string>(isDay, 'must be a date like 2026-01-31'));

/** Whether this is a day in a year that rows can have, with room for a comparison. */
function isDay(text: string): boolean {
  if (!/^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}

const filter = z.strictObject({
  field: word,
  values: z
    .array(z.nullable(z.string().check(z.maxLength(1_000, 'is longer than 1000 characters'), storable)))
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(numberLimits.values, `has more than ${numberLimits.values} values`),
    ),
});

const scopeShape = {
  dataset: z.enum(datasetKeys),
  scope: z.optional(word),
  currency: z.optional(word),
  from: day,
  to: day,
  filters: z.optional(
    z.array(filter).check(z.maxLength(numberLimits.filters, `has more than ${numberLimits.filters} filters`)),
  ),
  hours: z.optional(z.enum(hoursKinds)),
};

export const numbersInput = z.strictObject({
  ...scopeShape,
  metrics: z
    .array(word)
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(numberLimits.metrics, `has more than ${numberLimits.metrics} metrics`),
    ),
  by: z.optional(z.array(word).check(z.maxLength(numberLimits.by, `has more than ${numberLimits.by} groupings`))),
  compare: z.optional(z.enum(comparisons)),
  granularity: z.optional(z.enum(granularities)),
  top: z.optional(
    z
      .int()
      .check(z.minimum(1, 'must be 1 or more'), z.maximum(numberLimits.rows, `must be ${numberLimits.rows} or less`)),
  ),
  offset: z.optional(
    z
      .int()
      .check(
        z.minimum(0, 'must be 0 or more'),
        z.maximum(numberLimits.offset, `must be ${numberLimits.offset} or less`),
      ),
  ),
  order: z.optional(word),
  descending: z.optional(z.boolean()),
  search: z.optional(word),
  onlyFilled: z.optional(z.boolean()),
});

export const numberRowsInput = z.strictObject({
  ...scopeShape,
  metric: word,
  after: z.optional(word),
  limit: z.optional(
    z
      .int()
      .check(z.minimum(1, 'must be 1 or more'), z.maximum(numberLimits.page, `must be ${numberLimits.page} or less`)),
  ),
});

export const numberExportInput = z.strictObject({ ...scopeShape, metric: word });

/** What a dataset's rows can be grouped and filtered by, besides its scope. */
export function groupingsOf(dataset: Dataset): string[] {
  const times = timeGroupings.filter((grouping) => grouping !== 'hour' || hasHours(dataset));
  const person = dataset.person ? [dataset.person.field] : [];
  return [...dimensionsOf(dataset), ...person, ...times, ...Object.keys(dataset.buckets ?? {})];
}

const badInput = (field: string, message: string): Refusal => refuse('BAD_INPUT', `${field} ${message}`, { field });

/** Why the dataset can't have this scope, or null. Access is checked separately. */
export function scopeRefusal(key: DatasetKey, scope: string | null): Refusal | null {
  const dataset = datasetOf(key);
  if (dataset.scope === null) return scope === null ? null : badInput('scope', `isn’t supported for ${key}`);
  const allowed = dataset.fields[dataset.scope]!.type;
  if (scope !== null && typeof allowed !== 'string' && allowed.includes(scope)) return null;
  return badInput('scope', `must be a ${dataset.scope} of ${key}`);
}

export function metricRefusal(dataset: DatasetKey, name: string, field: string): Refusal | null {
  return metricOf(dataset, name) ? null : badInput(field, `${JSON.stringify(name)} isn’t a metric of ${dataset}`);
}

function rangeRefusal({ from, to }: DayRange): Refusal | null {
  if (Temporal.PlainDate.compare(from, to) >= 0) return badInput('to', 'must be after from');
  if (Temporal.PlainDate.compare(from.add({ years: longestRangeYears }), to) < 0)
    return badInput('from', `must be at most ${longestRangeYears} years before to`);
  return null;
}

/** Ages only exist for open items. */
function ageRefusal(
  dataset: DatasetKey,
  metrics: readonly string[],
  words: readonly string[],
  field: string,
): Refusal | null {
  if (!words.includes('age')) return null;
  const leaves = metrics.flatMap((metric) => leavesOf(dataset, metric));
  return leaves.every((leaf) => leafFormulaOf(dataset, leaf).kind === 'backlog')
    ? null
    : badInput(field, 'age works only with the backlog');
}

function wordsRefusal(
  key: DatasetKey,
  metrics: readonly string[],
  words: readonly string[],
  field: string,
  known = groupingsOf(datasetOf(key)),
): Refusal | null {
  const unknown = words.find((text) => !known.includes(text));
  if (unknown !== undefined) return badInput(field, `${JSON.stringify(unknown)} isn’t a dimension of ${key}`);
  if (new Set(words).size < words.length) return badInput(field, 'names a dimension twice');
  return ageRefusal(key, metrics, words, field);
}

type ParsedScope = {
  readonly dataset: DatasetKey;
  readonly scope?: string;
  readonly currency?: string;
  readonly from: string;
  readonly to: string;
  readonly filters?: readonly NumberFilter[];
  readonly hours?: NumberScope['hours'];
};

/** Filters accept the groupings, except time, which the range covers. */
function readScope(parsed: ParsedScope, metrics: readonly string[], metricsField: string): NumberScope | Refusal {
  const { dataset, scope = null, currency = null, filters = [], hours = 'clock' } = parsed;
  const range = { from: Temporal.PlainDate.from(parsed.from), to: Temporal.PlainDate.from(parsed.to) };
  const filterable = groupingsOf(datasetOf(dataset)).filter(
    (text) => !(granularities as readonly string[]).includes(text),
  );
  const refusal =
    scopeRefusal(dataset, scope) ??
    rangeRefusal(range) ??
    metrics.map((metric) => metricRefusal(dataset, metric, metricsField)).find((found) => found !== null) ??
    wordsRefusal(
      dataset,
      metrics,
      filters.map(({ field }) => field),
      'filters',
      filterable,
    ) ??
    (datasetOf(dataset).currency === null && currency !== null
      ? badInput('currency', `isn’t supported for ${dataset}`)
      : null);
  return refusal ?? { dataset, scope, currency, range, filters, hours };
}

export function readNumberRequest(values: object): NumberRequest | Refusal {
  const parsed = readInput(numbersInput, values);
  if (isRefusal(parsed)) return parsed;
  const { metrics, granularity, compare = 'none', top = numberLimits.rows, offset = 0 } = parsed;
  const { order, descending = false, search = null, onlyFilled = false } = parsed;
  const scope = readScope(parsed as ParsedScope, metrics, 'metrics');
  if (isRefusal(scope)) return scope;
  const words = parsed.by ?? [];
  const by = granularity && !words.includes(granularity) ? [granularity, ...words] : words;
  const orders = [...metrics, ...by, ...(compare === 'none' ? [] : ['change'])];
  const refusal =
    wordsRefusal(scope.dataset, metrics, by, 'by') ??
    (order !== undefined && !orders.includes(order) ? badInput('order', `must be one of ${orders.join(', ')}`) : null);
  if (refusal) return refusal;
  const ordered = order === undefined ? null : { by: order, descending };
  return { ...scope, metrics, by, compare, top, offset, order: ordered, search, onlyFilled };
}

export type RowsRequest = NumberScope & {
  readonly metric: string;
  readonly after: RowPlace | null;
  readonly limit: number;
};
/** The end of a page of rows, where the next one continues. */
export type RowPlace = {
  readonly day: string;
  /** The time; null in a dataset dated by days. */
  readonly at: string | null;
  readonly id: string;
};

const placeShape =
  /^(\d{4}-\d{2}-\d{2})\.([1-9]\d{0,17})(?:\.((\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3])(?::[0-5]\d){2}\.\d{3}Z))?$/;
export const placeText = ({ day: of, at, id }: RowPlace): string => [of, id, ...(at === null ? [] : [at])].join('.');

function readPlace(key: DatasetKey, text: string): RowPlace | null {
  const [, of, id, at = null, dayOfTime = of] = placeShape.exec(text) ?? [];
  if (of === undefined || id === undefined || !isDay(of) || !isDay(dayOfTime!)) return null;
  return (at !== null) === hasHours(datasetOf(key)) ? { day: of, at, id } : null;
}

export function readRowsRequest(values: object): RowsRequest | Refusal {
  const parsed = readInput(numberRowsInput, values);
  if (isRefusal(parsed)) return parsed;
  const scope = readScope(parsed as ParsedScope, [parsed.metric], 'metric');
  if (isRefusal(scope)) return scope;
  const after = parsed.after === undefined ? null : readPlace(scope.dataset, parsed.after);
  if (parsed.after !== undefined && after === null) return badInput('after', 'isn’t a cursor from an earlier page');
  return {
    ...scope,
    metric: parsed.metric,
    after,
    limit: parsed.limit ?? 100,
  };
}

/** An export's request in its original form, stored with its ticket and parsed again on redemption. */
export function readExportRequest(values: object): RowsRequest | Refusal {
  const parsed = readInput(numberExportInput, values);
  return isRefusal(parsed) ? parsed : readRowsRequest({ ...parsed, limit: numberLimits.page });
}

const dataset = z.enum(datasetKeys);
const month = z.string().check(z.regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, 'must be a month like 2026-01'));

/** A positive exact amount, or a count, that the database can store. */
export function isGoal(text: string): boolean {
  const value = readDecimal(text) ?? 0n;
  return value > 0n && value < 10n ** 12n * tenThousandths;
}

const amount = z
  .string()
  .check(z.refine<string>(isGoal, 'is not an amount above zero, with at most 12 digits and four decimals'));

export const numberGoalsInput = z.strictObject({ dataset, scope: z.optional(word), month, currency: z.optional(word) });
export const setNumberGoalInput = z.strictObject({
  ...numberGoalsInput.shape,
  metric: word,
  amount: z.optional(amount),
});
export const pinInput = z.strictObject({
  dataset,
  metric: word,
  scope: z.optional(word),
  /** The days, filters and currency of its page, as its address has them. */
  search: z.optional(z.string().check(z.maxLength(numberLimits.search, 'is too long'), storable)),
});
export const balanceInput = z.strictObject({ cause: word, currency: z.optional(word) });

/** How many numbers a person can pin to the start page. */
export const mostPins = 2;
