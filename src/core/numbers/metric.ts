// Decides what a metric is: a title, a unit, a good direction and one of a few formulas. Used by each
// dataset's metrics, and by the query builder.

/** `money` in the page's currency, `percent` 0 to 100, `hours` and `days` with one decimal. */
export type Unit = 'money' | 'count' | 'percent' | 'hours' | 'days';

/**
 * Which rows count: each named field has one of the listed values (`true`/`false` for flags), or a count
 * above zero.
 */
export type Where = Readonly<Record<string, readonly (string | boolean | number)[] | 'positive'>>;

/**
 * How a number is computed.
 * - `sum`: additive over rows and days; read from a roll-up that has all its fields. `datedBy` dates a row
 *   by another instant than the dataset's.
 * - `difference` and `quotient`: of other metrics of the dataset; a quotient by zero is null.
 * - `distinct`: a field's number of different values. `percentile`: of a field, or of the time between two
 *   instants.
 * - `orderHeaders`: orders by their headers. `firstGifts`: gifts that are their donor's first. `recovered`:
 *   orders paid after a failed attempt.
 * - `yearDonors`: donors of the year before the range's last one; `again`: those who gave in that year too.
 * - `backlog`: open at the end of a day. `duplicates`: payouts beyond the first of equals. All but the first
 *   three have their own statements on the server.
 */
export type Formula =
  | { readonly kind: 'sum'; readonly of: string; readonly where?: Where; readonly datedBy?: string }
  | { readonly kind: 'difference'; readonly of: string; readonly less: readonly string[] }
  | { readonly kind: 'quotient'; readonly of: string; readonly by: string }
  | { readonly kind: 'distinct'; readonly of: string; readonly where?: Where }
  | { readonly kind: 'orderHeaders'; readonly which: 'all' | 'known' | 'first' }
  | {
      readonly kind: 'percentile';
      readonly share: number;
      readonly of: string | { readonly from: string; readonly to: string };
      readonly where?: Where;
    }
  | { readonly kind: 'firstGifts' }
  | { readonly kind: 'yearDonors'; readonly which: 'all' | 'again' }
  | { readonly kind: 'recovered' }
  | { readonly kind: 'backlog' }
  | { readonly kind: 'duplicates' };

export type Metric = {
  readonly title: string;
  readonly unit: Unit;
  /** Whether more is better; `none` if neither. */
  readonly good: 'up' | 'down' | 'none';
  /** The formula as text for the definition card. */
  readonly definition: string;
  readonly formula: Formula;
};

/** Counts rows instead of summing a field. */
export const rows = 'rows';

export const sum = (of: string, where?: Where): Formula => (where ? { kind: 'sum', of, where } : { kind: 'sum', of });
export const quotient = (of: string, by: string): Formula => ({ kind: 'quotient', of, by });
export const less = (of: string, ...others: string[]): Formula => ({ kind: 'difference', of, less: others });
export const between = (share: number, from: string, to: string): Formula => ({
  kind: 'percentile',
  share,
  of: { from, to },
});
