// Decides what a dataset is: fields of few types, of which some are dimensions, a date, a scope and roll-ups.
// Asked by the datasets, and by the import, the tables and the query builder that work on any of them.
import type { Path } from '../access/routes.ts';

/**
 * What a field holds. `money` is an exact amount with four decimals in the row's currency (D31); `whole` a count;
 * `day` a date without a time; `flag` true or false; `score` 1 to 5.
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
  /** A row without it is refused. */
  readonly required?: true;
  /** Numbers can be grouped and filtered by it. */
  readonly dimension?: true;
};

/** A month, or a week of a month, which begins on its 1st, 8th, 15th, 22nd or 29th: so weeks fill every month. */
export type Grain = 'month' | 'week';

/** The first day of the month, or week of a month, that a day is in. */
export const beginningOf = (grain: Grain, day: Temporal.PlainDate): Temporal.PlainDate =>
  grain === 'month' ? day.with({ day: 1 }) : day.subtract({ days: (day.day - 1) % 7 });

/** The first day of the one after; the last week of a month is a short one. */
export function nextBeginning(grain: Grain, day: Temporal.PlainDate): Temporal.PlainDate {
  const begun = beginningOf(grain, day);
  return begun.add(grain === 'month' ? { months: 1 } : { days: Math.min(7, begun.daysInMonth - begun.day + 1) });
}

/**
 * Rows counted and fields summed by day and dimensions; with `hour`, by the hour of the day too. With a grain, by that, which its
 * first day names: a long range reads it for what it has whole, and the rest at the ends from the next finer one of its dimensions.
 */
export type RollUp = {
  readonly name: string;
  readonly dimensions: readonly string[];
  /** Fields, of all rows. */
  readonly sums: readonly string[];
  /** Metrics that are sums, of the rows that each counts: then it needs no row for every status that a metric tells apart. */
  readonly metrics?: readonly string[];
  readonly hour?: true;
  readonly grain?: Grain;
};

/** The columns in which a roll-up keeps its sums, besides the number of its rows. */
export const sumColumnsOf = ({ sums, metrics = [] }: RollUp): string[] => [...sums, ...metrics];

/** For a roll-up with nearly as many rows a day as its dataset: the same by coarser grains before it, which grow less with the rows. */
export const byGrains = (grains: readonly Grain[], rollUp: RollUp): readonly RollUp[] => [
  ...grains.map((grain): RollUp => ({ ...rollUp, name: `${rollUp.name}_${grain}ly`, grain })),
  rollUp,
];

/**
 * A dimension made of a field: the bucket that a row falls into, named by its lower bound (`0`, `5`, `10` ...). Bounds of money are
 * in its unit; those of an instant are hours before the end of the range, and only the backlog knows them.
 */
export type Buckets = { readonly title: string; readonly of: string; readonly bounds: readonly number[] };

/** One page for each dataset, all alike. */
type NumbersPage = Extract<
  Path,
  '/sales' | '/donations' | '/affiliate-stats' | '/customer-service' | '/distributions' | '/product-payments'
>;

export type Dataset = {
  readonly title: string;
  /** What one row is, for the import and the cards. */
  readonly row: string;
  readonly page: NumbersPage;
  /** The field that dates a row: the instant or day whose day in the company's zone it counts in. */
  readonly datedBy: string;
  /** The field that the server locks to what the viewer may read; null where the page's permission is enough. */
  readonly scope: string | null;
  readonly currency: string | null;
  readonly fields: Readonly<Record<string, Field>>;
  readonly buckets?: Readonly<Record<string, Buckets>>;
  /** Kept at import in its transaction, the cheapest first: a number is read from the first that knows all it asks for. */
  readonly rollUps: readonly RollUp[];
};

/** The words by which rows can be grouped in time; `hour` is the hour of the day, `weekday` 1 (Monday) to 7. */
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
export const whole = (title: string): Field => ({ title, type: 'whole' });
export const instant = (title: string): Field => ({ title, type: 'instant' });
