// Decides what a metric is: a title, a unit, a good direction and one of a few formulas. Used by each
// dataset's metrics, and by the query builder.

/** `money` in the page's currency, `percent` 0 to 100, `hours` and `days` with one decimal. */
export type Unit = 'money' | 'count' | 'percent' | 'hours' | 'days';

/**
 * Which rows count: each named field has one of the listed values (`true`/`false` for flags), a count above
 * zero, or any value.
 */
export type Where = Readonly<Record<string, readonly (string | boolean | number)[] | 'positive' | 'known'>>;

type Span = { readonly from: string; readonly to: string; readonly signed?: true };

/**
 * How a number is computed.
 * - `sum`: additive over rows and days; read from a roll-up that has all its fields. `datedBy` dates a row
 *   by another instant than the dataset's. `allTime`: a balance, of rows of any day. `isRare`: of few rows,
 *   which an index finds.
 * - `difference`, `quotient`: of other metrics of the dataset; a quotient by zero is null, and so
 *   is one of an unknown part. `unknownIsZero`: of the parts subtracted, a source without discounts gave
 *   none. `unknownAtZero`: a share of zero can also mean that nobody asked. `isPart`: of a part of what it is
 *   divided by; with negative amounts it can fall outside 0% to 100%, and is unknown.
 * - `distinct`: a field's number of different values; `within`: counted for each value of another field.
 * - `percentile`: of a field, or of the time between two instants. `signed`: the second can be the earlier
 *   one.
 * - `leftOut`: rows with both instants whose time a percentile of them can't count.
 * - `orderHeaders`: orders by their headers; `unpriced`: those without an amount on any line.
 * - `firstGifts`: gifts that are their donor's first.
 * - `yearDonors`: donors of the year before the range's last one; `again`: those who gave in that year too.
 * - `yearGifts`: gifts of the year before the range's last one; `known`: those that name a donor.
 * - `recovered`: orders paid after a failed attempt.
 * - `backlog`: open at the end of a day. `undatedEnds`: ended by their status, on an unknown day.
 * - `duplicates`: payouts beyond the first of equals.
 *
 * All but the first three have their own statements on the server.
 */
export type Formula =
  | {
      readonly kind: 'sum';
      readonly of: string;
      readonly where?: Where;
      readonly datedBy?: string;
      readonly allTime?: true;
      readonly isRare?: true;
    }
  | {
      readonly kind: 'difference';
      readonly of: string;
      readonly less: readonly string[];
      readonly unknownIsZero?: true;
    }
  | {
      readonly kind: 'quotient';
      readonly of: string;
      readonly by: string;
      readonly unknownAtZero?: true;
      readonly isPart?: true;
    }
  | { readonly kind: 'distinct'; readonly of: string; readonly within?: string; readonly where?: Where }
  | { readonly kind: 'orderHeaders'; readonly which: 'all' | 'known' | 'first' | 'unpriced' }
  | {
      readonly kind: 'percentile';
      readonly share: number;
      readonly of: string | Span;
      readonly where?: Where;
    }
  | { readonly kind: 'leftOut'; readonly of: string }
  | { readonly kind: 'firstGifts' }
  | { readonly kind: 'yearDonors'; readonly which: 'all' | 'again' }
  | { readonly kind: 'yearGifts'; readonly which: 'all' | 'known' }
  | { readonly kind: 'recovered' }
  | { readonly kind: 'backlog' }
  | { readonly kind: 'undatedEnds' }
  | { readonly kind: 'duplicates' };

/** How many of the rows a number is about have a field that it needs: metrics that count them. */
export type Coverage = {
  readonly known: string;
  readonly of: string;
  /** What the others lack, and what the rows are called. */
  readonly lack: string;
  readonly rows: string;
  /** Said even of a few: they count as zero, or the number seems to stand for all rows. */
  readonly evenFew?: true;
  /** The number is known even if no row has the field. */
  readonly evenNone?: true;
  /** Said only if all of many rows lack it: their source seems to tell nothing else. */
  readonly onlyAll?: true;
  /** A sum, and its part in rows with the field: said only if they differ, so rows lack this very field. */
  readonly proof?: readonly [all: string, ofKnown: string];
  /** The sum itself and its part in rows with both fields. If they are equal, the other rows lack both. */
  readonly own?: readonly [all: string, ofKnown: string];
  /** What else the number needs, of other rows. */
  readonly also?: Coverage;
};

export type Metric = {
  readonly title: string;
  /** What a median and its 9 in 10 measure, where a sentence is about both; otherwise the title. */
  readonly measures?: string;
  readonly unit: Unit;
  /** Whether more is better; `none` if neither. */
  readonly good: 'up' | 'down' | 'none';
  /** The formula as text for the definition card. */
  readonly definition: string;
  readonly formula: Formula;
  /** Says that there are none in the period, where a formula would be odd. */
  readonly none?: string;
  /** Rows without a field are left out of it, and a source may lack the field in most of its rows. */
  readonly coverage?: Coverage;
};

/** Counts rows instead of summing a field. */
export const rows = 'rows';

export const sum = (of: string, where?: Where): Formula => (where ? { kind: 'sum', of, where } : { kind: 'sum', of });
/** What is open now, on any day: a range would leave out what has been open for longer. */
export const balance = (of: string, where: Where): Formula => ({ kind: 'sum', of, where, allTime: true });
export const isBalance = ({ formula }: Pick<Metric, 'formula'>): boolean =>
  formula.kind === 'sum' && formula.allTime === true;
export const quotient = (of: string, by: string): Formula => ({ kind: 'quotient', of, by });
/** A part of an amount, in percent of it. */
export const share = (of: string, by: string): Formula => ({ kind: 'quotient', of, by, isPart: true });
export const less = (of: string, ...others: string[]): Formula => ({ kind: 'difference', of, less: others });
export const between = (share: number, from: string, to: string, more: { readonly signed?: true } = {}): Formula => ({
  kind: 'percentile',
  share,
  of: { from, to, ...more },
});
