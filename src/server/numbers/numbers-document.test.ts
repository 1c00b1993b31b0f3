// Proves docs/numbers.md on a shop's real year: the rules as plain SQL over the file come to its control totals, and what is kept
// beside the rows comes to the same.
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { rebuildRollUps } from './roll-ups.store.ts';

const file = fileURLToPath(new URL('../../../../shared/data/sales_online_retail.csv.gz', import.meta.url));

// The rules of docs/numbers.md, "Sample files of the tests" and "What counts".
const rules = `
  create unlogged table counted as select *,
    case when left(code, 2) in ('20', '21') then 'connect' when left(code, 2) = '22' then 'green' when left(code, 2) = '23' then 'codex' else 'bgp' end as product,
    case when invoice like 'C%' then 'refunded' when invoice like 'A%' or price = 0 or quantity < 0 then 'adjustment' else 'completed' end as status,
    quantity * price as amount
  from retail`;
const asOrders = `
  insert into orders (source, external_id, product, order_ref, occurred_at, day, hour, customer_ref, country, sku, title, quantity, gross, refunded, currency, status)
  select 'retail', invoice || '#' || line, product, invoice, at at time zone 'UTC', at::date, extract(hour from at), nullif(customer, ''), country, code, nullif(trim(description), ''),
    quantity, case when status <> 'refunded' then amount * 10000 end, case when status = 'refunded' then -amount * 10000 end, 'GBP', status
  from counted`;

/** Fields of a line; the file has no line breaks inside quotes. */
const fieldsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );

async function load(client: pg.Client): Promise<void> {
  await client.query(
    'create unlogged table retail (line int, invoice text, code text, description text, quantity int, at timestamp, price numeric, customer text, country text)',
  );
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
  const linesOfInvoice = new Map<string, number>();
  let columns: (string | number)[][] = Array.from({ length: 9 }, () => []);
  const flush = async () => {
    await client.query(
      'insert into retail select * from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamp[], $7::numeric[], $8::text[], $9::text[])',
      columns,
    );
    columns = columns.map(() => []);
  };
  let isHead = true;
  for await (const text of lines) {
    if (!isHead) {
      const fields = fieldsOf(text);
      const line = (linesOfInvoice.get(fields[0]!) ?? 0) + 1;
      linesOfInvoice.set(fields[0]!, line);
      for (const [index, value] of [line, ...fields].entries()) columns[index]!.push(value);
      if (columns[0]!.length >= 20_000) await flush();
    }
    isHead = false;
  }
  await flush();
}

describe.skipIf(!existsSync(file))('with the data of ../shared', () => {
  let fresh: FreshDatabase;
  let client: pg.Client;
  const rows = async (query: string) => (await client.query({ text: query, rowMode: 'array' })).rows;

  beforeAll(async () => {
    fresh = await freshDatabase();
    client = new pg.Client({ connectionString: fresh.url });
    await client.connect();
    await load(client);
    await client.query(rules);
    await client.query(asOrders);
    await rebuildRollUps(fresh.url, 'orders', 'UTC');
  }, 180_000);
  afterAll(async () => {
    await client.end();
    await fresh.drop();
  });

  test('every line counts once, by product and by status', async () => {
    expect(
      await rows('select product, status, count(*), trim_scale(sum(amount)) from counted group by 1, 2 order by 1, 2'),
    ).toEqual([
      ['bgp', 'adjustment', '1081', '-11062.06'],
      ['bgp', 'completed', '100294', '2341556.054'],
      ['bgp', 'refunded', '2090', '-467846.45'],
      ['codex', 'adjustment', '126', '0'],
      ['codex', 'completed', '91807', '2186788.06'],
      ['codex', 'refunded', '1567', '-286422.27'],
      ['connect', 'adjustment', '623', '0'],
      ['connect', 'completed', '129677', '2073664.7'],
      ['connect', 'refunded', '1730', '-44426.76'],
      ['green', 'adjustment', '688', '0'],
      ['green', 'completed', '208325', '4053613.67'],
      ['green', 'refunded', '3901', '-98117.01'],
    ]);
  });

  const net = `trim_scale(sum(gross - discount - refunded) / 10000)`;

  test('the roll-ups come to the net of each month', async () => {
    const months = await rows(`select to_char(day, 'YYYY-MM'), ${net} from orders_totals group by 1 order by 1`);
    expect(months).toEqual([
      ['2010-12', '748957.02'],
      ['2011-01', '560000.26'],
      ['2011-02', '498062.65'],
      ['2011-03', '683267.08'],
      ['2011-04', '493207.121'],
      ['2011-05', '723333.51'],
      ['2011-06', '691123.12'],
      ['2011-07', '681300.111'],
      ['2011-08', '682680.51'],
      ['2011-09', '1019687.622'],
      ['2011-10', '1070704.67'],
      ['2011-11', '1461756.25'],
      ['2011-12', '433668.01'],
    ]);
    expect(months).toEqual(
      await rows(`select to_char(at, 'YYYY-MM'), trim_scale(sum(amount)) from counted group by 1 order by 1`),
    );
  });

  test('and to the net of each country, the same in every roll-up that knows it', async () => {
    const countries = await rows(
      `select country, ${net} from orders_daily group by 1 order by sum(gross - refunded) desc limit 6`,
    );
    expect(countries).toEqual([
      ['United Kingdom', '8187806.364'],
      ['Netherlands', '284661.54'],
      ['EIRE', '263276.82'],
      ['Germany', '221698.21'],
      ['France', '197403.9'],
      ['Australia', '137077.27'],
    ]);
    for (const table of ['orders_totals', 'orders_daily', 'orders_daily_monthly'])
      expect(await rows(`select ${net}, sum(row_count) from ${table}`)).toEqual([['9747747.934', '541909']]);
    const netOfMetrics = 'trim_scale(sum(gross - discounts - refunds) / 10000)';
    for (const table of ['orders_by_hour', 'orders_by_title', 'orders_by_title_weekly', 'orders_by_title_monthly'])
      expect(await rows(`select ${netOfMetrics}, sum(row_count) from ${table}`)).toEqual([['9747747.934', '541909']]);
  });

  test('an order counts on the day of its first completed line, and the first of a customer is new', async () => {
    const first = `select product, invoice, min(at) as at, min(nullif(customer, '')) as customer from counted where status = 'completed' group by 1, 2`;
    const plain = `
      select product, at::date::text as day, count(*)::text, count(customer)::text, count(*) filter (where customer is not null and place = 1)::text
      from (select *, row_number() over (partition by product, customer order by at, invoice) as place from (${first}) o) o group by 1, 2 order by 1, 2`;
    const kept = `
      select product, day::text, sum(row_count)::text, sum(known)::text, sum(first)::text from order_headers_daily group by 1, 2 order by 1, 2`;
    expect(await rows(kept)).toEqual(await rows(plain));
    expect(await rows('select count(*), count(*) filter (where is_first) from order_headers')).toEqual([
      ['60277', '15420'],
    ]);
  });
});
