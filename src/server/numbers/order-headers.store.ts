// Orders aren't additive, because one has many lines. The import gives each order a header, dated by its
// first completed line, and marks each customer's first header per product. The result doesn't depend on the
// lines' order of arrival.
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

/**
 * An order's first completed line dates it. Of several, one with a country counts; other ties are decided by
 * the source's ids, not by arrival.
 */
const datingOrder = sql.raw('o.occurred_at, o.country is null, o.source, o.external_id');
const firstOrder = sql.raw('h.occurred_at, h.currency, h.order_ref');

/** A header's columns besides its key. */
const held = sql.raw('line_id, occurred_at, day, customer_ref, country, channel');

export const orderHeadersDaily = sql.raw('order_headers_daily');

/**
 * `touched`: orders whose lines changed, as JSON lists of product, currency and reference; null if none.
 * Returns whether it can have emptied rows of the roll-up.
 */
export async function updateOrderHeaders(queries: Queries, touched: string | null): Promise<boolean> {
  if (touched === null) return false;
  const { rows } = await queries.execute<{ customers: string | null; hasGone: boolean }>(headersOf(touched));
  const { customers, hasGone } = rows[0]!;
  if (customers !== null) await queries.execute(firstsOf(customers));
  return customers !== null || hasGone;
}

/** Writes changed headers, unmarked, and returns the customers whose first order must be found again. */
function headersOf(touched: string): SQL {
  return sql`
    with touched as materialized (
      select t ->> 0 as product, t ->> 1 as currency, t ->> 2 as order_ref from json_array_elements(${touched}::json) t),
    fresh as materialized (
      select t.*, l.* from touched t cross join lateral (
        select o.id as line_id, o.occurred_at, o.day, o.customer_ref, o.country, o.channel from orders o
        where o.product = t.product and o.order_ref = t.order_ref and o.currency = t.currency and o.status = 'completed'
        order by ${datingOrder} limit 1) l),
    stored as materialized (
      select h.* from touched t cross join lateral (
        select h.* from order_headers h
        where h.product = t.product and h.currency = t.currency and h.order_ref = t.order_ref offset 0) h),
    changed as materialized (
      select f.* from fresh f left join stored s using (product, currency, order_ref)
      where s.product is null or (f.line_id, f.occurred_at, f.day, f.customer_ref, f.country, f.channel)
        is distinct from (s.line_id, s.occurred_at, s.day, s.customer_ref, s.country, s.channel)),
    gone as materialized (
      select s.* from stored s left join fresh f using (product, currency, order_ref) where f.product is null),
    deleted as (
      delete from order_headers h using gone g
      where h.product = g.product and h.currency = g.currency and h.order_ref = g.order_ref),
    saved as (
      insert into order_headers (product, currency, order_ref, ${held}, is_first)
      select product, currency, order_ref, ${held}, false from changed
      on conflict (product, currency, order_ref) do update set (${held}, is_first) =
        (excluded.line_id, excluded.occurred_at, excluded.day, excluded.customer_ref, excluded.country, excluded.channel, false)),
    moves as materialized (
      select 1 as sign, product, currency, day, country, channel, customer_ref, false as is_first from changed
      union all
      select -1, s.product, s.currency, s.day, s.country, s.channel, s.customer_ref, s.is_first
      from stored s join changed using (product, currency, order_ref)
      union all
      select -1, product, currency, day, country, channel, customer_ref, is_first from gone),
    daily as (${dailyChange(sql`from moves`)})
    select (select json_agg(distinct jsonb_build_array(product, customer_ref)) from moves where customer_ref is not null)::text
      as customers, exists (select 1 from moves where sign < 0) as "hasGone"`;
}

/** Marks each customer's first header, and unmarks the previous one. */
function firstsOf(customers: string): SQL {
  return sql`
    with customers as materialized (
      select c ->> 0 as product, c ->> 1 as customer_ref from json_array_elements(${customers}::json) c),
    wanted as materialized (
      select f.* from customers c cross join lateral (
        select h.* from order_headers h where h.product = c.product and h.customer_ref = c.customer_ref
        order by ${firstOrder} limit 1) f),
    marked as materialized (
      select m.* from customers c cross join lateral (
        select h.* from order_headers h where h.product = c.product and h.customer_ref = c.customer_ref and h.is_first offset 0) m),
    wrong as materialized (
      select -1 as sign, m.* from marked m left join wanted w using (product, currency, order_ref) where w.product is null
      union all
      select 1, w.* from wanted w where not w.is_first),
    saved as (
      update order_headers h set is_first = (x.sign = 1) from wrong x
      where h.product = x.product and h.currency = x.currency and h.order_ref = x.order_ref)
    insert into order_headers_daily as r (product, currency, day, country, channel, row_count, known, first)
    select product, currency, day, country, channel, 0, 0, sum(sign)::bigint from wrong
    group by product, currency, day, country, channel having sum(sign) <> 0
    on conflict (product, currency, day, country, channel) do update set first = r.first + excluded.first`;
}

/** `moves` are headers with a sign: what the daily roll-up gains and loses. */
function dailyChange(moves: SQL): SQL {
  return sql`
    insert into order_headers_daily as r (product, currency, day, country, channel, row_count, known, first)
    select product, currency, day, country, channel, sum(sign)::bigint,
      coalesce(sum(sign) filter (where customer_ref is not null), 0)::bigint, coalesce(sum(sign) filter (where is_first), 0)::bigint
    ${moves} group by product, currency, day, country, channel
    on conflict (product, currency, day, country, channel) do update set
      row_count = r.row_count + excluded.row_count, known = r.known + excluded.known, first = r.first + excluded.first`;
}

/** Rebuilds all headers and their roll-up from the rows, in key order for a compact index. */
export async function rebuildOrderHeaders(queries: Queries): Promise<void> {
  await queries.execute(sql`delete from order_headers`);
  await queries.execute(sql`delete from order_headers_daily`);
  await queries.execute(sql`
    insert into order_headers (product, currency, order_ref, ${held}, is_first)
    select product, currency, order_ref, ${held},
      customer_ref is not null and row_number() over (partition by product, customer_ref order by ${firstOrder}) = 1
    from (
      select distinct on (o.product, o.currency, o.order_ref) o.product, o.currency, o.order_ref, o.id as line_id, o.occurred_at,
        o.day, o.customer_ref, o.country, o.channel
      from orders o where o.status = 'completed' order by o.product, o.currency, o.order_ref, ${datingOrder}) h
    order by product, currency, order_ref`);
  await queries.execute(dailyChange(sql`from (select 1 as sign, h.* from order_headers h) moves`));
}
