// Decides which tiles a page of numbers shows, with their order and width. Used by the pages of numbers and
// the export; the compiler and a test check every metric and dimension.
import type { DatasetKey } from './datasets.ts';
import type { metrics } from './metrics.ts';

/** Twelfths of the grid. */
type Width = 3 | 4 | 6 | 8 | 12;

type MetricName<Key extends DatasetKey> = Extract<keyof (typeof metrics)[Key], string>;

/**
 * What a tile shows.
 * - `number`: value, change and spark line.
 * - `line`: over time, with the period before.
 * - `stack`: several metrics that add up, over time.
 * - `bars`: by a dimension, largest first.
 * - `table`: a dimension with several metrics.
 * - `heat`: weekday x hour.
 * - `histogram`: how many rows in each size bucket.
 * - `funnel`: each step next to the previous one.
 * - `ages`: open items by age.
 * - `goal`: the month's goal with its pace.
 * - `calendar`: what is due.
 * - `balance`: collected, remitted and open.
 */
export type Tile<Key extends DatasetKey = DatasetKey> = { readonly title: string; readonly width: Width } & (
  | { readonly kind: 'number' | 'line' | 'heat'; readonly metric: MetricName<Key> }
  | { readonly kind: 'stack'; readonly metrics: readonly MetricName<Key>[] }
  | {
      readonly kind: 'funnel';
      readonly metrics: readonly MetricName<Key>[];
      /** The rate of each step after the first to the one before. */
      readonly rates: readonly MetricName<Key>[];
    }
  | { readonly kind: 'bars'; readonly metric: MetricName<Key>; readonly by: string; readonly pareto?: true }
  | {
      readonly kind: 'table';
      readonly by: string;
      readonly metrics: readonly MetricName<Key>[];
      readonly top: number;
      readonly watch?: true;
      /** No roll-up has it, so it reads every row of the period: only when someone asks. */
      readonly onRequest?: true;
      /** No comparison: a value such as a batch occurs only once. */
      readonly alone?: true;
    }
  | { readonly kind: 'histogram' | 'ages' | 'calendar' | 'balance' }
  | { readonly kind: 'goal'; readonly metric: MetricName<Key> }
);

type Dashboards = { readonly [Key in DatasetKey]: readonly Tile<Key>[] };

export const dashboards: Dashboards = {
  orders: [
    { title: 'Net sales', kind: 'number', metric: 'net_sales', width: 3 },
    { title: 'Orders', kind: 'number', metric: 'orders', width: 3 },
    { title: 'Average order value', kind: 'number', metric: 'average_order', width: 3 },
    { title: 'Refund rate', kind: 'number', metric: 'refund_rate', width: 3 },
    { title: 'Net sales', kind: 'line', metric: 'net_sales', width: 8 },
    { title: 'Goal', kind: 'goal', metric: 'net_sales', width: 4 },
    { title: 'New and returning customers', kind: 'stack', metrics: ['new_orders', 'returning_orders'], width: 6 },
    { title: 'New-customer share', kind: 'line', metric: 'new_customer_share', width: 6 },
    { title: 'Net sales by country', kind: 'bars', metric: 'net_sales', by: 'country', width: 6 },
    { title: 'Net sales by channel', kind: 'bars', metric: 'net_sales', by: 'channel', width: 6 },
    { title: 'Order lines by weekday and hour', kind: 'heat', metric: 'lines', width: 8 },
    {
      title: 'Not counted',
      kind: 'table',
      by: 'status',
      metrics: ['pending_lines', 'cancelled_lines'],
      top: 5,
      width: 4,
    },
    { title: 'Top titles', kind: 'table', by: 'title', metrics: ['net_sales', 'units', 'refunds'], top: 20, width: 12 },
    {
      ...{ title: 'Top customers', kind: 'table', by: 'customer_ref', onRequest: true },
      ...{ metrics: ['net_sales', 'orders', 'average_order', 'refunds'], top: 20, width: 12 },
    },
  ],
  donations: [
    { title: 'Gross', kind: 'number', metric: 'gross', width: 3 },
    { title: 'Net of fees', kind: 'number', metric: 'net_of_fees', width: 3 },
    { title: 'Gifts', kind: 'number', metric: 'gifts', width: 3 },
    { title: 'Donors', kind: 'number', metric: 'donors', width: 3 },
    { title: 'Average gift', kind: 'number', metric: 'average_gift', width: 3 },
    { title: 'Median gift', kind: 'number', metric: 'median_gift', width: 3 },
    { title: 'Recurring share', kind: 'number', metric: 'recurring_share', width: 3 },
    { title: 'Retention', kind: 'number', metric: 'retention', width: 3 },
    { title: 'Gross', kind: 'line', metric: 'gross', width: 8 },
    { title: 'Collected and remitted', kind: 'balance', width: 4 },
    { title: 'One-time and recurring', kind: 'stack', metrics: ['one_off_gross', 'recurring_gross'], width: 6 },
    { title: 'Gift sizes', kind: 'histogram', width: 6 },
    {
      title: 'Campaigns',
      kind: 'table',
      by: 'campaign',
      metrics: ['gross', 'gifts', 'average_gift', 'donors'],
      top: 20,
      width: 12,
    },
    { title: 'Gross by country', kind: 'bars', metric: 'gross', by: 'country', width: 8 },
    { title: 'Not counted', kind: 'table', by: 'status', metrics: ['uncounted', 'uncounted_gifts'], top: 5, width: 4 },
    {
      ...{ title: 'Top donors', kind: 'table', by: 'donor_ref', onRequest: true },
      ...{ metrics: ['gross', 'gifts', 'average_gift', 'recurring_gross'], top: 20, width: 12 },
    },
  ],
  affiliate_activity: [
    { title: 'Clicks', kind: 'number', metric: 'clicks', width: 3 },
    { title: 'Conversions', kind: 'number', metric: 'conversions', width: 3 },
    { title: 'Conversion rate', kind: 'number', metric: 'conversion_rate', width: 3 },
    { title: 'EPC', kind: 'number', metric: 'epc', width: 3 },
    { title: 'Sales', kind: 'number', metric: 'sales', width: 3 },
    { title: 'Net revenue', kind: 'number', metric: 'net_revenue', width: 3 },
    { title: 'Liability', kind: 'number', metric: 'liability', width: 3 },
    { title: 'Reversal rate', kind: 'number', metric: 'reversal_rate', width: 3 },
    { title: 'Clicks', kind: 'line', metric: 'clicks', width: 8 },
    {
      title: 'From impression to conversion',
      kind: 'funnel',
      metrics: ['impressions', 'clicks', 'conversions'],
      rates: ['click_rate', 'conversion_rate'],
      width: 4,
    },
    { title: 'Conversions', kind: 'line', metric: 'conversions', width: 4 },
    { title: 'Sales', kind: 'line', metric: 'sales', width: 4 },
    { title: 'Commission by status', kind: 'bars', metric: 'commission', by: 'status', width: 4 },
    {
      title: 'Affiliates',
      kind: 'table',
      by: 'affiliate',
      metrics: ['clicks', 'conversions', 'conversion_rate', 'sales', 'commission', 'cost', 'epc', 'reversal_rate'],
      top: 50,
      watch: true,
      width: 12,
    },
  ],
  conversations: [
    { title: 'Opened', kind: 'number', metric: 'conversations', width: 3 },
    { title: 'Resolved', kind: 'number', metric: 'resolved', width: 3 },
    { title: 'First response, median', kind: 'number', metric: 'first_response', width: 3 },
    { title: 'Resolution, median', kind: 'number', metric: 'resolution', width: 3 },
    { title: 'SLA met', kind: 'number', metric: 'sla_met', width: 3 },
    { title: 'Reopened %', kind: 'number', metric: 'reopened_rate', width: 3 },
    { title: 'Satisfaction', kind: 'number', metric: 'satisfaction', width: 3 },
    { title: 'Rated %', kind: 'number', metric: 'response_rate', width: 3 },
    { title: 'Opened', kind: 'line', metric: 'conversations', width: 4 },
    { title: 'Net flow', kind: 'line', metric: 'net_flow', width: 4 },
    { title: 'Backlog', kind: 'line', metric: 'backlog', width: 4 },
    { title: 'First response, 9 in 10 within', kind: 'line', metric: 'first_response_p90', width: 6 },
    { title: 'Resolution, 9 in 10 within', kind: 'line', metric: 'resolution_p90', width: 6 },
    { title: 'Categories', kind: 'bars', metric: 'conversations', by: 'category', pareto: true, width: 6 },
    { title: 'Open by age', kind: 'ages', width: 6 },
    { title: 'Opened by weekday and hour', kind: 'heat', metric: 'conversations', width: 6 },
    { title: 'Channels', kind: 'bars', metric: 'conversations', by: 'channel', width: 6 },
    {
      title: 'Teams',
      kind: 'table',
      by: 'team',
      metrics: ['conversations', 'first_response', 'resolution', 'sla_met', 'satisfaction'],
      top: 50,
      width: 12,
    },
    {
      title: 'Assignees',
      kind: 'table',
      by: 'assignee',
      metrics: ['conversations', 'first_response', 'resolution', 'sla_met', 'satisfaction'],
      top: 50,
      width: 12,
    },
  ],
  payouts: [
    { title: 'Paid', kind: 'number', metric: 'paid', width: 3 },
    { title: 'Outstanding', kind: 'number', metric: 'outstanding', width: 3 },
    { title: 'Success rate by count', kind: 'number', metric: 'success_rate', width: 3 },
    { title: 'Days to pay, median', kind: 'number', metric: 'days_to_pay', width: 3 },
    { title: 'Paid', kind: 'line', metric: 'paid', width: 8 },
    { title: 'Due', kind: 'calendar', width: 4 },
    { title: 'Days to pay, median', kind: 'line', metric: 'days_to_pay', width: 6 },
    { title: 'Days to pay, 9 in 10 within', kind: 'line', metric: 'days_to_pay_p90', width: 6 },
    { title: 'Reversals by reason', kind: 'bars', metric: 'reversed', by: 'reason', width: 4 },
    { title: 'By kind', kind: 'bars', metric: 'paid', by: 'kind', width: 4 },
    { title: 'By program', kind: 'bars', metric: 'paid', by: 'program', width: 4 },
    {
      title: 'Batches',
      kind: 'table',
      by: 'batch',
      metrics: ['total', 'payouts', 'paid', 'pending', 'failed', 'not_paid', 'success_rate', 'success_rate_value'],
      top: 50,
      alone: true,
      width: 12,
    },
    {
      title: 'Payers',
      kind: 'table',
      by: 'payer',
      metrics: ['paid', 'payouts', 'total', 'success_rate_value', 'fee_rate', 'duplicates'],
      top: 50,
      width: 12,
    },
    {
      ...{ title: 'Top payees', kind: 'table', by: 'payee', onRequest: true },
      ...{ metrics: ['paid', 'payouts', 'pending', 'not_paid'], top: 20, width: 12 },
    },
  ],
  payments: [
    { title: 'Paid', kind: 'number', metric: 'paid', width: 3 },
    { title: 'Success rate by order', kind: 'number', metric: 'success_deduplicated', width: 3 },
    { title: 'Success rate by attempt', kind: 'number', metric: 'success_raw', width: 3 },
    { title: 'Refund rate', kind: 'number', metric: 'refund_rate', width: 3 },
    { title: 'Dispute activity', kind: 'number', metric: 'dispute_activity', width: 3 },
    { title: 'Fees %', kind: 'number', metric: 'fee_rate', width: 3 },
    { title: 'Paid', kind: 'line', metric: 'paid', width: 8 },
    { title: 'Declines by group', kind: 'bars', metric: 'declines', by: 'decline_group', width: 4 },
    {
      title: 'Methods',
      kind: 'table',
      by: 'method',
      metrics: ['attempts', 'paid', 'success_raw', 'refund_rate', 'dispute_activity'],
      top: 20,
      width: 12,
    },
    { title: 'Brands', kind: 'table', by: 'brand', metrics: ['attempts', 'paid', 'success_raw'], top: 20, width: 6 },
    { title: 'Countries', kind: 'bars', metric: 'paid', by: 'country', width: 6 },
    { title: 'Retries recovered', kind: 'line', metric: 'recovered_orders', width: 6 },
    { title: 'Settlement lag, median', kind: 'line', metric: 'settlement_lag', width: 6 },
  ],
};
