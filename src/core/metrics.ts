// Decides every number: its formula, unit, good direction and words (pages.md is told to the reader by the definition card).
// Asked by the query builder, the tiles, the definition cards and the CSV.
import type { DatasetKey } from './datasets.ts';

/** `money` in the page's currency, `percent` 0 to 100, `hours` and `days` with one decimal, `rate` money per piece. */
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

const counting = { status: ['completed', 'refunded', 'adjustment'] } as const;
const completed = { status: ['completed'] } as const;
const paid = { status: ['paid', 'refunded', 'disputed'] } as const;
const sum = (of: string, where?: Where): Formula => (where ? { kind: 'sum', of, where } : { kind: 'sum', of });
const quotient = (of: string, by: string): Formula => ({ kind: 'quotient', of, by });
const less = (of: string, ...others: string[]): Formula => ({ kind: 'difference', of, less: others });
const between = (share: number, from: string, to: string): Formula => ({ kind: 'percentile', share, of: { from, to } });

export const metrics = {
  orders: {
    lines: {
      title: 'Lines',
      unit: 'count',
      good: 'up',
      definition: 'Rows that count: completed, refunded and adjustment',
      formula: sum(rows, counting),
    },
    gross: {
      title: 'Gross sales',
      unit: 'money',
      good: 'up',
      definition: 'Sum of gross of the rows that count; an adjustment may be negative',
      formula: sum('gross', counting),
    },
    discounts: {
      title: 'Discounts',
      unit: 'money',
      good: 'none',
      definition: 'Sum of discount of the rows that count',
      formula: sum('discount', counting),
    },
    refunds: {
      title: 'Refunds',
      unit: 'money',
      good: 'down',
      definition: 'Sum of refunded of the rows dated in the period',
      formula: sum('refunded', counting),
    },
    net_sales: {
      title: 'Net sales',
      unit: 'money',
      good: 'up',
      definition: 'Gross sales - discounts - refunds',
      formula: less('gross', 'discounts', 'refunds'),
    },
    orders: {
      title: 'Orders',
      unit: 'count',
      good: 'up',
      definition:
        'Distinct orders with a completed row, within the product, dated by the first of them; an order over several products counts in each',
      formula: { kind: 'orderHeaders', which: 'all' },
    },
    units: {
      title: 'Units',
      unit: 'count',
      good: 'up',
      definition: 'Sum of quantity of completed rows',
      formula: sum('quantity', completed),
    },
    average_order: {
      title: 'Average order',
      unit: 'money',
      good: 'up',
      definition: 'Net sales / orders',
      formula: quotient('net_sales', 'orders'),
    },
    refund_rate: {
      title: 'Refund rate',
      unit: 'percent',
      good: 'down',
      definition: 'Refunds / gross sales',
      formula: quotient('refunds', 'gross'),
    },
    known_orders: {
      title: 'Orders of known customers',
      unit: 'count',
      good: 'none',
      definition: 'Orders with a known customer',
      formula: { kind: 'orderHeaders', which: 'known' },
    },
    new_orders: {
      title: 'Orders of new customers',
      unit: 'count',
      good: 'up',
      definition: "Orders that are their customer's first in the product",
      formula: { kind: 'orderHeaders', which: 'first' },
    },
    returning_orders: {
      title: 'Orders of returning customers',
      unit: 'count',
      good: 'up',
      definition: 'Orders of known customers - orders of new customers',
      formula: less('known_orders', 'new_orders'),
    },
    new_customer_share: {
      title: 'New-customer share',
      unit: 'percent',
      good: 'up',
      definition: "Orders that are their customer's first in the product / orders with a known customer",
      formula: quotient('new_orders', 'known_orders'),
    },
    pending_lines: {
      title: 'Pending lines',
      unit: 'count',
      good: 'none',
      definition: 'Pending rows; they never count in sales',
      formula: sum(rows, { status: ['pending'] }),
    },
    cancelled_lines: {
      title: 'Cancelled lines',
      unit: 'count',
      good: 'down',
      definition: 'Cancelled rows; they never count in sales',
      formula: sum(rows, { status: ['cancelled'] }),
    },
  },
  donations: {
    gifts: { title: 'Gifts', unit: 'count', good: 'up', definition: 'Completed gifts', formula: sum(rows, completed) },
    gross: {
      title: 'Gross',
      unit: 'money',
      good: 'up',
      definition: 'Sum of amount of completed gifts',
      formula: sum('amount', completed),
    },
    fees: {
      title: 'Fees',
      unit: 'money',
      good: 'down',
      definition: 'Sum of fee of completed gifts',
      formula: sum('fee', completed),
    },
    net_of_fees: {
      title: 'Net of fees',
      unit: 'money',
      good: 'up',
      definition: 'Gross - fees',
      formula: less('gross', 'fees'),
    },
    donors: {
      title: 'Donors',
      unit: 'count',
      good: 'up',
      definition: 'Distinct donors of completed gifts',
      formula: { kind: 'distinct', of: 'donor_ref', where: completed },
    },
    average_gift: {
      title: 'Average gift',
      unit: 'money',
      good: 'up',
      definition: 'Gross / gifts',
      formula: quotient('gross', 'gifts'),
    },
    median_gift: {
      title: 'Median gift',
      unit: 'money',
      good: 'up',
      definition: 'Half of the completed gifts are larger',
      formula: { kind: 'percentile', share: 0.5, of: 'amount', where: completed },
    },
    recurring_gross: {
      title: 'Recurring',
      unit: 'money',
      good: 'up',
      definition: 'Sum of amount of completed recurring gifts',
      formula: sum('amount', { ...completed, recurring: [true] }),
    },
    one_off_gross: {
      title: 'One-off',
      unit: 'money',
      good: 'up',
      definition: 'Sum of amount of completed gifts that are not recurring',
      formula: less('gross', 'recurring_gross'),
    },
    recurring_share: {
      title: 'Recurring share',
      unit: 'percent',
      good: 'up',
      definition: 'Recurring / gross',
      formula: quotient('recurring_gross', 'gross'),
    },
    new_donors: {
      title: 'New donors',
      unit: 'count',
      good: 'up',
      definition: 'Donors whose first completed gift to the cause lies in the period',
      formula: { kind: 'firstGifts' },
    },
    year_donors: {
      title: 'Donors of the previous year',
      unit: 'count',
      good: 'none',
      definition: 'Distinct donors of the year before the one that ends with the period',
      formula: { kind: 'yearDonors', which: 'all' },
    },
    retained_donors: {
      title: 'Donors who gave again',
      unit: 'count',
      good: 'up',
      definition: 'Donors of the previous year who gave in the year that ends with the period too',
      formula: { kind: 'yearDonors', which: 'again' },
    },
    retention: {
      title: 'Retention',
      unit: 'percent',
      good: 'up',
      definition:
        'Donors of the previous year who gave again / donors of the previous year; the year is the one that ends with the period',
      formula: quotient('retained_donors', 'year_donors'),
    },
  },
  affiliate_activity: {
    impressions: {
      title: 'Impressions',
      unit: 'count',
      good: 'up',
      definition: 'Sum of impressions',
      formula: sum('impressions'),
    },
    clicks: { title: 'Clicks', unit: 'count', good: 'up', definition: 'Sum of clicks', formula: sum('clicks') },
    conversions: {
      title: 'Conversions',
      unit: 'count',
      good: 'up',
      definition: 'Sum of conversions; a late one counts on its own day',
      formula: sum('conversions'),
    },
    conversion_rate: {
      title: 'Conversion rate',
      unit: 'percent',
      good: 'up',
      definition: 'Conversions / clicks; late conversions can lift it over 100 %',
      formula: quotient('conversions', 'clicks'),
    },
    sales: { title: 'Sales', unit: 'money', good: 'up', definition: 'Sum of sales', formula: sum('sales') },
    commission: {
      title: 'Commission',
      unit: 'money',
      good: 'down',
      definition: 'Sum of commission',
      formula: sum('commission'),
    },
    cost: {
      title: 'Network cost',
      unit: 'money',
      good: 'none',
      definition: 'Sum of what the network pays the publisher',
      formula: sum('cost'),
    },
    epc: {
      title: 'EPC',
      unit: 'money',
      good: 'none',
      definition: 'Commission / clicks',
      formula: quotient('commission', 'clicks'),
    },
    net_revenue: {
      title: 'Net revenue',
      unit: 'money',
      good: 'up',
      definition: 'Sales - commission',
      formula: less('sales', 'commission'),
    },
    reversed_commission: {
      title: 'Reversed commission',
      unit: 'money',
      good: 'down',
      definition: 'Sum of commission of reversed rows',
      formula: sum('commission', { status: ['reversed'] }),
    },
    reversal_rate: {
      title: 'Reversal rate',
      unit: 'percent',
      good: 'down',
      definition: 'Commission of reversed rows / commission',
      formula: quotient('reversed_commission', 'commission'),
    },
    liability: {
      title: 'Liability',
      unit: 'money',
      good: 'down',
      definition: 'Sum of commission that is approved and unpaid',
      formula: sum('commission', { status: ['approved'] }),
    },
  },
  conversations: {
    conversations: {
      title: 'Opened',
      unit: 'count',
      good: 'none',
      definition: 'Conversations opened in the period',
      formula: sum(rows),
    },
    first_response: {
      title: 'First response, median',
      unit: 'hours',
      good: 'down',
      definition: 'Median of first answer - opened; an answer before the opening is left out',
      formula: between(0.5, 'opened_at', 'first_response_at'),
    },
    first_response_p90: {
      title: 'First response, p90',
      unit: 'hours',
      good: 'down',
      definition: 'Nine in ten were answered sooner',
      formula: between(0.9, 'opened_at', 'first_response_at'),
    },
    resolution: {
      title: 'Resolution, median',
      unit: 'hours',
      good: 'down',
      definition: 'Median of resolved - opened',
      formula: between(0.5, 'opened_at', 'resolved_at'),
    },
    resolution_p90: {
      title: 'Resolution, p90',
      unit: 'hours',
      good: 'down',
      definition: 'Nine in ten were resolved sooner',
      formula: between(0.9, 'opened_at', 'resolved_at'),
    },
    resolved: {
      title: 'Resolved',
      unit: 'count',
      good: 'up',
      definition: 'Conversations resolved in the period',
      formula: { kind: 'sum', of: rows, datedBy: 'resolved_at' },
    },
    net_flow: {
      title: 'Net flow',
      unit: 'count',
      good: 'down',
      definition: 'Opened - resolved in the period',
      formula: less('conversations', 'resolved'),
    },
    backlog: {
      title: 'Backlog',
      unit: 'count',
      good: 'down',
      definition: 'Open at the end of each day: opened by then and neither resolved nor closed',
      formula: { kind: 'backlog' },
    },
    reopened: {
      title: 'Reopened',
      unit: 'count',
      good: 'down',
      definition: 'Conversations that were opened again',
      formula: sum(rows, { reopened: 'positive' }),
    },
    reopened_rate: {
      title: 'Reopened %',
      unit: 'percent',
      good: 'down',
      definition: 'Reopened / conversations',
      formula: quotient('reopened', 'conversations'),
    },
    sla_known: {
      title: 'With an SLA',
      unit: 'count',
      good: 'none',
      definition: 'Conversations that say whether the SLA was met',
      formula: sum(rows, { sla_met: [true, false] }),
    },
    sla_met_count: {
      title: 'SLA met, count',
      unit: 'count',
      good: 'up',
      definition: 'Conversations that met the SLA',
      formula: sum(rows, { sla_met: [true] }),
    },
    sla_met: {
      title: 'SLA met',
      unit: 'percent',
      good: 'up',
      definition: 'SLA met / conversations that say whether it was met',
      formula: quotient('sla_met_count', 'sla_known'),
    },
    rated: {
      title: 'Rated',
      unit: 'count',
      good: 'up',
      definition: 'Conversations with a score',
      formula: sum(rows, { satisfaction: [1, 2, 3, 4, 5] }),
    },
    satisfied: {
      title: 'Scores 4 and 5',
      unit: 'count',
      good: 'up',
      definition: 'Conversations with a score of 4 or 5',
      formula: sum(rows, { satisfaction: [4, 5] }),
    },
    satisfaction: {
      title: 'Satisfaction',
      unit: 'percent',
      good: 'up',
      definition: 'Scores 4 and 5 / ratings',
      formula: quotient('satisfied', 'rated'),
    },
    response_rate: {
      title: 'Response rate',
      unit: 'percent',
      good: 'up',
      definition: 'Ratings / conversations',
      formula: quotient('rated', 'conversations'),
    },
  },
  payouts: {
    payouts: { title: 'Payouts', unit: 'count', good: 'none', definition: 'Payouts of any status', formula: sum(rows) },
    total: {
      title: 'Total',
      unit: 'money',
      good: 'none',
      definition: 'Sum of amount of payouts of any status',
      formula: sum('amount'),
    },
    paid_count: {
      title: 'Paid, count',
      unit: 'count',
      good: 'up',
      definition: 'Paid payouts',
      formula: sum(rows, { status: ['paid'] }),
    },
    paid: {
      title: 'Paid',
      unit: 'money',
      good: 'up',
      definition: 'Sum of amount of paid payouts',
      formula: sum('amount', { status: ['paid'] }),
    },
    pending: {
      title: 'Pending',
      unit: 'money',
      good: 'none',
      definition: 'Sum of amount of draft, approved and sending payouts',
      formula: sum('amount', { status: ['draft', 'approved', 'sending'] }),
    },
    failed: {
      title: 'Failed',
      unit: 'money',
      good: 'down',
      definition: 'Sum of amount of failed payouts',
      formula: sum('amount', { status: ['failed'] }),
    },
    reversed: {
      title: 'Reversed',
      unit: 'money',
      good: 'down',
      definition: 'Sum of amount of reversed payouts',
      formula: sum('amount', { status: ['reversed'] }),
    },
    finished_count: {
      title: 'Finished, count',
      unit: 'count',
      good: 'none',
      definition: 'Payouts that are paid, failed, reversed or denied',
      formula: sum(rows, { status: ['paid', 'failed', 'reversed', 'denied'] }),
    },
    finished: {
      title: 'Finished',
      unit: 'money',
      good: 'none',
      definition: 'Sum of amount of payouts that are paid, failed, reversed or denied',
      formula: sum('amount', { status: ['paid', 'failed', 'reversed', 'denied'] }),
    },
    success_rate: {
      title: 'Success by count',
      unit: 'percent',
      good: 'up',
      definition: 'Paid / finished, by count',
      formula: quotient('paid_count', 'finished_count'),
    },
    success_rate_value: {
      title: 'Success by value',
      unit: 'percent',
      good: 'up',
      definition: 'Paid / finished, by value',
      formula: quotient('paid', 'finished'),
    },
    days_to_pay: {
      title: 'Days to pay, median',
      unit: 'days',
      good: 'down',
      definition: 'Median of paid - due',
      formula: between(0.5, 'due_at', 'paid_at'),
    },
    days_to_pay_p90: {
      title: 'Days to pay, p90',
      unit: 'days',
      good: 'down',
      definition: 'Nine in ten were paid sooner',
      formula: between(0.9, 'due_at', 'paid_at'),
    },
    fees: {
      title: 'Fees',
      unit: 'money',
      good: 'down',
      definition: 'Sum of fee of paid payouts',
      formula: sum('fee', { status: ['paid'] }),
    },
    fee_rate: {
      title: 'Fees %',
      unit: 'percent',
      good: 'down',
      definition: 'Fees / paid',
      formula: quotient('fees', 'paid'),
    },
    outstanding: {
      title: 'Outstanding',
      unit: 'money',
      good: 'down',
      definition: 'Sum of amount of approved and sending payouts',
      formula: sum('amount', { status: ['approved', 'sending'] }),
    },
    due: {
      title: 'Due',
      unit: 'money',
      good: 'none',
      definition: 'Sum of amount of draft, approved and sending payouts, on the day they are due',
      formula: { kind: 'sum', of: 'amount', where: { status: ['draft', 'approved', 'sending'] }, datedBy: 'due_at' },
    },
    duplicates: {
      title: 'Duplicates',
      unit: 'count',
      good: 'down',
      definition: 'Payouts beyond the first with the same payee, source, amount and date',
      formula: { kind: 'duplicates' },
    },
  },
  payments: {
    attempts: { title: 'Attempts', unit: 'count', good: 'none', definition: 'Attempts to pay', formula: sum(rows) },
    amount: {
      title: 'Amount',
      unit: 'money',
      good: 'none',
      definition: 'Sum of amount of all attempts',
      formula: sum('amount'),
    },
    successes: {
      title: 'Paid attempts',
      unit: 'count',
      good: 'up',
      definition: 'Attempts that were paid, also where refunded or disputed since',
      formula: sum(rows, paid),
    },
    paid: {
      title: 'Paid',
      unit: 'money',
      good: 'up',
      definition: 'Sum of amount of paid attempts',
      formula: sum('amount', paid),
    },
    success_raw: {
      title: 'Success, raw',
      unit: 'percent',
      good: 'up',
      definition: 'Paid attempts / attempts',
      formula: quotient('successes', 'attempts'),
    },
    orders: {
      title: 'Orders',
      unit: 'count',
      good: 'none',
      definition: 'Distinct orders with an attempt',
      formula: { kind: 'distinct', of: 'order_ref' },
    },
    paid_orders: {
      title: 'Paid orders',
      unit: 'count',
      good: 'up',
      definition: 'Distinct orders with any success',
      formula: { kind: 'distinct', of: 'order_ref', where: paid },
    },
    success_deduplicated: {
      title: 'Success, deduplicated',
      unit: 'percent',
      good: 'up',
      definition: 'Orders with any success / orders',
      formula: quotient('paid_orders', 'orders'),
    },
    declines: {
      title: 'Declines',
      unit: 'count',
      good: 'down',
      definition: 'Failed attempts',
      formula: sum(rows, { status: ['failed'] }),
    },
    refunded: {
      title: 'Refunded',
      unit: 'count',
      good: 'down',
      definition: 'Refunded attempts',
      formula: sum(rows, { status: ['refunded'] }),
    },
    refund_rate: {
      title: 'Refund rate',
      unit: 'percent',
      good: 'down',
      definition: 'Refunded attempts / paid attempts',
      formula: quotient('refunded', 'successes'),
    },
    disputes: {
      title: 'Disputes',
      unit: 'count',
      good: 'down',
      definition: 'Disputed attempts',
      formula: sum(rows, { status: ['disputed'] }),
    },
    dispute_activity: {
      title: 'Dispute activity',
      unit: 'percent',
      good: 'down',
      definition: 'Disputes opened in the period / successes in the period',
      formula: quotient('disputes', 'successes'),
    },
    fees: {
      title: 'Fees',
      unit: 'money',
      good: 'down',
      definition: 'Sum of fee of paid attempts',
      formula: sum('fee', paid),
    },
    fee_rate: {
      title: 'Fees %',
      unit: 'percent',
      good: 'down',
      definition: 'Fees / paid',
      formula: quotient('fees', 'paid'),
    },
    recovered_orders: {
      title: 'Retries recovered',
      unit: 'count',
      good: 'up',
      definition: 'Orders paid in the period after an attempt that had failed',
      formula: { kind: 'recovered' },
    },
    settlement_lag: {
      title: 'Settlement lag, median',
      unit: 'days',
      good: 'down',
      definition: 'Median of settled - attempted',
      formula: between(0.5, 'attempted_at', 'settled_at'),
    },
  },
} as const satisfies Readonly<Record<DatasetKey, Readonly<Record<string, Metric>>>>;

/** The metric of a dataset by its name from outside, or null. */
export function metricOf(dataset: DatasetKey, name: string): Metric | null {
  const known: Readonly<Record<string, Metric>> = metrics[dataset];
  return Object.hasOwn(known, name) ? (known[name] ?? null) : null;
}
