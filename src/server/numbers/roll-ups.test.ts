import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { dashboards } from '#core/numbers/dashboards.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { leafFormulaOf, leftOutLeaves } from '#core/numbers/metric-value.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { randomRow } from '../../../test/number-fixtures.ts';
import { applyBatch } from './batch.store.ts';
import { leafSources } from './numbers.store.ts';
import type { Reading } from './row-conditions.ts';

const opened: FreshDatabase[] = [];
afterAll(() => Promise.all(opened.map((database) => database.drop())));

function reading(dataset: DatasetKey): Reading {
  const [from, to] = ['2026-01-01', '2027-01-01'].map((day) => Temporal.PlainDate.from(day)) as [never, never];
  const now = Temporal.ZonedDateTime.from('2026-11-27T11:00:00[UTC]');
  const kept = { scope: null, currency: 'USD', filters: [], hours: 'clock', zone: 'UTC', holidays: [] } as const;
  return { ...kept, dataset, range: { from, to }, now };
}

/** What a page shows as soon as it opens. */
const tilesOf = (dataset: DatasetKey) =>
  dashboards[dataset].filter((tile) => !('onRequest' in tile)) as readonly {
    readonly metric?: string;
    readonly metrics?: readonly string[];
    readonly by?: string;
  }[];

const log = { info() {}, warn() {}, error() {} };

/** When the migration before the named one was created. */
function beforeMigration(tag: string): number {
  const journal = new URL('../platform/db/migrations/meta/_journal.json', import.meta.url);
  const { entries } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string; when: number }[] };
  return entries[entries.findIndex((entry) => entry.tag === tag) - 1]!.when;
}

test.each(['orders', 'affiliate_activity'] as const)('the tiles of %s read sums from roll-ups only', (dataset) => {
  const read = tilesOf(dataset).flatMap(({ metric, metrics = metric ? [metric] : [], by }) => {
    const asked = metrics.flatMap((one) => [one, ...leftOutLeaves(dataset, one)]);
    return leafSources({ reading: reading(dataset), metrics: asked, by: by ? [by] : [] });
  });
  const sums = read.filter(({ leaf }) => leafFormulaOf(dataset, leaf).kind === 'sum');
  expect(sums).not.toEqual([]);
  expect(sums.filter(({ source }) => source.key === 'rows').map(({ leaf }) => leaf)).toEqual([]);
});

test.each(['0044_affiliate-rates-in-roll-ups', '0046_rates-of-impressions'])(
  'migration %s counts the parts of affiliates’ rates, and refuses what older servers count without them',
  async (name) => {
    const dataset = 'affiliate_activity';
    const old = await freshDatabase({ bare: true });
    opened.push(old);
    const before = beforeMigration(name);
    await migrate({ url: old.url, log, upTo: before });
    const now = await freshDatabase();
    opened.push(now);
    const rows = fc.sample(randomRow(dataset), { numRuns: 300, seed: 44 });
    await now.database.transaction((queries) => applyBatch(queries, dataset, rows, { zone: 'UTC', source: 'shop' }));
    const copied = await now.database.pool.query(`select to_jsonb(t) as row from ${dataset} t`);
    await old.database.pool.query(
      `insert into ${dataset} overriding system value select r.* from jsonb_populate_recordset(null::${dataset}, $1) r`,
      [JSON.stringify(copied.rows.map(({ row }) => row))],
    );
    const { rows: sums } = await old.database.pool.query(
      `select column_name as sum from information_schema.columns where table_name = '${dataset}_totals' and data_type = 'bigint'`,
    );
    const ones = sums.map(() => 1).join();
    await old.database.pool.query(
      `insert into ${dataset}_totals (currency, day, status, ${sums.map(({ sum }) => sum).join()})
      values ('USD', '2020-01-01', 'paid', ${ones})`,
    );

    await migrate({ url: old.url, log });
    for (const { name } of datasetOf(dataset).rollUps) {
      const contents = async ({ database }: FreshDatabase) =>
        (await database.pool.query(`select to_jsonb(t)::text as row from ${dataset}_${name} t order by 1`)).rows;
      expect(await contents(now)).not.toEqual([]);
      expect(await contents(old)).toEqual(await contents(now));
    }
    await expect(
      old.database.pool.query(
        `insert into ${dataset}_totals (currency, day, status, row_count) values ('USD', '2020-01-01', 'paid', 1)`,
      ),
    ).rejects.toThrow('This server is older than the database');
  },
);
