import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mostRowsCounted } from '#core/numbers/number-request.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { applyBatch } from './batch.store.ts';
import type { NumberRow } from './number-row.ts';

let server: TestApp;
let admin: string;
const zone = 'Europe/Berlin';

const payout = (externalId: string, payee: string, currency = 'USD'): NumberRow => ({
  externalId,
  values: { dated_at: '2026-11-04T12:00:00Z', payee, currency, amount: 1_0000n, status: 'paid', kind: 'commission' },
  labels: {},
  texts: {},
});
const apply = (rows: NumberRow[]) =>
  server.database.transaction((queries) => applyBatch(queries, 'payouts', rows, { zone, source: 'shop' }));

beforeAll(async () => {
  server = await startTestApp({ env: { COMPANY_TIME_ZONE: zone } });
  admin = await server.signIn(await server.person({ role: 'admin' }));
  await apply(Array.from({ length: mostRowsCounted + 50 }, (_, index) => payout(`many ${index}`, 'Many')));
  await apply([payout('1', 'Ada'), payout('2', 'Ada', 'EUR'), payout('3', 'Ben')]);
});
afterAll(() => server.stop());

const range = 'dataset: "payouts", from: "2026-11-01", to: "2026-12-01"';
const filters = (payee: string) => `filters: [{ field: "payee", values: ["${payee}"] }]`;
const tile = (metric: string, payee: string, fields = 'matchingRows currencyRows isEmpty', token = admin) =>
  server.gql(token, `{ numbers(${range}, metrics: ["${metric}"], ${filters(payee)}) { ${fields} } }`);

/** The statements with this value that are sent during the work. */
async function statementsWith(value: string, work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const calls = query.mock.calls as unknown as [{ text: string; values?: unknown[] }, unknown[]?][];
    return calls
      .filter(([{ values }, others]) => JSON.stringify([values, others]).includes(value))
      .map(([{ text }]) => text);
  } finally {
    query.mockRestore();
  }
}

test('who may not read the payouts has none counted', async () => {
  const token = await server.signIn(await server.person({ permissions: ['VIEW_DASHBOARD'] }));
  const statements = await statementsWith('Ada', async () =>
    expect((await tile('paid', 'Ada', 'matchingRows', token)).code).toBe('FORBIDDEN'),
  );
  expect(statements).toEqual([]);
});

test('the rows of a field that is in no roll-up are counted once for all tiles, and again after an import', async () => {
  const counts = (texts: readonly string[]) => texts.filter((text) => text.includes('as found')).length;
  const page = async () => {
    const tiles = await Promise.all(['paid', 'paid_count', 'paid_count'].map((metric) => tile(metric, 'Ada')));
    return tiles.map(({ data }) => data.numbers);
  };
  const first = await statementsWith('Ada', async () => {
    const found = { matchingRows: 1, currencyRows: [1, 1], isEmpty: false };
    expect(await page()).toMatchObject([found, found, { matchingRows: 1 }]);
  });
  expect(counts(first)).toBe(1);
  await apply([payout('4', 'Ada')]);
  const second = await statementsWith('Ada', async () =>
    expect(await page()).toMatchObject([{ matchingRows: 2 }, { currencyRows: [2, 1] }, { matchingRows: 2 }]),
  );
  expect(counts(second)).toBe(1);
});

test('counting such rows stops at a limit', async () => {
  expect((await tile('paid', 'Many')).data.numbers).toMatchObject({
    matchingRows: mostRowsCounted,
    currencyRows: [mostRowsCounted, 0],
  });
});

test('the rows behind a number are read without counting any', async () => {
  const statements = await statementsWith('Ben', async () => {
    const { data } = await server.gql(
      admin,
      `{ numberRows(${range}, metric: "paid", ${filters('Ben')}) { currency rows { id } } }`,
    );
    expect(data.numberRows).toMatchObject({ currency: 'USD', rows: [{}] });
  });
  expect(statements).toHaveLength(1);
});
