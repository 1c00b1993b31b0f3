// The whole data of a sales dashboard over a year, with the year before: through the API as the page asks for
// it, and as plain SQL over the rows, as one would write it without roll-ups.
import type pg from 'pg';
import { dashboards, type Tile } from '../src/core/numbers/dashboards.ts';
import { fillEnd } from './fill-orders.ts';

type SalesTile = Tile<'orders'>;
export const salesTiles: readonly SalesTile[] = dashboards.orders;

const product = 'connect';
const currency = 'EUR';
const days = { from: '2025-11-21', to: fillEnd, before: '2024-11-21' } as const;

type Question = { readonly metrics: readonly string[]; readonly by: readonly string[]; readonly top?: number };

/** What a tile shows: its metrics, and what they are grouped by. */
function questionOf(tile: SalesTile): Question {
  switch (tile.kind) {
    case 'number':
    case 'line':
      return { metrics: [tile.metric], by: ['week'] };
    case 'goal':
      return { metrics: [tile.metric], by: ['month'] };
    case 'stack':
      return { metrics: tile.metrics, by: ['week'] };
    case 'heat':
      return { metrics: [tile.metric], by: ['weekday', 'hour'] };
    case 'bars':
      return { metrics: [tile.metric], by: [tile.by], top: 10 };
    case 'table':
      return { metrics: tile.metrics, by: [tile.by], top: tile.top };
    default:
      throw new Error(`The benchmark does not know what the tile ${tile.title} (${tile.kind}) asks`);
  }
}

/** Asked through a fragment, which the response cache ignores (graphql/response-cache.ts). */
const query = `query ($metrics: [String!]!, $by: [String!], $top: Int, $scope: String, $currency: String, $from: String!, $to: String!) {
  numbers(dataset: "orders", metrics: $metrics, by: $by, top: $top, scope: $scope, currency: $currency, from: $from, to: $to, compare: "year") {
    ...Parts } }
  fragment Parts on Numbers { totals previousTotals rows { keys values previousValues } others { groups values previousValues } }`;

export type Totals = { readonly now: readonly number[]; readonly before: readonly number[] };

export function askApi(url: string, token: string): (tile: SalesTile) => Promise<Totals> {
  return async (tile) => {
    const variables = { ...questionOf(tile), scope: product, currency, from: days.from, to: days.to };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data?: { numbers: ApiNumbers }; errors?: unknown };
    if (!data || errors) throw new Error(`The API refused ${tile.title}: ${JSON.stringify(errors)}`);
    return { now: data.numbers.totals.map(Number), before: (data.numbers.previousTotals ?? []).map(Number) };
  };
}

type ApiNumbers = { readonly totals: readonly string[]; readonly previousTotals: readonly string[] | null };

const counting = "status in ('completed', 'refunded', 'adjustment')";
const net = `sum(gross - coalesce(discount, 0) - coalesce(refunded, 0)) filter (where ${counting})`;
const ordersDone = "count(distinct order_ref) filter (where status = 'completed')";
const refunds = `sum(refunded) filter (where ${counting})`;

const newOrders = "count(distinct order_ref) filter (where status = 'completed' and is_first)";
const returningOrders =
  "count(distinct order_ref) filter (where status = 'completed' and customer_ref is not null and not is_first)";

/** Each metric of the dashboard over the rows. */
const formulas: Readonly<Record<string, string>> = {
  net_sales: `${net} / 10000.0`,
  orders: ordersDone,
  average_order: `${net} / 10000.0 / nullif(${ordersDone}, 0)`,
  refund_rate: `${refunds} * 100.0 / nullif(sum(gross) filter (where ${counting}), 0)`,
  refunds: `${refunds} / 10000.0`,
  new_customer_share: `${newOrders} * 100.0 / nullif(${newOrders} + ${returningOrders}, 0)`,
  units: "sum(quantity) filter (where status = 'completed')",
  lines: `count(*) filter (where ${counting})`,
  new_orders: newOrders,
  returning_orders: returningOrders,
  pending_lines: "count(*) filter (where status = 'pending')",
  cancelled_lines: "count(*) filter (where status = 'cancelled')",
};

const groups: Readonly<Record<string, string>> = {
  week: "date_trunc('week', day)",
  month: "date_trunc('month', day)",
  weekday: 'extract(isodow from day)',
};

/** Which order was a customer's first is known only of all that were ever made, in whatever currency. */
const withFirst = `(select *, customer_ref is not null and occurred_at = min(occurred_at) filter (where status = 'completed')
  over (partition by customer_ref) as is_first from orders where product = '${product}') o`;

/** One statement a tile and year; the empty grouping gives the total beside the groups. */
export function plainSql(tile: SalesTile): string {
  const { metrics, by } = questionOf(tile);
  const values = metrics.map((metric) => formulas[metric] ?? missing(metric));
  const from = values.some((value) => value.includes('is_first')) ? withFirst : 'orders';
  const keys = by.map((word) => groups[word] ?? word);
  return `select ${[...keys, ...values].join(', ')}, grouping(${keys.join(', ')}) as total from ${from}
    where product = $1 and currency = $2 and day >= $3 and day < $4 group by grouping sets ((${keys.join(', ')}), ())`;
}

function missing(metric: string): never {
  throw new Error(`The benchmark has no plain SQL for ${metric}`);
}

export function askRows(pool: pg.Pool): (tile: SalesTile) => Promise<Totals> {
  return async (tile) => {
    const text = plainSql(tile);
    const { metrics, by } = questionOf(tile);
    const totals = async (from: string, to: string): Promise<number[]> => {
      const { rows } = await pool.query({ text, values: [product, currency, from, to], rowMode: 'array' });
      // The total is the one row whose groupings are all of them left out.
      const total = (rows as unknown[][]).find((row) => Number(row.at(-1)) === 2 ** by.length - 1) ?? [];
      return total.slice(by.length, by.length + metrics.length).map(Number);
    };
    const [now, before] = await Promise.all([totals(days.from, days.to), totals(days.before, days.from)]);
    return { now, before };
  };
}

/** All tiles at once, as a page that opens asks for them. */
export async function wholeDashboard(ask: (tile: SalesTile) => Promise<Totals>): Promise<Totals[]> {
  return Promise.all(salesTiles.map(ask));
}

/** The API gives quotients with four decimals. */
const rounding = 0.000_051;

/** Throws where the two do not tell the same: a fast wrong answer is none. */
export function mustAgree(api: readonly Totals[], rows: readonly Totals[]): void {
  for (const [index, tile] of salesTiles.entries())
    for (const when of ['now', 'before'] as const)
      for (const [place, value] of (api[index]?.[when] ?? []).entries()) {
        const wanted = rows[index]?.[when][place] ?? Number.NaN;
        if (Math.abs(value - wanted) > rounding)
          throw new Error(`${tile.title} (${tile.kind}, ${when}): the API says ${value}, the rows say ${wanted}`);
      }
}
