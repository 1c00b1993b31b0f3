// Each donor's first completed gift to a cause: separates new donors from known ones without reading all
// gifts.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

const order = sql.raw('g.donated_at, g.source, g.external_id');

/** `touched`: donors whose gifts changed, as JSON lists of cause and donor; null if none. */
export async function updateFirstGifts(queries: Queries, touched: string | null): Promise<void> {
  if (touched === null) return;
  await queries.execute(sql`
    with touched as materialized (
      select t ->> 0 as cause, t ->> 1 as donor_ref from json_array_elements(${touched}::json) t where t ->> 1 is not null),
    fresh as materialized (
      select t.*, f.id as gift_id from touched t left join lateral (
        select g.id from donations g where g.cause = t.cause and g.donor_ref = t.donor_ref and g.status = 'completed'
        order by ${order} limit 1) f on true),
    gone as (
      delete from first_gifts s using fresh f where f.gift_id is null and s.cause = f.cause and s.donor_ref = f.donor_ref)
    insert into first_gifts as s (cause, donor_ref, gift_id) select cause, donor_ref, gift_id from fresh where gift_id is not null
    on conflict (cause, donor_ref) do update set gift_id = excluded.gift_id where s.gift_id <> excluded.gift_id`);
}

/** Recomputes all first gifts from the rows. */
export async function rebuildFirstGifts(queries: Queries): Promise<void> {
  await queries.execute(sql`delete from first_gifts`);
  await queries.execute(sql`
    insert into first_gifts (cause, donor_ref, gift_id)
    select distinct on (g.cause, g.donor_ref) g.cause, g.donor_ref, g.id
    from donations g where g.donor_ref is not null and g.status = 'completed' order by g.cause, g.donor_ref, ${order}`);
}
