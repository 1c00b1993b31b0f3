// Decides what a metric is: a title, a unit, a good direction and a formula, of which there are few kinds.
// Asked by the metrics of each dataset, and by the query builder that reads them.

/** `money` in the page's currency, `percent` 0 to 100, `hours` and `days` with one decimal. */
export type Unit = 'money' | 'count' | 'percent' | 'hours' | 'days';

/** Which rows count: the value of each named field is one of the list (`true`/`false` for flags), or a count above zero. */
export type Where = Readonly<Record<string, readonly (string | boolean | number)[] | 'positive'>>;

/**
 * How a number comes about.
 * - `sum`: additive over rows and so over days; read from the roll-ups when every field it asks is one of theirs. `datedBy` counts
 *   a row on the day of another instant than the dataset's.
 * - `difference` and `quotient`: of other metrics of the dataset; a quotient by nothing is null.
 * - `distinct`: how many different values a field has. `percentile`: of a field, or of the time between two instants.
 * - `orderHeaders`: orders by their headers. `firstGifts`: gifts that are their donor's first. `recovered`: orders paid after a failed attempt.
 * - `yearDonors`: donors of the year before the one that ends with the range, `again`: those of them who gave in that year too.
 * - `backlog`: open at the end of a day. `duplicates`: payouts beyond the first of equals.
 * All but the first three are leaves that the server has its own statement for.
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
  /** Whether more is better; `none` where it is neither. */
  readonly good: 'up' | 'down' | 'none';
  /** The formula in words, as the definition card shows it. */
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
