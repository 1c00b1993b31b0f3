// Imports third-party files with their mappings; every total must match the one computed by the file's
// readme. The three largest are sampled, except in a full run.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtMain } from '../../../test/built-server.ts';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { needsReal, sampledFile } from '../../../test/real-files.ts';
import { donations, sales } from '../../../test/real-totals.ts';
import { isFull } from '../../../test/sampling.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let fresh: FreshDatabase;
let folder: string;

type Ended = { code: number | null; out: string; error: string };

/** Imports the file with the mapping of its name. */
function importing(dataset: string, file: string, ...more: string[]): Promise<Ended> {
  const mapping = join(root, 'examples/import', `${file.split('.', 1)[0]}.json`);
  const child = spawn(
    process.execPath,
    [builtMain, 'import', dataset, sampledFile(file, folder), '--mapping', mapping, ...more],
    {
      env: { PATH: process.env.PATH, DATABASE_URL: fresh.url },
    },
  );
  const ended = { out: '', error: '' };
  child.stdout.on('data', (text) => {
    ended.out += text;
  });
  child.stderr.on('data', (text) => {
    ended.error += text;
  });
  return new Promise((done) =>
    child.on('close', (code) => {
      console.log(`${file}: ${ended.out.trim()}`);
      done({ code, ...ended });
    }),
  );
}

/**
 * Rows as lines of text; `money(column)` is a sum in whole units, `cents(column)` one rounded like in its
 * readme.
 */
async function linesOf(query: string): Promise<string[]> {
  const text = query.replace(/(money|cents)\((\w+)\)/g, (_, form, column) =>
    form === 'money' ? money(column) : `round(${money(column)}, 2)`,
  );
  const { rows } = await fresh.database.pool.query({ text, rowMode: 'array' });
  return rows.map((row) => row.join(' '));
}

const money = (column: string) => `trim_scale(coalesce(sum(${column}), 0)::numeric / 10000)`;

describe('files from outside', needsReal('README.md'), () => {
  beforeAll(async () => {
    fresh = await freshDatabase();
    folder = mkdtempSync(join(tmpdir(), 'real-'));
  });
  afterAll(async () => {
    await fresh.drop();
    rmSync(folder, { recursive: true });
  });

  test('a file of other columns than the mapping reads is refused at once', async () => {
    const mapping = join(root, 'examples/import/payments_olist_orders_joined.json');
    const file = 'payments_olist_order_payments_full.csv.gz';
    const { code, error, out } = await importing('payments', file, '--mapping', mapping);
    expect([code, out]).toEqual([1, '']);
    expect(error.trim().split('\n')).toEqual([
      expect.stringMatching(/doesn’t match the mapping: it has no column "order_purchase_timestamp"/),
    ]);
  });

  test('payments without a date are refused with a reason a row, in bounded output', async () => {
    const report = join(folder, 'refused.csv');
    const { code, out, error } = await importing(
      'payments',
      'payments_olist_order_payments_full.csv.gz',
      '--report',
      report,
    );
    expect(code).toBe(2);
    const rows = isFull ? 103_886 : 5_195;
    expect(out).toContain(`payments: 0 new, 0 changed, 0 unchanged, ${rows.toLocaleString('en-US')} refused`);
    expect(error).toContain(
      `${rows.toLocaleString('en-US')} × order_purchase_timestamp is blank, but Attempted is required, first on line 2`,
    );
    expect(error.length).toBeLessThan(4_000);
    expect(readFileSync(report, 'utf8').trimEnd().split('\n')).toHaveLength(rows + 1);
    expect(await linesOf('select count(*) from payments')).toEqual(['0']);
  });

  test('sales: by product and status, month and country, the whole file in less than 200 MB', async () => {
    const { code, out } = await importing('orders', 'sales_online_retail.csv.gz');
    expect(code).toBe(0);
    expect(out).toContain(`orders: ${sales.rows.toLocaleString('en-US')} new, 0 changed, 0 unchanged, 0 refused`);
    const [, memory] = /([\d,]+) MB of memory/.exec(out)!;
    if (isFull) expect(Number(memory)).toBeLessThan(200);
    await expectSales();
  });

  async function expectSales(): Promise<void> {
    const byStatus = `select product, status, count(*), money(gross), money(refunded) from orders group by 1, 2 order by 1, 2`;
    expect(await linesOf(byStatus)).toEqual(sales.byStatus);
    const net = `trim_scale((sum(gross) - sum(refunded))::numeric / 10000)`;
    expect(await linesOf(`select ${net} from orders_daily`)).toEqual([sales.net]);
    expect(await linesOf(`select to_char(day, 'YYYY-MM'), ${net} from orders_daily group by 1 order by 1`)).toEqual(
      sales.months,
    );
    expect(
      await linesOf(
        `select country, ${net} from orders_daily group by 1 order by sum(gross) - sum(refunded) desc limit 6`,
      ),
    ).toEqual(sales.countries);
    expect(
      await linesOf(
        'select count(distinct order_ref), count(distinct sku), count(*) filter (where customer_ref is null) from orders',
      ),
    ).toEqual([sales.counts]);
  }

  test('donations: per event, and the total', async () => {
    const { code } = await importing('donations', 'donations_gdq.csv.gz');
    expect(code).toBe(0);
    expect(await linesOf('select campaign, count(*), money(amount) from donations group by 1 order by 1')).toEqual(
      donations.byEvent,
    );
    const whole = `select count(*), money(amount), count(distinct coalesce(donor_ref, '')), count(*) filter (where anonymous) from donations`;
    expect(await linesOf(whole)).toEqual([donations.whole]);
  });

  test('tickets: per month, channel and priority, and the medians; the second time changes nothing', async () => {
    const { code } = await importing('conversations', 'cs_incident_tickets.csv.gz');
    expect(code).toBe(0);
    await expectTickets();
    const again = await importing('conversations', 'cs_incident_tickets.csv.gz');
    expect(again.out).toContain('conversations: 0 new, 0 changed, 20,769 unchanged, 0 refused');
    await expectTickets();
  });

  async function expectTickets(): Promise<void> {
    const from = `from conversations where source = 'incident-tickets'`;
    expect(await linesOf(`select to_char(opened_at, 'YYYY-MM'), count(*) ${from} group by 1 order by 1`)).toEqual([
      '2016-02 207',
      '2016-03 8995',
      '2016-04 7934',
      '2016-05 3633',
    ]);
    expect(await linesOf(`select channel, count(*) ${from} group by 1 order by 1`)).toEqual([
      'Email 36',
      'Phone 20733',
    ]);
    expect(await linesOf(`select left(priority, 1), count(*) ${from} group by 1 order by 1`)).toEqual([
      '1 220',
      '2 337',
      '3 19554',
      '4 658',
    ]);
    expect(
      await linesOf(
        `select count(*) filter (where sla_met), count(*) filter (where reopened > 0), count(*) filter (where resolved_at is null), count(distinct coalesce(category, '')) ${from}`,
      ),
    ).toEqual(['12595 234 1418 38']);
    const hours = (instant: string) => `extract(epoch from ${instant} - opened_at) / 3600`;
    const spread = (instant: string) =>
      `select count(*), round(percentile_cont(0.5) within group (order by ${hours(instant)})::numeric, 2), round(avg(${hours(instant)}), 1) ${from} and ${instant} >= opened_at`;
    expect(await linesOf(spread('first_response_at'))).toEqual(['20766 0.35 44.0']);
    expect(await linesOf(spread('resolved_at'))).toEqual(['19351 24.60 187.7']);
  }

  test('reviews: scores, messages over several lines', async () => {
    const { code } = await importing('conversations', 'cs_olist_reviews.csv.gz');
    expect(code).toBe(0);
    const from = `from conversations where source = 'olist-reviews'`;
    expect(await linesOf(`select satisfaction, count(*) ${from} group by 1 order by 1 desc`)).toEqual([
      '5 1856',
      '4 557',
      '3 267',
      '2 88',
      '1 345',
    ]);
    expect(await linesOf(`select count(*), count(note) ${from}`)).toEqual(['3113 1296']);
    // An answered review isn't open for ever.
    expect(await linesOf(`select count(*) ${from} and closed_at is null`)).toEqual(['0']);
  });

  test('affiliate activity: totals, and rows per placement', async () => {
    const { code } = await importing('affiliate_activity', 'affiliate_online_ads_apr_may.csv');
    expect(code).toBe(0);
    expect(
      await linesOf(
        `select sum(impressions), cents(cost), sum(clicks), cents(commission), sum(conversions), cents(sales) from affiliate_activity`,
      ),
    ).toEqual(['194920988 144397.18 2201019 247831.65 486497 24913761.81']);
    expect(await linesOf('select affiliate, count(*) from affiliate_activity group by 1 order by 2 desc')).toEqual([
      'mno 3244',
      'def 2549',
      'ghi 2500',
      'jkl 1773',
      'abc 619',
      'unknown 287',
    ]);
    expect(await linesOf('select min(day), max(day) from affiliate_activity')).toEqual(['2020-04-01 2020-05-31']);
  });

  test('payouts: per payer, and by status', async () => {
    const { code } = await importing('payouts', 'distributions_oss_funding.csv.gz');
    expect(code).toBe(0);
    expect(await linesOf('select payer, count(*), cents(amount) from payouts group by 1 order by 2 desc, 1')).toEqual([
      'optimism 4081 284163829.01',
      'stellar 549 33589282.98',
      'octant-golemfoundation 248 7452229.51',
      'clrfund 80 83028.74',
      'dao-drops-dorgtech 57 250001.00',
      'arbitrumfoundation 56 122850952.00',
    ]);
    expect(await linesOf('select status, count(*) from payouts group by 1 order by 1')).toEqual([
      'approved 4',
      'denied 6',
      'paid 5027',
      'reversed 34',
    ]);
  });

  test('payments: by status, and the total', async () => {
    const { code } = await importing('payments', 'payments_olist_orders_joined.csv.gz');
    expect(code).toBe(0);
    expect(await linesOf('select status, count(*) from payments group by 1 order by 1')).toEqual([
      'cancelled 40',
      'paid 4184',
      'pending 16',
    ]);
    expect(await linesOf('select count(*), money(amount) from payments')).toEqual(['4240 659682.58']);
  });
});
