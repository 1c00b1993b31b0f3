// Defines the sales' metrics. Used through `metrics.ts`.
import { type Coverage, type Formula, less, type Metric, quotient, rows, sum, type Where } from './metric.ts';

const counting = { status: ['completed', 'refunded', 'adjustment'] } as const;
const completed = { status: ['completed'] } as const;
/** Without a refunded amount, these are sales that weren't refunded. */
const refundedSales = { status: ['refunded'], gross: 'positive' } as const;
const rareRows = (where: Where): Formula => ({ kind: 'sum', of: rows, where, isRare: true });
const refundsKnown: Coverage = {
  ...{ known: 'refunded_with_amount', of: 'refunded_lines', lack: 'Refunded amount missing', rows: 'refunded lines' },
  ...{ evenFew: true, evenNone: true },
};

export const orderMetrics = {
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
    definition: 'Total gross of the rows that count. Adjustments may be negative',
    formula: sum('gross', counting),
  },
  discounts: {
    title: 'Discounts',
    unit: 'money',
    good: 'none',
    definition: 'Total discounts of the rows that count',
    formula: sum('discount', counting),
  },
  refunds: {
    title: 'Refunds',
    unit: 'money',
    good: 'down',
    definition: 'Refunds dated in the period',
    formula: sum('refunded', counting),
  },
  net_sales: {
    title: 'Net sales',
    unit: 'money',
    good: 'up',
    definition: 'Gross sales - discounts - refunds, including any tax in these amounts',
    formula: { kind: 'difference', of: 'gross', less: ['discounts', 'refunds'], unknownIsZero: true },
    coverage: refundsKnown,
  },
  refunded_lines: {
    title: 'Refunded lines',
    unit: 'count',
    good: 'down',
    definition: 'Lines with the status refunded and a gross amount',
    formula: rareRows(refundedSales),
  },
  refunded_with_amount: {
    title: 'Refunded lines with an amount',
    unit: 'count',
    good: 'none',
    definition: 'Refunded lines with a known refunded amount, including zero',
    formula: rareRows({ ...refundedSales, refunded: 'known' }),
  },
  orders: {
    title: 'Orders',
    unit: 'count',
    good: 'up',
    definition:
      'Distinct orders with a completed line in the product, dated by the first one. An order with several products counts in each',
    formula: { kind: 'orderHeaders', which: 'all' },
  },
  units: {
    title: 'Units',
    unit: 'count',
    good: 'up',
    definition: 'Total quantity of completed rows',
    formula: sum('quantity', completed),
  },
  average_order: {
    title: 'Average order value',
    unit: 'money',
    good: 'up',
    definition: 'Net sales / orders. An order without an amount counts as 0',
    formula: quotient('net_sales', 'orders'),
    coverage: {
      ...{ known: 'priced_orders', of: 'orders', lack: 'No amount', rows: 'orders', evenFew: true },
      also: refundsKnown,
    },
  },
  unpriced_orders: {
    title: 'Orders without an amount',
    unit: 'count',
    good: 'down',
    definition: 'Orders whose completed lines all have a blank gross',
    formula: { kind: 'orderHeaders', which: 'unpriced' },
  },
  priced_orders: {
    title: 'Orders with an amount',
    unit: 'count',
    good: 'none',
    definition: 'Orders - orders without an amount',
    formula: less('orders', 'unpriced_orders'),
  },
  refund_rate: {
    title: 'Refund rate',
    unit: 'percent',
    good: 'down',
    definition: 'Refunds / gross sales',
    formula: quotient('refunds', 'gross'),
    coverage: refundsKnown,
  },
  known_orders: {
    title: 'Orders from known customers',
    unit: 'count',
    good: 'none',
    definition: 'Orders with a known customer',
    formula: { kind: 'orderHeaders', which: 'known' },
  },
  new_orders: {
    title: 'Orders from new customers',
    unit: 'count',
    good: 'up',
    definition: 'Customers’ first orders of the product',
    formula: { kind: 'orderHeaders', which: 'first' },
  },
  returning_orders: {
    title: 'Orders from returning customers',
    unit: 'count',
    good: 'up',
    definition: 'Orders from known customers - orders from new customers',
    formula: less('known_orders', 'new_orders'),
    // Beside all orders, the bars of both would seem to be all.
    coverage: { known: 'known_orders', of: 'orders', lack: 'No customer', rows: 'orders', evenFew: true },
  },
  new_customer_share: {
    title: 'New-customer share',
    unit: 'percent',
    good: 'up',
    definition: 'Customers’ first orders of the product / orders with a known customer',
    formula: quotient('new_orders', 'known_orders'),
    coverage: { known: 'known_orders', of: 'orders', lack: 'No customer', rows: 'orders' },
  },
  pending_lines: {
    title: 'Pending lines',
    unit: 'count',
    good: 'none',
    definition: 'Pending lines never count in sales',
    formula: sum(rows, { status: ['pending'] }),
  },
  cancelled_lines: {
    title: 'Canceled lines',
    unit: 'count',
    good: 'down',
    definition: 'Canceled lines never count in sales',
    formula: sum(rows, { status: ['cancelled'] }),
  },
} as const satisfies Readonly<Record<string, Metric>>;
