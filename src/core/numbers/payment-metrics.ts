// Defines the product payments' metrics. Used through `metrics.ts`.
import { between, type Metric, quotient, rows, sum } from './metric.ts';

/** Refunded or disputed payments were paid first. */
const paid = { status: ['paid', 'refunded', 'disputed'] } as const;

export const paymentMetrics = {
  attempts: { title: 'Attempts', unit: 'count', good: 'none', definition: 'Attempts to pay', formula: sum(rows) },
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
    definition: 'Paid attempts, also if refunded or disputed later',
    formula: sum(rows, paid),
  },
  paid: {
    title: 'Paid',
    unit: 'money',
    good: 'up',
    definition: 'Total amount of paid attempts',
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
    definition: 'Total fees of paid attempts',
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
    definition: 'Orders paid in the period after a failed attempt',
    formula: { kind: 'recovered' },
  },
  settlement_lag: {
    title: 'Settlement lag, median',
    unit: 'days',
    good: 'down',
    definition: 'Median of settled - attempted',
    formula: between(0.5, 'attempted_at', 'settled_at'),
  },
} as const satisfies Readonly<Record<string, Metric>>;
