// Orders for the benchmark: the same ones on every machine, spread over three years, one line an order.
import pg from 'pg';
import { rebuildRollUps } from '../src/server/numbers/roll-ups.store.ts';

/** The day after the last order. */
export const fillEnd = '2026-11-21';
const years = 3;
const zone = 'UTC';

/**
 * A number below `m` from a row and a salt (Knuth's multiplicative hash): chance would differ from run to
 * run.
 */
const hash = `
  create or replace function pg_temp.h(i bigint, salt int, m int) returns int immutable language sql parallel safe as
  $$ select (((((i * 2654435761 + salt * 40503) % 4294967296) # (((i * 2654435761 + salt * 40503) % 4294967296) >> 15))
     * 1103515245 % 4294967296 >> 8) % m)::int $$`;

const orders = `
  insert into orders (source, external_id, day, hour, product, order_ref, occurred_at, customer_ref, country, channel, title,
    quantity, gross, discount, tax, refunded, currency, status)
  select 'bench', i::text, at::date, extract(hour from at)::int, (array['connect', 'green', 'codex', 'bgp'])[1 + pg_temp.h(i, 1, 4)],
    'O-' || i, at at time zone 'UTC', 'C-' || pg_temp.h(i, 7, $3), (array['US','DE','GB','NL','FR','CA','AU','JP','BR','IN'])[1 + pg_temp.h(i, 4, 10)],
    (array['web', 'affiliate', 'phone'])[1 + pg_temp.h(i, 5, 3)], 'Title ' || pg_temp.h(i, 8, 500), 1 + pg_temp.h(i, 9, 3), amount, 0, 0,
    case when is_refund then amount else 0 end, (array['USD', 'EUR', 'GBP'])[1 + pg_temp.h(i, 3, 3)],
    case when is_refund then 'refunded' when pg_temp.h(i, 10, 100) = 0 then 'cancelled' else 'completed' end
  from (select i, date '${fillEnd}' - interval '${years} years' + (i - 1) * (interval '${years} years' / $2::float8) as at,
    (500 + pg_temp.h(i, 2, 50000)) * 100::bigint as amount, pg_temp.h(i, 6, 50) = 0 as is_refund from generate_series($1::bigint, $4::bigint) i) made`;

const rowsPerStatement = 1_000_000;

/**
 * Sorts of many rows in memory, for the new connections of this role: the database is the benchmark's own.
 */
const memoryForFilling = { work_mem: '1GB', maintenance_work_mem: '1GB', synchronous_commit: 'off' } as const;

/** Fills the empty table, and everything that the import would have kept beside it. */
export async function fillOrders(url: string, count: number): Promise<void> {
  await onConnection(url, async (client) => {
    for (const [name, value] of Object.entries(memoryForFilling))
      await client.query(`alter role current_user set ${name} = '${value}'`);
  });
  await onConnection(url, async (client) => {
    await client.query(hash);
    await client.query("set timezone = 'UTC'");
    await withoutIndexes(client, ['orders', 'order_headers'], async () => {
      for (let first = 1; first <= count; first += rowsPerStatement)
        await client.query(orders, [
          first,
          count,
          Math.ceil(count * 0.15),
          Math.min(count, first + rowsPerStatement - 1),
        ]);
      await rebuildRollUps(url, 'orders', zone);
    });
    for (const name of Object.keys(memoryForFilling)) await client.query(`alter role current_user reset ${name}`);
    await client.query('vacuum analyze');
  });
}

/**
 * Twenty million rows put one by one into indexes larger than the memory take hours, sorted into new ones
 * minutes. Keys stay.
 */
async function withoutIndexes(client: pg.Client, tables: readonly string[], fill: () => Promise<void>): Promise<void> {
  const { rows: dropped } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = any ($1::regclass[]) and not i.indisprimary and not i.indisunique`,
    [tables],
  );
  for (const { name } of dropped) await client.query(`drop index ${client.escapeIdentifier(name)}`);
  await fill();
  for (const { definition } of dropped) await client.query(definition);
}

async function onConnection(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
