// The tables of the numbers, made from `core/numbers/datasets.ts`: a table of rows a dataset and its roll-ups, and what is settled at
// import because it is not additive. Migrations are generated from them.
import { sql } from 'drizzle-orm';
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
import { people } from '#server/platform/db/tables.ts';

type Columns = Record<string, PgColumnBuilderBase>;
type Table = Readonly<Record<string, PgColumn>>;

function columnOf(name: string, { type, required }: Field): PgColumnBuilderBase {
  const made = {
    text: () => text(name),
    longText: () => text(name),
    instant: () => instant(name),
    day: () => date(name),
    // Ten-thousandths: exact, and sums of them stay exact (D31).
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

/** What a text may be is the core's list: a row with another one would count nowhere. */
function enumChecks(key: string, { fields }: Dataset) {
  return Object.entries(fields).flatMap(([name, { type }]) => {
    if (typeof type === 'string') return [];
    const allowed = sql.raw(type.map((value) => `'${value}'`).join(', '));
    return [check(`${key}_${name}`, sql`${sql.identifier(name)} in (${allowed})`)];
  });
}

/** `lookups`: further indexes, for what finds rows by a reference. */
function rowsTable(key: DatasetKey, lookups: Readonly<Record<string, readonly string[]>> = {}) {
  const dataset = datasetOf(key);
  const made = {
    id: whole('id').primaryKey().generatedAlwaysAsIdentity(),
    source: text('source').notNull(),
    external_id: text('external_id').notNull(),
    // The day in the company's zone that the row counts on; a dataset dated by days has it as a field.
    day: date('day').notNull(),
    ...(hasHours(dataset) && { hour: smallint('hour').notNull() }),
    ...columnsOf(dataset),
    labels: jsonb('labels').notNull().default({}),
    /** The source's text of amounts that were rounded (D31). */
    texts: jsonb('texts').notNull().default({}),
  };
  return pgTable(key, made as Columns, (table) => [
    unique(`${key}_source`).on(...pick(table, ['source', 'external_id'])),
    index(`${key}_day`).on(...pick(table, [dataset.scope, dataset.currency, 'day', 'id'])),
    ...Object.entries(lookups).map(([name, columns]) => index(`${key}_${name}`).on(...pick(table, columns))),
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
    ...(rollUp.hour && { hour: smallint('hour').notNull() }),
    ...columnsOf(dataset, rest),
    row_count: whole('row_count').notNull(),
    ...Object.fromEntries(sumColumnsOf(rollUp).map((sum) => [sum, whole(sum).notNull()])),
  };
  const table = `${key}_${name}`;
  return pgTable(table, made as Columns, (columns) => [
    unique(`${table}_key`)
      .on(...pick(columns, [...lead, 'day', rollUp.hour ? 'hour' : null, ...rest]))
      .nullsNotDistinct(),
    // Rows that corrections have emptied; they are removed at once.
    index(`${table}_empty`).on(columns.day!).where(sql`row_count = 0`),
  ]);
}

export const orders = rowsTable('orders', { order: ['product', 'currency', 'order_ref'] });
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
export const affiliateActivity = rowsTable('affiliate_activity');
export const affiliateActivityTotals = rollUpTable('affiliate_activity', 'totals');
export const affiliateActivityDaily = rollUpTable('affiliate_activity', 'daily');
export const conversations = rowsTable('conversations', { resolved: ['resolved_at'] });
export const conversationsTotals = rollUpTable('conversations', 'totals');
export const conversationsDaily = rollUpTable('conversations', 'daily');
export const payouts = rowsTable('payouts', { due: ['currency', 'due_at'] });
export const payoutsTotals = rollUpTable('payouts', 'totals');
export const payoutsDaily = rollUpTable('payouts', 'daily');
export const payments = rowsTable('payments', { order: ['order_ref'] });
export const paymentsTotals = rollUpTable('payments', 'totals');
export const paymentsDaily = rollUpTable('payments', 'daily');

/** An order within a product and a currency, dated by its first completed line, which `line_id` names. */
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
    /** The customer's first order in the product, in any currency. */
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
    /** Orders, those of known customers, and those that are their customer's first. */
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

/** The first completed gift of each donor to a cause, in any currency. */
export const firstGifts = pgTable(
  'first_gifts',
  {
    cause: text('cause').notNull(),
    donor_ref: text('donor_ref').notNull(),
    gift_id: whole('gift_id').notNull(),
  },
  // A corrected gift moves from one donor to another in one statement, so it cannot be unique.
  (table) => [primaryKey({ columns: [table.cause, table.donor_ref] }), index('first_gifts_gift').on(table.gift_id)],
);

/** In which zone a dataset's days were counted, and when rows came last. */
export const numberStates = pgTable('number_states', {
  dataset: text('dataset').primaryKey(),
  zone: text('zone').notNull(),
  asOf: instant('as_of').notNull(),
});

/** What a month is to bring, set on the page. */
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

/** The numbers that a person keeps on the start page. */
export const pinnedNumbers = pgTable(
  'pinned_numbers',
  {
    personId: whole('person_id')
      .notNull()
      .references(() => people.id),
    dataset: text('dataset').notNull(),
    metric: text('metric').notNull(),
    scope: text('scope'),
    pinnedAt: instant('pinned_at').notNull(),
  },
  (table) => [
    unique('pinned_numbers_key').on(table.personId, table.dataset, table.metric, table.scope).nullsNotDistinct(),
  ],
);
