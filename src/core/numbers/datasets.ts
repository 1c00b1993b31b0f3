// Defines the six datasets: fields, dimensions, date, scope and roll-ups. Used by the import, the tables, the
// query builder, the pages and the definition cards.

import { causes, salesProducts } from '../access/products.ts';
import { capital, listWords } from '../base/formats.ts';
import { endedWords } from './conversation-metrics.ts';
import {
  byGrains,
  type Dataset,
  dimension,
  instant,
  money,
  needed,
  neededDimension,
  sparse,
  text,
  whole,
} from './dataset.ts';

export { type Dataset, type Field, type FieldType, timeGroupings } from './dataset.ts';

const keys = <Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] =>
  Object.keys(record) as Key[];

/** All additive parts of an order's lines, so an hour or a title is one row for all statuses. */
const orderSums = ['lines', 'gross', 'discounts', 'refunds', 'units', 'pending_lines', 'cancelled_lines'];

/** The parts of affiliates' rates: each counts only the rows that give both fields. */
const affiliateParts = [
  ...['clicks_of_impressions', 'impressions_of_clicks', 'rows_with_impressions'],
  ...['conversions_of_clicks', 'clicks_of_conversions', 'rows_with_conversions'],
  ...['commission_of_clicks', 'clicks_with_commission', 'rows_with_earnings'],
  ...['sales_with_commission', 'commission_of_sales', 'rows_with_sales'],
];

export const datasets = {
  orders: {
    title: 'Orders',
    row: 'an order line or a refund, dated when it happened',
    page: '/sales',
    datedBy: 'occurred_at',
    scope: 'product',
    currency: 'currency',
    person: { field: 'customer_ref', also: [], references: ['order_ref'] },
    fields: {
      product: neededDimension('Product', keys(salesProducts)),
      order_ref: needed('Order', 'text'),
      occurred_at: needed('Date and time', 'instant'),
      customer_ref: text('Customer'),
      country: dimension('Country'),
      channel: dimension('Channel'),
      sku: dimension('SKU'),
      title: dimension('Title'),
      quantity: whole('Quantity'),
      gross: sparse(money('Gross')),
      discount: sparse(money('Discount')),
      tax: money('Tax'),
      refunded: sparse(money('Refunded')),
      currency: needed('Currency', 'text'),
      status: neededDimension('Status', ['completed', 'refunded', 'adjustment', 'pending', 'cancelled']),
    },
    rollUps: [
      {
        name: 'totals',
        dimensions: ['product', 'currency', 'status'],
        sums: ['quantity', 'gross', 'discount', 'tax', 'refunded'],
      },
      ...byGrains(['month'], {
        name: 'daily',
        dimensions: ['product', 'currency', 'country', 'channel', 'status'],
        sums: ['quantity', 'gross', 'discount', 'tax', 'refunded'],
      }),
      { name: 'by_hour', dimensions: ['product', 'currency'], sums: [], metrics: orderSums, hour: true },
      ...byGrains(['month', 'week'], {
        name: 'by_title',
        dimensions: ['product', 'currency', 'title'],
        sums: [],
        metrics: orderSums,
      }),
    ],
  },
  donations: {
    title: 'Donations',
    row: 'a gift',
    page: '/donations',
    datedBy: 'donated_at',
    scope: 'cause',
    currency: 'currency',
    person: { field: 'donor_ref', also: ['recurring_ref'], references: [] },
    fields: {
      cause: neededDimension('Cause', keys(causes)),
      donated_at: needed('Given', 'instant'),
      donor_ref: text('Donor'),
      anonymous: dimension('Anonymous', 'flag'),
      campaign: dimension('Campaign'),
      country: dimension('Country'),
      amount: needed('Amount', 'money'),
      fee: money('Fee'),
      currency: needed('Currency', 'text'),
      recurring_ref: text('Recurring gift'),
      recurring: sparse(dimension('Recurring', 'flag')),
      status: neededDimension('Status', ['completed', 'refunded', 'pending', 'failed']),
    },
    buckets: { size: { title: 'Size', of: 'amount', bounds: [0, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000] } },
    rollUps: [
      { name: 'totals', dimensions: ['cause', 'currency', 'recurring', 'status'], sums: ['amount', 'fee'] },
      {
        name: 'daily',
        dimensions: ['cause', 'currency', 'campaign', 'country', 'recurring', 'status'],
        sums: ['amount', 'fee'],
      },
    ],
  },
  affiliate_activity: {
    title: 'Affiliate activity',
    row: 'the activity of one affiliate on one day',
    page: '/affiliate-stats',
    datedBy: 'day',
    scope: null,
    currency: 'currency',
    fields: {
      affiliate: neededDimension('Affiliate', 'text'),
      day: needed('Day', 'day'),
      campaign: dimension('Campaign'),
      product: dimension('Product'),
      country: dimension('Country'),
      impressions: whole('Impressions'),
      clicks: whole('Clicks'),
      conversions: whole('Conversions'),
      sales: money('Sales'),
      commission: money('Commission'),
      cost: money('Cost'),
      currency: needed('Currency', 'text'),
      status: neededDimension('Status', ['pending', 'approved', 'paid', 'reversed']),
    },
    rollUps: [
      {
        name: 'totals',
        dimensions: ['currency', 'status'],
        sums: ['impressions', 'clicks', 'conversions', 'sales', 'commission', 'cost'],
        metrics: affiliateParts,
      },
      {
        name: 'daily',
        dimensions: ['affiliate', 'campaign', 'product', 'country', 'currency', 'status'],
        sums: ['impressions', 'clicks', 'conversions', 'sales', 'commission', 'cost'],
        metrics: affiliateParts,
      },
    ],
  },
  conversations: {
    title: 'Conversations',
    row: 'a conversation with a customer',
    page: '/customer-service',
    datedBy: 'opened_at',
    scope: null,
    currency: null,
    fields: {
      opened_at: needed('Opened', 'instant'),
      first_response_at: instant('First response'),
      resolved_at: sparse(instant('Resolved')),
      closed_at: instant('Closed'),
      channel: dimension('Channel'),
      category: dimension('Category'),
      priority: dimension('Priority'),
      team: dimension('Team'),
      assignee: dimension('Assignee'),
      status: dimension('Status'),
      reopened: whole('Reopened'),
      sla_met: dimension('SLA met', 'flag'),
      satisfaction: sparse(dimension('Satisfaction', 'score')),
      note: { title: 'Note', type: 'longText' },
    },
    // When it was resolved. Closing can be archiving, weeks later.
    firstOf: { ended_at: ['resolved_at', 'closed_at'] },
    buckets: { age: { title: 'Age in hours', of: 'opened_at', bounds: [0, 4, 24, 72, 168] } },
    rollUps: [
      { name: 'totals', dimensions: ['sla_met', 'satisfaction'], sums: [] },
      {
        name: 'daily',
        dimensions: ['channel', 'category', 'priority', 'team', 'status', 'sla_met', 'satisfaction'],
        sums: [],
      },
    ],
  },
  payouts: {
    title: 'Payouts',
    row: 'a payout to one payee',
    page: '/distributions',
    datedBy: 'dated_at',
    scope: null,
    currency: 'currency',
    fields: {
      batch: dimension('Batch'),
      kind: neededDimension('Kind', ['commission', 'remittance', 'goods', 'grant']),
      payer: dimension('Payer'),
      payee: dimension('Payee'),
      program: dimension('Program'),
      due_at: sparse(instant('Due')),
      paid_at: instant('Paid'),
      dated_at: needed('Date', 'instant'),
      amount: needed('Amount', 'money'),
      fee: money('Fee'),
      currency: needed('Currency', 'text'),
      status: neededDimension('Status', ['draft', 'approved', 'sending', 'paid', 'failed', 'reversed', 'denied']),
      reason: dimension('Reason'),
    },
    rollUps: [
      { name: 'totals', dimensions: ['currency', 'kind', 'status'], sums: ['amount', 'fee'] },
      {
        name: 'daily',
        dimensions: ['kind', 'payer', 'program', 'currency', 'status', 'reason'],
        sums: ['amount', 'fee'],
      },
    ],
  },
  payments: {
    title: 'Payments',
    row: 'a payment attempt',
    page: '/product-payments',
    datedBy: 'attempted_at',
    scope: null,
    currency: 'currency',
    fields: {
      product: dimension('Product', keys(salesProducts)),
      attempted_at: needed('Attempted', 'instant'),
      order_ref: needed('Order', 'text'),
      attempt_of: text('Earlier attempt'),
      method: dimension('Method'),
      brand: dimension('Brand'),
      country: dimension('Country'),
      amount: needed('Amount', 'money'),
      fee: money('Fee'),
      currency: needed('Currency', 'text'),
      status: neededDimension('Status', ['paid', 'pending', 'failed', 'refunded', 'disputed', 'cancelled']),
      decline_group: dimension('Decline group'),
      settled_at: instant('Settled'),
    },
    rollUps: [
      { name: 'totals', dimensions: ['currency', 'status'], sums: ['amount', 'fee'] },
      {
        name: 'daily',
        dimensions: ['product', 'method', 'brand', 'country', 'currency', 'status', 'decline_group'],
        sums: ['amount', 'fee'],
      },
    ],
  },
} as const satisfies Record<string, Dataset>;

export type DatasetKey = keyof typeof datasets;
export const datasetKeys = Object.keys(datasets) as DatasetKey[];

/** The datasets whose rows name a customer or donor. */
export const personDatasets = datasetKeys.filter((key) => datasetOf(key).person !== undefined);

export function isDataset(text: string): text is DatasetKey {
  return Object.hasOwn(datasets, text);
}

const productTitles: Readonly<Record<string, { readonly title: string }>> = { ...salesProducts, ...causes };

/** Values of files that screens spell like everything else. */
const americanTitles: Readonly<Record<string, string>> = { cancelled: 'Canceled' };

/** What people call a value of a field with fixed values: `bgp` is Arcade. */
export const valueTitle = (value: string): string =>
  productTitles[value]?.title ?? americanTitles[value] ?? capital(value);

/** What screens call a row's field, or its id. */
export const fieldTitle = (dataset: DatasetKey, field: string): string =>
  field === 'external_id' ? 'ID in the source' : (datasetOf(dataset).fields[field]?.title ?? field);

/** Whether the field refers to an order, a person or another row, so most of its values differ. */
export const isReference = (field: string): boolean => field.endsWith('_ref') || field === 'attempt_of';

/** Whether a file can give the field as a duration after the row's date. */
export function canBeDuration(dataset: DatasetKey, field: string): boolean {
  const { fields, datedBy } = datasetOf(dataset);
  return fields[field]?.type === 'instant' && field !== datedBy;
}

const causeTitles = Object.values(causes).map(({ title }) => title);

/** Whether a text names a cause by title or key, however it is written. SQL compares so for its balance. */
export const namesCause = (text: string): boolean =>
  Object.hasOwn(
    causes,
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
  );

/** What the program of a remittance to a cause has to be. */
export const causeWords = listWords(causeTitles, 'or');

const fieldHints: Readonly<Record<string, string>> = {
  gross: 'Before discounts and refunds: net sales subtract both',
  'conversations status': `If there’s no end date, these statuses end a conversation: ${endedWords}. If no conversation has an end date, open ones can’t be counted`,
  resolved_at: 'When it was solved. Rows without it count as resolved when they were closed',
  recurring_ref: 'The ID of the series that the gift belongs to',
  recurring:
    'Yes or no. If not mapped, gifts with a series count as recurring, others as one-time. If Recurring gift isn’t mapped either, it’s unknown',
  batch: 'The run that paid several payees at once',
  kind: 'Commission, remittance, goods or grant. Often the same for all rows',
  payer: 'Who pays',
  program: `What it is paid for, such as a campaign. For a remittance to a cause: ${causeWords}`,
  due_at: 'The due date. Needed for days to pay',
  paid_at: 'When it was paid. Blank if not paid yet',
  dated_at: 'The day on which it counts, such as the day it was paid or due',
};

/** What a field needs, if its title doesn't say it. */
export const fieldHint = (dataset: DatasetKey, field: string): string | null =>
  fieldHints[`${dataset} ${field}`] ?? fieldHints[field] ?? (isOftenRate(field) ? 'An amount, not a percentage' : null);

/** Amounts that sources often give as a rate, which would be subtracted as money. */
export const isOftenRate = (field: string): boolean => ['discount', 'tax', 'fee', 'commission'].includes(field);

/** Every row has these besides its dataset's fields. */
export const originTitles: Readonly<Record<string, string>> = { source: 'Source', external_id: 'Source ID' };

/** The fields that a page offers as filters. Its scope isn't one, and its address names no customer or donor. */
export function dimensionsOf({ fields, scope }: Dataset): string[] {
  return [...Object.keys(fields).filter((name) => fields[name]!.dimension && name !== scope), 'source'];
}

/** Whether rows are dated to the hour; a dataset dated by day can't be grouped by hour. */
export function hasHours({ datedBy, fields }: Dataset): boolean {
  return fields[datedBy]?.type === 'instant';
}

/** The dataset with its optional parts, for generic code. */
export function datasetOf(key: DatasetKey): Dataset {
  return datasets[key];
}
