// Decides what a dataset is: typed fields, some of them dimensions, a date, a scope and roll-ups. Used by the
// datasets, the import, the tables and the query builder.
import type { Path } from '../access/routes.ts';

/**
 * A field's type. `money`: an exact amount with four decimals in the row's currency (D31); `whole`: a count;
 * `day`: a date without a time; `flag`: true or false; `score`: 1 to 5.
 */
export type FieldType =
  | 'text'
  | 'longText'
  | 'instant'
  | 'day'
  | 'money'
  | 'whole'
  | 'flag'
  | 'score'
  | readonly string[];

export type Field = {
  readonly title: string;
  readonly type: FieldType;
  /** Rows without it are rejected. */
  readonly required?: true;
  /** Numbers can be grouped and filtered by it. */
  readonly dimension?: true;
  /** Only some rows have it, like a refund or a rating: rows without it have none, instead of an unknown one. */
  readonly sparse?: true;
};

/** A month, or a week of a month starting on its 1st, 8th, 15th, 22nd or 29th, so weeks fill every month. */
export type Grain = 'month' | 'week';

/** The first day of the month, or week of a month, that contains a day. */
export const beginningOf = (grain: Grain, day: Temporal.PlainDate): Temporal.PlainDate =>
  grain === 'month' ? day.with({ day: 1 }) : day.subtract({ days: (day.day - 1) % 7 });

/** The first day of the next one; the last week of a month is short. */
export function nextBeginning(grain: Grain, day: Temporal.PlainDate): Temporal.PlainDate {
  const begun = beginningOf(grain, day);
  return begun.add(grain === 'month' ? { months: 1 } : { days: Math.min(7, begun.daysInMonth - begun.day + 1) });
}

/**
 * Row counts and field sums by day and dimensions; with `hour`, also by hour. With a grain, by month or week,
 * named by its first day: a long range uses it for the whole ones, and the next finer roll-up for the ends.
 */
export type RollUp = {
  readonly name: string;
  readonly dimensions: readonly string[];
  /** Fields summed over all rows. */
  readonly sums: readonly string[];
  /**
   * Additive metrics, each summed over the rows it counts. This saves a row for every status that a metric
   * separates.
   */
  readonly metrics?: readonly string[];
  readonly hour?: true;
  readonly grain?: Grain;
};

/** A roll-up's sum columns, besides its row count. */
export const sumColumnsOf = ({ sums, metrics = [] }: RollUp): string[] => [...sums, ...metrics];

/** Coarser grains in front of a roll-up with nearly as many rows per day as its dataset. */
export const byGrains = (grains: readonly Grain[], rollUp: RollUp): readonly RollUp[] => [
  ...grains.map((grain): RollUp => ({ ...rollUp, name: `${rollUp.name}_${grain}ly`, grain })),
  rollUp,
];

/**
 * A dimension of buckets of a field, named by their lower bounds (`0`, `5`, `10` ...). Money bounds are in
 * its unit; bounds of an instant are hours before the end of the range, for the backlog only.
 */
export type Buckets = { readonly title: string; readonly of: string; readonly bounds: readonly number[] };

/** One page per dataset, all alike. */
type NumbersPage = Extract<
  Path,
  '/sales' | '/donations' | '/affiliate-stats' | '/customer-service' | '/distributions' | '/product-payments'
>;

/** What an erasure of a customer or donor clears. */
export type PersonFields = {
  /** The reference in the source. */
  readonly field: string;
  /** Cleared with it. */
  readonly also: readonly string[];
  /** References to something else, replaced if they contain the person's. */
  readonly references: readonly string[];
};

export type Dataset = {
  readonly title: string;
  /** What one row is, for the import and the definition cards. */
  readonly row: string;
  readonly page: NumbersPage;
  /** The field that dates a row: an instant or day, counted in the company's zone. */
  readonly datedBy: string;
  /**
   * The field that the server restricts to what the viewer can read; null if the page's permission is enough.
   */
  readonly scope: string | null;
  readonly currency: string | null;
  /** Whose rows they are, if they name anyone outside the company. */
  readonly person?: PersonFields;
  readonly fields: Readonly<Record<string, Field>>;
  /** What numbers read as a field: the first one of several that the row has. */
  readonly firstOf?: Readonly<Record<string, readonly string[]>>;
  readonly buckets?: Readonly<Record<string, Buckets>>;
  /**
   * Updated in the import's transaction, the cheapest first: a number uses the first one with everything it
   * needs.
   */
  readonly rollUps: readonly RollUp[];
};

/** Groupings by time; `hour` is the hour of the day, `weekday` 1 (Monday) to 7. */
export const timeGroupings = ['day', 'week', 'month', 'weekday', 'hour'] as const;

export const text = (title: string): Field => ({ title, type: 'text' });
export const dimension = (title: string, type: FieldType = 'text'): Field => ({ title, type, dimension: true });
export const needed = (title: string, type: FieldType): Field => ({ title, type, required: true });
export const neededDimension = (title: string, type: FieldType): Field => ({
  title,
  type,
  required: true,
  dimension: true,
});
export const money = (title: string): Field => ({ title, type: 'money' });
export const sparse = (field: Field): Field => ({ ...field, sparse: true });
export const whole = (title: string): Field => ({ title, type: 'whole' });
export const instant = (title: string): Field => ({ title, type: 'instant' });
