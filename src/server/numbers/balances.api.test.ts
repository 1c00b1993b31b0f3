// What is still to be paid counts whatever the range is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { applyBatch } from './batch.store.ts';
import type { NumberValue } from './number-row.ts';

let server: TestApp;
let admin: string;

type Values = Record<string, NumberValue>;
const activity = (day: string, status: string, commission: bigint, affiliate: string): Values => ({
  ...{ day, status, commission, affiliate, currency: 'USD' },
});
const payout = (day: string, status: string, amount: bigint, payer: string): Values => ({
  ...{ kind: 'grant', dated_at: `${day}T12:00:00Z`, amount, status, payer, currency: 'USD' },
});
const rowsOf: Partial<Record<DatasetKey, Values[]>> = {
  affiliate_activity: [
    activity('2025-02-03', 'approved', 30_0000n, 'one'),
    activity('2026-10-03', 'approved', 5_5000n, 'two'),
    activity('2026-10-04', 'paid', 90_0000n, 'one'),
    activity('2026-11-20', 'pending', 40_0000n, 'one'),
  ],
  payouts: [
    payout('2025-02-03', 'approved', 30_0000n, 'one'),
    payout('2026-10-03', 'sending', 5_5000n, 'two'),
    payout('2026-10-04', 'paid', 90_0000n, 'one'),
    payout('2026-11-20', 'draft', 40_0000n, 'one'),
  ],
};

beforeAll(async () => {
  server = await startTestApp({ env: { COMPANY_TIME_ZONE: 'UTC' } });
  admin = await server.signIn(await server.person({ role: 'admin' }));
  for (const [dataset, all] of Object.entries(rowsOf)) {
    const rows = all.map((values, index) => ({ externalId: `${index}`, values, labels: {}, texts: {} }));
    await server.database.transaction((queries) =>
      applyBatch(queries, dataset as DatasetKey, rows, { zone: 'UTC', source: 'shop' }),
    );
  }
});
afterAll(() => server.stop());

const query = `query ($dataset: String!, $metric: String!, $by: [String!], $filters: [NumberFilter!], $compare: String, $from: String!, $to: String!) {
  numbers(dataset: $dataset, metrics: [$metric], by: $by, filters: $filters, compare: $compare, from: $from, to: $to) {
    totals previousTotals isEmpty rows { keys values previousValues } } }`;
const inNovember = { from: '2026-11-16', to: '2026-11-30' };

test.each<[DatasetKey, string, string]>([
  ['affiliate_activity', 'liability', 'affiliate'],
  ['payouts', 'outstanding', 'payer'],
])('%s: %s has what was approved before the range, and nothing to compare it with', async (dataset, metric, by) => {
  const ask = async (more: object) => {
    const { data, errors } = await server.gql(admin, query, { dataset, metric, ...inNovember, ...more });
    expect(errors).toBeUndefined();
    return data.numbers;
  };
  expect(await ask({ compare: 'previous' })).toMatchObject({ totals: ['35.5'], previousTotals: [null] });
  expect((await ask({ by: [by], compare: 'previous' })).rows).toEqual([
    { keys: ['one'], values: ['30'], previousValues: [null] },
    { keys: ['two'], values: ['5.5'], previousValues: [null] },
  ]);
  // In a roll-up, and by its rows.
  expect((await ask({ filters: [{ field: by, values: ['two'] }] })).totals).toEqual(['5.5']);
  expect((await ask({ filters: [{ field: 'source', values: ['shop'] }] })).totals).toEqual(['35.5']);
  // It has no days, so it adds none to the page’s.
  expect(await ask({ by: ['day'] })).toMatchObject({ totals: ['35.5'], rows: [] });
  // A page without rows in its range offers another one.
  const december = { from: '2026-12-01', to: '2026-12-15' };
  expect(await ask(december)).toMatchObject({ totals: ['35.5'], isEmpty: true });
  const rows = await server.gql(
    admin,
    `query ($dataset: String!, $metric: String!) {
      numberRows(dataset: $dataset, metric: $metric, from: "2026-11-16", to: "2026-11-30") { rows { value } } }`,
    { dataset, metric },
  );
  expect(rows.data.numberRows.rows).toEqual([{ value: '5.5' }, { value: '30' }]);
});
