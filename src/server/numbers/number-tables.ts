// The tables of the numbers, generated from `core/numbers/datasets.ts`: per dataset a table of rows and its
// roll-ups, and what the import computes because it isn't additive. Migrations are generated from them.
import { SQL, sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  jsonb,
  type PgColumn,
  type PgColumnBuilderBase,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { sumColumnsOf } from '#core/numbers/dataset.ts';
import { type Dataset, type DatasetKey, datasetOf, type Field, hasHours } from '#core/numbers/datasets.ts';
import { instant, whole } from '#server/platform/db/columns.ts';
import { literals } from '#server/platform/db/literals.ts';
import { people } from '#server/platform/db/tables.ts';
import { orderOfRows } from './dataset-columns.ts';
import { endedAt, openPeriod } from './row-conditions.ts';

type Columns = Record<string, PgColumnBuilderBase>;
type Table = Readonly<Record<string, PgColumn>>;

function columnOf(name: string, { type, required }: Field): PgColumnBuilderBase {
  const made = {
    text: () => text(name),
    longText: () => text(name),
    instant: () => instant(name),
    day: () => date(name),
    // Ten-thousandths: sums stay exact (D31).
    money: () => whole(name),
    whole: () => whole(name),
    flag: () => boolean(name),
    score: () => smallint(name),
  };
  const column = typeof type === 'string' ? made[type]() : text(name);
  return required ? column.notNull() : column;
}

const columnsOf = ({ fields }: Dataset, names: readonly string[] = Object.keys(fields)): Columns =>
  Object.fromEntries(names.map((name) => [name, columnOf(name, fields[name]!)]));

const pick = (table: Table, names: readonly (string | null)[]): [PgColumn, ...PgColumn[]] =>
  names.filter((name) => name !== null).map((name) => table[name]!) as [PgColumn, ...PgColumn[]];

/** Texts are limited to the core's list: a row with another one wouldn't count anywhere. */
function enumChecks(key: string, { fields }: Dataset) {
  return Object.entries(fields).flatMap(([name, { type }]) => {
    if (typeof type === 'string') return [];
    return [check(`${key}_${name}`, sql`${sql.identifier(name)} in (${literals(type)})`)];
  });
}

/**
 * `lookups`: more indexes, for finding rows by reference; `periods`: for what was the case at a time; `rare`:
 * of the days of a few rows.
 */
function rowsTable(
  key: DatasetKey,
  lookups: Readonly<Record<string, readonly string[] | SQL>> = {},
  periods: Readonly<Record<string, SQL>> = {},
  rare: Readonly<Record<string, SQL>> = {},
) {
  const dataset = datasetOf(key);
  const made = {
    id: whole('id').primaryKey().generatedAlwaysAsIdentity(),
    source: text('source').notNull(),
    external_id: text('external_id').notNull(),
    // The row's day in the company's zone; a dataset dated by day has it as a field.
    day: date('day').notNull(),
    // Null if the source gives no time.
    ...(hasHours(dataset) && { hour: smallint('hour') }),
    ...columnsOf(dataset),
    labels: jsonb('labels').notNull().default({}),
    /** The source's text of rounded amounts (D31), and of instants that are days without a time. */
    texts: jsonb('texts').notNull().default({}),
    /** The import run that last wrote the row. Null: demo data, or imported before runs could be undone. */
    run_id: whole('run_id'),
  };
  return pgTable(key, made as Columns, (table) => [
    unique(`${key}_source`).on(...pick(table, ['source', 'external_id'])),
    index(`${key}_day`).on(...pick(table, [dataset.scope, dataset.currency, ...orderOfRows(dataset)])),
    ...Object.entries(lookups).map(([name, columns]) => {
      const lookup = index(`${key}_${name}`);
      return columns instanceof SQL ? lookup.on(columns) : lookup.on(...pick(table, columns));
    }),
    ...Object.entries(periods).map(([name, period]) => index(`${key}_${name}`).using('gist', period)),
    ...Object.entries(rare).map(([name, are]) =>
      index(`${key}_${name}`)
        .on(...pick(table, [dataset.scope, dataset.currency, 'day']))
        .where(are),
    ),
    ...enumChecks(key, dataset),
  ]);
}

function rollUpTable(key: DatasetKey, name: string) {
  const dataset = datasetOf(key);
  const rollUp = dataset.rollUps.find((candidate) => candidate.name === name)!;
  const lead = [dataset.scope, dataset.currency].filter((dimension) => dimension !== null);
  const rest = rollUp.dimensions.filter((dimension) => !lead.includes(dimension));
  const made = {
    ...columnsOf(dataset, lead),
    day: date('day').notNull(),
    ...(rollUp.hour && { hour: smallint('hour') }),
    ...columnsOf(dataset, rest),
    row_count: whole('row_count').notNull(),
    ...Object.fromEntries(sumColumnsOf(rollUp).map((sum) => [sum, whole(sum).notNull()])),
  };
  const table = `${key}_${name}`;
  return pgTable(table, made as Columns, (columns) => [
    unique(`${table}_key`)
      .on(...pick(columns, [...lead, 'day', rollUp.hour ? 'hour' : null, ...rest]))
      .nullsNotDistinct(),
    // Rows emptied by corrections; they are removed immediately.
    index(`${table}_empty`).on(columns.day!).where(sql`row_count = 0`),
  ]);
}

export const orders = rowsTable(
  'orders',
  { order: ['product', 'currency', 'order_ref'], customer: ['product', 'customer_ref'] },
  {},
  { unpriced: sql`status = 'completed' and gross is null`, refunded: sql`status = 'refunded' and gross > 0` },
);
export const ordersTotals = rollUpTable('orders', 'totals');
export const ordersDailyMonthly = rollUpTable('orders', 'daily_monthly');
export const ordersDaily = rollUpTable('orders', 'daily');
export const ordersByHour = rollUpTable('orders', 'by_hour');
export const ordersByTitleMonthly = rollUpTable('orders', 'by_title_monthly');
export const ordersByTitleWeekly = rollUpTable('orders', 'by_title_weekly');
export const ordersByTitle = rollUpTable('orders', 'by_title');
export const donations = rowsTable('donations', { donor: ['cause', 'donor_ref', 'donated_at'] });
export const donationsTotals = rollUpTable('donations', 'totals');
export const donationsDaily = rollUpTable('donations', 'daily');
export const affiliateActivity = rowsTable('affiliate_activity', {}, {}, { liability: sql`status = 'approved'` });
export const affiliateActivityTotals = rollUpTable('affiliate_activity', 'totals');
export const affiliateActivityDaily = rollUpTable('affiliate_activity', 'daily');
export const conversations = rowsTable(
  'conversations',
  { ended: endedAt('conversations') },
  { open: openPeriod('conversations') },
);
export const conversationsTotals = rollUpTable('conversations', 'totals');
export const conversationsDaily = rollUpTable('conversations', 'daily');
export const payouts = rowsTable(
  'payouts',
  { due: ['currency', 'due_at'], equal: ['currency', 'day', 'payee', 'amount'] },
  {},
  { outstanding: sql`status in ('approved', 'sending')` },
);
export const payoutsTotals = rollUpTable('payouts', 'totals');
export const payoutsDaily = rollUpTable('payouts', 'daily');
export const payments = rowsTable('payments', { order: ['order_ref'] });
export const paymentsTotals = rollUpTable('payments', 'totals');
export const paymentsDaily = rollUpTable('payments', 'daily');

/** An order within a product and currency, dated by its first completed line, `line_id`. */
export const orderHeaders = pgTable(
  'order_headers',
  {
    product: text('product').notNull(),
    currency: text('currency').notNull(),
    order_ref: text('order_ref').notNull(),
    line_id: whole('line_id').notNull(),
    occurred_at: instant('occurred_at').notNull(),
    day: date('day').notNull(),
    customer_ref: text('customer_ref'),
    country: text('country'),
    channel: text('channel'),
    /** The customer's first order of the product, in any currency. */
    is_first: boolean('is_first').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.product, table.currency, table.order_ref] }),
    index('order_headers_line').on(table.line_id),
    index('order_headers_day').on(table.product, table.currency, table.day),
    index('order_headers_customer').on(table.product, table.customer_ref, table.occurred_at),
    index('order_headers_first').on(table.product, table.customer_ref).where(sql`is_first`),
  ],
);

export const orderHeadersDaily = pgTable(
  'order_headers_daily',
  {
    product: text('product').notNull(),
    currency: text('currency').notNull(),
    day: date('day').notNull(),
    country: text('country'),
    channel: text('channel'),
    /** All orders, those of known customers, and customers' first orders. */
    row_count: whole('row_count').notNull(),
    known: whole('known').notNull(),
    first: whole('first').notNull(),
  },
  (table) => [
    unique('order_headers_daily_key')
      .on(table.product, table.currency, table.day, table.country, table.channel)
      .nullsNotDistinct(),
    index('order_headers_daily_empty').on(table.day).where(sql`row_count = 0`),
  ],
);

/** Each donor's first completed gift to a cause, in any currency. */
export const firstGifts = pgTable(
  'first_gifts',
  {
    cause: text('cause').notNull(),
    donor_ref: text('donor_ref').notNull(),
    gift_id: whole('gift_id').notNull(),
  },
  // A corrected gift moves between donors in one statement, so it can't be unique.
  (table) => [primaryKey({ columns: [table.cause, table.donor_ref] }), index('first_gifts_gift').on(table.gift_id)],
);

/** The zone of a dataset's days, and when rows last came. */
export const numberStates = pgTable('number_states', {
  dataset: text('dataset').primaryKey(),
  zone: text('zone').notNull(),
  asOf: instant('as_of').notNull(),
});

/** A month's goal, set on the page. */
export const numberGoals = pgTable(
  'number_goals',
  {
    dataset: text('dataset').notNull(),
    scope: text('scope'),
    metric: text('metric').notNull(),
    currency: text('currency'),
    month: date('month').notNull(),
    amount: whole('amount').notNull(),
    setBy: whole('set_by')
      .notNull()
      .references(() => people.id),
    setAt: instant('set_at').notNull(),
  },
  (table) => [
    unique('number_goals_key')
      .on(table.dataset, table.scope, table.metric, table.currency, table.month)
      .nullsNotDistinct(),
  ],
);

/** The numbers that a person pinned to the start page. */
export const pinnedNumbers = pgTable(
  'pinned_numbers',
  {
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    dataset: text('dataset').notNull(),
    metric: text('metric').notNull(),
    scope: text('scope'),
    /** The days, filters and currency of its page, as its address has them. */
    search: text('search').notNull().default(''),
    pinnedAt: instant('pinned_at').notNull(),
  },
  (table) => [
    unique('pinned_numbers_key')
      .on(table.personId, table.dataset, table.metric, table.scope, table.search)
      .nullsNotDistinct(),
  ],
);
