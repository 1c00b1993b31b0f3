// Defines the product payments' metrics. Used through `metrics.ts`.
import { between, type Coverage, type Metric, quotient, rows, sum } from './metric.ts';

/** Refunded or disputed payments were paid first. */
const paid = { status: ['paid', 'refunded', 'disputed'] } as const;

/** A source without other statuses, or a mapping with one for all rows, makes rates 0% or 100%. */
const statuses: Coverage = {
  ...{ known: 'other_than_paid', of: 'attempts', lack: 'The status is Paid', rows: 'attempts' },
  ...{ onlyAll: true, evenNone: true },
};

export const paymentMetrics = {
  attempts: { title: 'Attempts', unit: 'count', good: 'none', definition: 'Payment attempts', formula: sum(rows) },
  amount: {
    title: 'Amount',
    unit: 'money',
    good: 'none',
    definition: 'Total amount of all attempts',
    formula: sum('amount'),
  },
  successes: {
    title: 'Paid attempts',
    unit: 'count',
    good: 'up',
    definition: 'Paid attempts, even if refunded or disputed later',
    formula: sum(rows, paid),
  },
  other_than_paid: {
    title: 'Attempts with another status than paid',
    unit: 'count',
    good: 'none',
    definition: 'Attempts that are pending, failed, refunded, disputed or canceled',
    formula: sum(rows, { status: ['pending', 'failed', 'refunded', 'disputed', 'cancelled'] }),
  },
  paid: {
    title: 'Paid',
    unit: 'money',
    good: 'up',
    definition: 'Total amount of paid attempts',
    formula: sum('amount', paid),
  },
  success_raw: {
    title: 'Success rate by attempt',
    unit: 'percent',
    good: 'up',
    definition: 'Paid attempts / attempts',
    formula: quotient('successes', 'attempts'),
    coverage: statuses,
  },
  orders: {
    title: 'Orders',
    unit: 'count',
    good: 'none',
    definition: 'Distinct orders with an attempt. Each product has its own order numbers',
    formula: { kind: 'distinct', of: 'order_ref', within: 'product' },
  },
  paid_orders: {
    title: 'Paid orders',
    unit: 'count',
    good: 'up',
    definition: 'Distinct orders with a paid attempt',
    formula: { kind: 'distinct', of: 'order_ref', within: 'product', where: paid },
  },
  success_deduplicated: {
    title: 'Success rate by order',
    unit: 'percent',
    good: 'up',
    definition: 'Orders with a paid attempt / orders',
    formula: quotient('paid_orders', 'orders'),
    coverage: statuses,
  },
  declines: {
    title: 'Declines',
    unit: 'count',
    good: 'down',
    definition: 'Failed attempts',
    formula: sum(rows, { status: ['failed'] }),
    none: 'No declines in this period.',
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
    coverage: statuses,
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
    definition: 'Disputed attempts / paid attempts. A dispute counts on the day of its attempt',
    formula: quotient('disputes', 'successes'),
    coverage: statuses,
  },
  fees: {
    title: 'Fees',
    unit: 'money',
    good: 'down',
    definition: 'Total fees of paid attempts',
    formula: sum('fee', paid),
  },
  fee_rate: {
    title: 'Fees %',
    unit: 'percent',
    good: 'down',
    definition: 'Fees / paid, of paid attempts with a known fee',
    formula: quotient('fees', 'paid_of_fees'),
    coverage: { known: 'paid_with_fee', of: 'successes', lack: 'Fee missing', rows: 'paid attempts', evenFew: true },
  },
  paid_of_fees: {
    title: 'Paid with a known fee',
    unit: 'money',
    good: 'none',
    definition: 'Total amount of paid attempts with a known fee, including zero',
    formula: sum('amount', { ...paid, fee: 'known' }),
  },
  paid_with_fee: {
    title: 'Paid attempts with a fee',
    unit: 'count',
    good: 'none',
    definition: 'Paid attempts with a known fee, including zero',
    formula: sum(rows, { ...paid, fee: 'known' }),
  },
  recovered_orders: {
    title: 'Retries recovered',
    unit: 'count',
    good: 'up',
    definition: 'Orders paid in the period after a failed attempt',
    formula: { kind: 'recovered' },
  },
  settlement_lag: {
    title: 'Settlement lag, median',
    measures: 'Settlement lag',
    unit: 'days',
    good: 'down',
    definition:
      'Median time from attempt to settlement. Whole days if a date has no time. Payments settled before the attempt are left out',
    formula: between(0.5, 'attempted_at', 'settled_at'),
    coverage: { known: 'settled', of: 'successes', lack: 'No settled date', rows: 'paid attempts' },
  },
  settled: {
    title: 'Settled',
    unit: 'count',
    good: 'none',
    definition: 'Paid attempts with a settled date',
    formula: sum(rows, { ...paid, settled_at: 'known' }),
  },
  settlement_left_out: {
    title: 'Settlement, excluded',
    unit: 'count',
    good: 'none',
    definition: 'Settled before the attempt',
    formula: { kind: 'leftOut', of: 'settlement_lag' },
  },
} as const satisfies Readonly<Record<string, Metric>>;
