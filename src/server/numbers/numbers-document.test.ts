// Verifies docs/numbers.md on a shop's real year: the rules as plain SQL over the file match its control
// totals, and so do the derived tables.
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { needsReal, sampledFile } from '../../../test/real-files.ts';
import { sales } from '../../../test/real-totals.ts';
import { codeOfCountry } from './import/country-words.ts';
import { rebuildRollUps } from './roll-ups.store.ts';

const file = 'sales_online_retail.csv.gz';

// The rules of examples/import/sales_online_retail.json and of docs/numbers.md, "What counts".
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

async function load(client: pg.Client, path: string): Promise<void> {
  await client.query(
    'create unlogged table retail (line int, invoice text, code text, description text, quantity int, at timestamp, price numeric, customer text, country text)',
  );
  const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()) });
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

describe('with the data of ../shared', needsReal(file), () => {
  let fresh: FreshDatabase;
  let client: pg.Client;
  const folder = mkdtempSync(join(tmpdir(), 'numbers-document-'));
  const lines = async (query: string): Promise<string[]> =>
    (await client.query({ text: query, rowMode: 'array' })).rows.map((row) => row.join(' '));

  beforeAll(async () => {
    fresh = await freshDatabase();
    client = new pg.Client({ connectionString: fresh.url });
    await client.connect();
    await load(client, sampledFile(file, folder));
    await client.query(rules);
    await client.query(asOrders);
    await rebuildRollUps(fresh.url, 'orders', 'UTC');
  });
  afterAll(async () => {
    await client.end();
    await fresh.drop();
    rmSync(folder, { recursive: true });
  });

  test('every line counts once, by product and by status', async () => {
    const refunded = "filter (where status = 'refunded')";
    const sums = `trim_scale(sum(amount) - coalesce(sum(amount) ${refunded}, 0)), trim_scale(coalesce(-sum(amount) ${refunded}, 0))`;
    expect(await lines(`select product, status, count(*), ${sums} from counted group by 1, 2 order by 1, 2`)).toEqual(
      sales.byStatus,
    );
  });

  const net = `trim_scale(sum(gross - discount - refunded) / 10000)`;

  test('the roll-ups come to the net of each month', async () => {
    const months = await lines(`select to_char(day, 'YYYY-MM'), ${net} from orders_totals group by 1 order by 1`);
    expect(months).toEqual(sales.months);
    expect(months).toEqual(
      await lines(`select to_char(at, 'YYYY-MM'), trim_scale(sum(amount)) from counted group by 1 order by 1`),
    );
  });

  test('and to the net of each country, the same in every roll-up that knows it', async () => {
    const countries = await lines(
      `select country, ${net} from orders_daily group by 1 order by sum(gross - refunded) desc limit 6`,
    );
    // These rows have the file's names.
    const coded = countries.map((line) => line.replace(/^\D+(?= )/, (name) => codeOfCountry(name) ?? name));
    expect(coded).toEqual(sales.countries);
    for (const table of ['orders_totals', 'orders_daily', 'orders_daily_monthly'])
      expect(await lines(`select ${net}, sum(row_count) from ${table}`)).toEqual([`${sales.net} ${sales.rows}`]);
    const netOfMetrics = 'trim_scale(sum(gross - discounts - refunds) / 10000)';
    for (const table of ['orders_by_hour', 'orders_by_title', 'orders_by_title_weekly', 'orders_by_title_monthly'])
      expect(await lines(`select ${netOfMetrics}, sum(row_count) from ${table}`)).toEqual([
        `${sales.net} ${sales.rows}`,
      ]);
  });

  test('an order counts on the day of its first completed line, and the first of a customer is new', async () => {
    const first = `select product, invoice, min(at) as at, min(nullif(customer, '')) as customer from counted where status = 'completed' group by 1, 2`;
    const plain = `
      select product, at::date::text as day, count(*)::text, count(customer)::text, count(*) filter (where customer is not null and place = 1)::text
      from (select *, row_number() over (partition by product, customer order by at, invoice) as place from (${first}) o) o group by 1, 2 order by 1, 2`;
    const kept = `
      select product, day::text, sum(row_count)::text, sum(known)::text, sum(first)::text from order_headers_daily group by 1, 2 order by 1, 2`;
    expect(await lines(kept)).toEqual(await lines(plain));
    expect(await lines('select count(*), count(*) filter (where is_first) from order_headers')).toEqual([
      sales.orderHeads,
    ]);
  });
});
