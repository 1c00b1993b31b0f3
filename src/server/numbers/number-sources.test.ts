import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner, type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { sourceOf } from './number-sources.ts';
import type { Reading, Span } from './row-conditions.ts';

let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

const span: Span = { from: '2026-11-01', to: '2026-12-01', until: null };
const reading: Reading = {
  ...{ dataset: 'payouts', scope: null, currency: 'USD', filters: [], hours: 'clock', zone: 'UTC', holidays: [] },
  range: { from: Temporal.PlainDate.from(span.from), to: Temporal.PlainDate.from(span.to) },
  now: Temporal.ZonedDateTime.from('2026-11-20T12:00[UTC]'),
};

test('possible duplicates are found by a join within the range, not by looking up each payout', async () => {
  await asOwner(
    fresh.url,
    `insert into payouts (source, external_id, dated_at, day, kind, payee, amount, currency, status)
     select 'bank', n::text, day, day, 'goods', payee, amount, currency, 'paid'
     from (values (1, date '2026-11-04', 'Ada', 1, 'USD'), (2, '2026-11-04', 'Ada', 1, 'USD'), (3, '2026-11-04', 'Ada', 1, 'USD'),
       (4, '2026-11-04', 'Ada', 2, 'USD'), (5, '2026-11-04', 'Ada', 1, 'EUR'), (6, '2026-11-05', 'Ada', 1, 'USD'),
       (7, '2026-11-05', null, 1, 'USD'), (8, '2026-11-05', null, 1, 'USD'), (9, '2026-12-01', 'Ben', 1, 'USD'),
       (10, '2026-12-01', 'Ben', 1, 'USD')) p (n, day, payee, amount, currency)`,
  );
  const { table, means, total } = sourceOf(reading, 'duplicates', ['payer']);
  const counting = sql`select ${total('duplicates', 'x', span)} as found from (select t.* from ${table} t where ${means('t', span)}) x`;
  expect((await fresh.database.drizzle.execute(counting)).rows).toEqual([{ found: '2' }]);
  const { rows } = await fresh.database.drizzle.execute<{ 'QUERY PLAN': string }>(sql`explain ${counting}`);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('SubPlan');
});
