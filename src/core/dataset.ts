// Decides what a dataset is: fields of few types, of which some are dimensions, a date, a scope and roll-ups.
// Asked by the datasets, and by the import, the tables and the query builder that work on any of them.
import type { Path } from './routes.ts';

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

/**
 * Rows counted and fields summed by day and dimensions; with `hour`, by the hour of the day too. With `month`, by month, which its
 * first day names: a long range reads it for the whole months, and the days at the ends from the roll-up by day of its dimensions.
 */
export type RollUp = {
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly sums: readonly string[];
  readonly hour?: true;
  readonly month?: true;
};

/** For a roll-up with nearly as many rows a day as its dataset: the same by month before it, which does not grow with the rows. */
export const byMonthAndDay = (rollUp: RollUp): readonly [RollUp, RollUp] => [
  { ...rollUp, name: `${rollUp.name}_monthly`, month: true },
  rollUp,
];

/**
 * A dimension made of a field: the bucket that a row falls into, named by its lower bound (`0`, `5`, `10` ...). Bounds of money are
 * in its unit; those of an instant are hours before the end of the range, and only the backlog knows them.
 */
export type Buckets = { readonly title: string; readonly of: string; readonly bounds: readonly number[] };

export type Dataset = {
  readonly title: string;
  /** What one row is, for the import and the cards. */
  readonly row: string;
  readonly page: Path;
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
