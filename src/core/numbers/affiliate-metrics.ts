// Defines the affiliates' metrics. Used through `metrics.ts`.
import { less, type Metric, quotient, sum } from './metric.ts';

export const affiliateMetrics = {
  impressions: {
    title: 'Impressions',
    unit: 'count',
    good: 'up',
    definition: 'Total impressions',
    formula: sum('impressions'),
  },
  clicks: { title: 'Clicks', unit: 'count', good: 'up', definition: 'Total clicks', formula: sum('clicks') },
  conversions: {
    title: 'Conversions',
    unit: 'count',
    good: 'up',
    definition: 'Total conversions. Late ones count on their own day',
    formula: sum('conversions'),
  },
  conversion_rate: {
    title: 'Conversion rate',
    unit: 'percent',
    good: 'up',
    definition: 'Conversions / clicks. Late conversions can lift it above 100%',
    formula: quotient('conversions', 'clicks'),
  },
  sales: { title: 'Sales', unit: 'money', good: 'up', definition: 'Total sales', formula: sum('sales') },
  commission: {
    title: 'Commission',
    unit: 'money',
    good: 'down',
    definition: 'Total commission',
    formula: sum('commission'),
  },
  cost: {
    title: 'Network cost',
    unit: 'money',
    good: 'none',
    definition: 'What the network pays the publisher',
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
    definition: 'Commission of reversed rows',
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
    definition: 'Commission that is approved but unpaid',
    formula: sum('commission', { status: ['approved'] }),
  },
} as const satisfies Readonly<Record<string, Metric>>;
