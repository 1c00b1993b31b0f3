// Defines the affiliates' metrics. Used through `metrics.ts`.
import { balance, type Coverage, less, type Metric, quotient, rows, share, sum } from './metric.ts';

/** A part of a metric of two fields. It counts rows that have both, or the metric would mix different rows. */
const partOf = (title: string, unit: Metric['unit'], formula: Metric['formula']): Metric => ({
  ...{ title, unit, formula, good: 'none' },
  definition: 'In rows that have both',
});
const rowsWith = (known: string, lack: string): Coverage => ({
  ...{ known, lack, of: 'activity', rows: 'rows', evenFew: true },
});
/** Of a sum: the rows that have it and its partner, if the partner's sum shows that rows lack this one. */
type Sums = Required<Pick<Coverage, 'own' | 'proof'>>;
const sumOf = (known: string, lack: string, sums: Sums): Coverage => ({
  ...rowsWith(known, lack),
  ...{ evenNone: true, ...sums },
});
const decided = { status: ['approved', 'paid', 'reversed'] } as const;

export const affiliateMetrics = {
  impressions: {
    title: 'Impressions',
    unit: 'count',
    good: 'up',
    definition: 'Total impressions',
    formula: sum('impressions'),
    coverage: sumOf('rows_with_impressions', 'Impressions or clicks missing', {
      own: ['impressions', 'impressions_of_clicks'],
      proof: ['clicks', 'clicks_of_impressions'],
    }),
  },
  clicks: {
    title: 'Clicks',
    unit: 'count',
    good: 'up',
    definition: 'Total clicks',
    formula: sum('clicks'),
    coverage: sumOf('rows_with_conversions', 'Clicks or conversions missing', {
      own: ['clicks', 'clicks_of_conversions'],
      proof: ['conversions', 'conversions_of_clicks'],
    }),
  },
  conversions: {
    title: 'Conversions',
    unit: 'count',
    good: 'up',
    definition: 'Total conversions, on the day of the conversion, not of the click',
    formula: sum('conversions'),
    coverage: sumOf('rows_with_conversions', 'Clicks or conversions missing', {
      own: ['conversions', 'conversions_of_clicks'],
      proof: ['clicks', 'clicks_of_conversions'],
    }),
  },
  click_rate: {
    title: 'Click-through rate',
    unit: 'percent',
    good: 'up',
    definition: 'Clicks / impressions, in rows that have both',
    formula: quotient('clicks_of_impressions', 'impressions_of_clicks'),
    coverage: rowsWith('rows_with_impressions', 'Impressions or clicks missing'),
  },
  clicks_of_impressions: partOf('Clicks with impressions', 'count', sum('clicks', { impressions: 'known' })),
  impressions_of_clicks: partOf('Impressions with clicks', 'count', sum('impressions', { clicks: 'known' })),
  rows_with_impressions: partOf(
    'Rows with impressions and clicks',
    'count',
    sum(rows, { impressions: 'known', clicks: 'known' }),
  ),
  conversion_rate: {
    title: 'Conversion rate',
    unit: 'percent',
    good: 'up',
    definition: 'Conversions / clicks, in rows that have both. Late conversions can lift it above 100%',
    formula: quotient('conversions_of_clicks', 'clicks_of_conversions'),
    coverage: rowsWith('rows_with_conversions', 'Clicks or conversions missing'),
  },
  conversions_of_clicks: partOf('Conversions with clicks', 'count', sum('conversions', { clicks: 'known' })),
  clicks_of_conversions: partOf('Clicks with conversions', 'count', sum('clicks', { conversions: 'known' })),
  rows_with_conversions: partOf(
    'Rows with clicks and conversions',
    'count',
    sum(rows, { clicks: 'known', conversions: 'known' }),
  ),
  sales: {
    title: 'Sales',
    unit: 'money',
    good: 'up',
    definition: 'Total sales',
    formula: sum('sales'),
    coverage: sumOf('rows_with_sales', 'Sales or commission missing', {
      own: ['sales', 'sales_with_commission'],
      proof: ['commission', 'commission_of_sales'],
    }),
  },
  commission: {
    title: 'Commission',
    unit: 'money',
    good: 'down',
    definition: 'Total commission',
    formula: sum('commission'),
    coverage: sumOf('rows_with_sales', 'Sales or commission missing', {
      own: ['commission', 'commission_of_sales'],
      proof: ['sales', 'sales_with_commission'],
    }),
  },
  cost: {
    title: 'Cost',
    unit: 'money',
    good: 'none',
    definition: 'What the network pays the publisher',
    formula: sum('cost'),
  },
  epc: {
    title: 'EPC',
    unit: 'money',
    good: 'none',
    definition: 'Commission / clicks, in rows that have both',
    formula: quotient('commission_of_clicks', 'clicks_with_commission'),
    coverage: rowsWith('rows_with_earnings', 'Clicks or commission missing'),
  },
  commission_of_clicks: partOf('Commission with clicks', 'money', sum('commission', { clicks: 'known' })),
  clicks_with_commission: partOf('Clicks with a commission', 'count', sum('clicks', { commission: 'known' })),
  rows_with_earnings: partOf(
    'Rows with clicks and commission',
    'count',
    sum(rows, { clicks: 'known', commission: 'known' }),
  ),
  net_revenue: {
    title: 'Net revenue',
    unit: 'money',
    good: 'up',
    definition: 'Sales - commission, in rows that have both',
    formula: less('sales_with_commission', 'commission_of_sales'),
    coverage: rowsWith('rows_with_sales', 'Sales or commission missing'),
  },
  sales_with_commission: partOf('Sales with a commission', 'money', sum('sales', { commission: 'known' })),
  commission_of_sales: partOf('Commission with sales', 'money', sum('commission', { sales: 'known' })),
  rows_with_sales: partOf(
    'Rows with sales and commission',
    'count',
    sum(rows, { sales: 'known', commission: 'known' }),
  ),
  reversed_commission: {
    title: 'Reversed commission',
    unit: 'money',
    good: 'down',
    definition: 'Commission of reversed rows',
    formula: sum('commission', { status: ['reversed'] }),
  },
  reversal_rate: {
    title: 'Reversal rate',
    unit: 'percent',
    good: 'down',
    definition: 'Commission of reversed rows / commission that isn’t pending',
    formula: share('reversed_commission', 'decided_commission'),
    coverage: rowsWith('decided_rows', 'Pending'),
  },
  decided_commission: {
    title: 'Non-pending commission',
    unit: 'money',
    good: 'none',
    definition: 'Commission that isn’t pending',
    formula: sum('commission', decided),
  },
  decided_rows: {
    title: 'Non-pending rows',
    unit: 'count',
    good: 'none',
    definition: 'Rows that aren’t pending',
    formula: sum(rows, decided),
  },
  activity: { title: 'Rows', unit: 'count', good: 'none', definition: 'All rows', formula: sum(rows) },
  liability: {
    title: 'Liability',
    unit: 'money',
    good: 'none',
    definition: 'Commission that is approved but unpaid, all time',
    formula: balance('commission', { status: ['approved'] }),
  },
} as const satisfies Readonly<Record<string, Metric>>;
